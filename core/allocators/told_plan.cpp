#include "core/allocators/told_plan.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

/// Buffers that end exactly where others begin, by their end.
class Supports {
 public:
  Supports(const Problem& problem, std::span<const std::int64_t> offsets) : problem_(problem) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem[i].takes_memory()) tops_.push_back({offsets[i] + problem[i].size, i});
    }
    std::sort(tops_.begin(), tops_.end());
  }

  std::string under(BufferIndex i, std::int64_t offset) const {
    if (problem_[i].is_fixed()) return "it is fixed there";
    if (!problem_[i].takes_memory()) return "it takes no memory";
    if (offset == 0) return "it lies at the bottom";
    constexpr int kLooks = 64;  // a plan of thousands of equal buffers is not worth a longer look
    auto at = std::lower_bound(tops_.begin(), tops_.end(), std::pair(offset, BufferIndex{0}));
    for (int k = 0; k < kLooks && at != tops_.end() && at->first == offset; ++k, ++at) {
      const Buffer& below = problem_[at->second];
      const Buffer& above = problem_[i];
      if (below.space == above.space && below.start < above.end && above.start < below.end) {
        return fmt::format("it rests on {}", printable_utf8(problem_.id(at->second)));
      }
    }
    return {};
  }

 private:
  const Problem& problem_;
  std::vector<std::pair<std::int64_t, BufferIndex>> tops_;
};

}  // namespace

void tell_plan(const Problem& problem, std::span<const std::int64_t> offsets, const RunContext& context) {
  if (!context.records()) return;
  context.say(Step{step::Phase{"the plan, from below"}, {}});
  const Supports supports(problem, offsets);
  std::vector<BufferIndex> order(problem.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) { return offsets[a] < offsets[b]; });
  for (const BufferIndex i : order) context.say(Step{step::Place{i, offsets[i]}, supports.under(i, offsets[i])});
}

}  // namespace stowage
