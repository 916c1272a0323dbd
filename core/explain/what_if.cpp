#include "core/explain/what_if.h"

#include <algorithm>
#include <utility>

#include "core/model/metrics.h"

namespace stowage {
namespace {

void cut_details(Details& details, std::int64_t size) {
  for (Gap& gap : details.gaps) {
    if (!gap.window) continue;
    gap.window->high = std::min(gap.window->high, size);
    gap.window->low = std::min(gap.window->low, gap.window->high);
  }
  details.slices.clear();
  details.shape.clear();
  if (details.requested && *details.requested > size) details.requested.reset();
}

}  // namespace

ProblemInput with_size(const Problem& problem, BufferIndex buffer, std::int64_t size) {
  ProblemInput input = problem.input();
  Buffer& changed = input.buffers[buffer];
  changed.size = size;
  if (changed.details != Buffer::kNoDetails) cut_details(input.details[changed.details], size);
  if (size > 0) return input;
  changed.fixed = kNoOffset;
  return input;
}

std::int64_t count_below(const Problem& problem, const Plan& plan, std::uint16_t space, std::int64_t capacity) {
  std::int64_t count = 0;
  for (BufferIndex i = 0; i < problem.size() && i < plan.offsets.size(); ++i) {
    const std::int64_t offset = plan.offsets[i];
    if (offset == kNoOffset || space_of(problem, plan, i) != space) continue;
    const auto end = checked_add(offset, problem[i].size);
    if (offset >= 0 && end && *end <= capacity) ++count;
  }
  return count;
}

Result<std::vector<AlignmentOutcome>> try_alignments(const Problem& problem, const Allocator& allocator,
                                                     std::uint16_t space, std::span<const std::int64_t> alignments,
                                                     const RunContext& context) {
  std::vector<AlignmentOutcome> outcomes;
  for (const std::int64_t alignment : alignments) {
    if (context.should_stop()) return fail(Error::Kind::kCancelled, "the alignments were not all tried");
    AlignmentOutcome outcome;
    outcome.alignment = alignment;
    if (const auto aligned = make_problem(with_min_alignment(problem, alignment))) {
      RunContext silent = context;
      silent.progress = nullptr;
      silent.steps = nullptr;
      const auto run = run_allocator(allocator, *aligned, ParamValues{}, silent);
      if (!run && run.error().kind == Error::Kind::kCancelled) return tl::unexpected<Error>(run.error());
      outcome.planned = run.has_value();
      outcome.load = measure(*aligned, space).load;
      if (run) outcome.makespan = makespan_of_space(*aligned, run->plan, space);
    }
    outcomes.push_back(outcome);
    context.report(static_cast<double>(outcomes.size()) / static_cast<double>(alignments.size()));
  }
  return outcomes;
}

}  // namespace stowage
