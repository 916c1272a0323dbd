#include <algorithm>

#include <fmt/format.h>

#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// The fixed buffers of one space, by rising offset: naive places nothing at their addresses at any time.
std::vector<BufferIndex> fixed_in(const Problem& problem, std::uint16_t space) {
  std::vector<BufferIndex> fixed;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].is_fixed() && problem[i].takes_memory() && problem[i].space == space) fixed.push_back(i);
  }
  std::sort(fixed.begin(), fixed.end(), [&](BufferIndex a, BufferIndex b) {
    return problem[a].fixed != problem[b].fixed ? problem[a].fixed < problem[b].fixed : a < b;
  });
  return fixed;
}

/// The first free address of a space: rises over buffers and jumps over fixed ones.
class Cursor {
 public:
  Cursor(const Problem& problem, std::uint16_t space) : problem_(problem), fixed_(fixed_in(problem, space)) {}

  std::int64_t place(BufferIndex i, RunContext& context) {
    const Grid grid = problem_.grid(i);
    std::int64_t at = grid.up(next_);
    const std::int64_t size = problem_[i].size;
    for (; passed_ < fixed_.size(); ++passed_) {
      const Buffer& fixed = problem_[fixed_[passed_]];
      if (at <= fixed.fixed - size) break;
      if (context.records() && at < fixed.fixed + fixed.size) {
        const std::int64_t free = std::max<std::int64_t>(0, fixed.fixed - at);
        context.say(Step{step::Reject{i, fixed_[passed_], at, free, size}, {}});
      }
      next_ = std::max(next_, fixed.fixed + fixed.size);
      at = grid.up(next_);
    }
    next_ = checked_add(at, size).value_or(kMaxInt64);
    return at;
  }

 private:
  const Problem& problem_;
  std::vector<BufferIndex> fixed_;
  std::size_t passed_ = 0;
  std::int64_t next_ = 0;
};

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  RunResult result;
  result.offsets.assign(problem.size(), kNoOffset);
  std::vector<Cursor> cursors;
  for (std::size_t space = 0; space < problem.spaces().size(); ++space) {
    cursors.emplace_back(problem, static_cast<std::uint16_t>(space));
  }
  context.say(Step{step::Phase{"every buffer above all before it"}, {}});
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (i % 4096 == 4095 && context.should_stop()) {
      return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    }
    const Buffer& buffer = problem[i];
    if (context.records()) context.say(Step{step::Consider{i}, {}});
    std::int64_t offset = buffer.fixed;
    if (!buffer.is_fixed()) {
      offset = buffer.takes_memory() ? cursors[buffer.space].place(i, context) : problem.grid(i).up(0);
    }
    if (!checked_add(offset, buffer.size)) {
      return fail(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem.id(i))));
    }
    result.offsets[i] = offset;
    if (context.records()) {
      context.say(Step{step::Place{i, offset}, buffer.is_fixed() ? "it is fixed there" : "nothing is shared"});
    }
  }
  context.report(1);
  return result;
}

}  // namespace

std::vector<Allocator> naive_allocators() {
  Allocator allocator;
  allocator.id = "naive";
  allocator.title = "Naive";
  allocator.summary = "No reuse: every buffer gets addresses of its own. The sum of all sizes, for comparison.";
  allocator.source = "what a framework without a planner does";
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
