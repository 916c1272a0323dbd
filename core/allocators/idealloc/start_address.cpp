#include "core/allocators/idealloc/start_address.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

Result<Problem> shifted_down(const Problem& problem, std::int64_t start) {
  ProblemInput input = problem.input();
  for (Space& space : input.spaces) {
    if (space.base > std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(start)) {
      return fail(Error::Kind::kRefused, fmt::format("no address {} bytes above the base of {}", start, space.id));
    }
    space.base += static_cast<std::uint64_t>(start);
  }
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    Buffer& buffer = input.buffers[i];
    if (!buffer.is_fixed()) continue;
    if (buffer.fixed < start) {
      return fail(Error::Kind::kRefused, fmt::format("{} is fixed at {}, below the start address {}",
                                                     printable_utf8(problem.id(i)), buffer.fixed, start));
    }
    buffer.fixed -= start;
  }
  auto shifted = make_problem(std::move(input));
  if (!shifted) return fail(Error::Kind::kRefused, shifted.error().front().message);
  return std::move(*shifted);
}

void shift_up(Step& step, std::int64_t start) {
  if (auto* place = std::get_if<step::Place>(&step.fact)) place->offset += start;
  if (auto* reject = std::get_if<step::Reject>(&step.fact)) reject->offset += start;
  if (auto* incumbent = std::get_if<step::Incumbent>(&step.fact)) incumbent->makespan += start;
}

}  // namespace

Result<RunResult> above(const Problem& problem, std::int64_t start, RunContext& context, const PlanProblem& plan) {
  const Result<Problem> shifted = shifted_down(problem, start);
  if (!shifted) return tl::unexpected(shifted.error());
  RunContext inner = context;
  StepLog log;
  if (context.records()) inner.steps = &log;
  Result<RunResult> result = plan(*shifted, inner);
  if (!result) return result;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto offset = checked_add(result->offsets[i], start);
    if (!offset || !checked_add(*offset, problem[i].size)) {
      return fail(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem.id(i))));
    }
    result->offsets[i] = *offset;
  }
  for (Step step : log.steps()) {
    shift_up(step, start);
    context.say(std::move(step));
  }
  return result;
}

}  // namespace stowage::idealloc
