#include "core/search/capacity_question.h"

#include <algorithm>

#include "core/search/luby.h"

namespace stowage {
namespace {

constexpr std::int64_t kRun = 500;  // nodes; 300 to 1,000 are as good
constexpr std::int64_t kFirstLongRun = 10'000;
/// A long run gets this part of all before it. What is exhausted is mostly so by short runs, whose failed states are
/// remembered; long ones only see to it that it ends. A larger part keeps what is found by luck waiting.
constexpr std::int64_t kShareOfLongRuns = 4;
constexpr std::int64_t kForgetEvery = 64;  // runs

}  // namespace

CapacityQuestion::CapacityQuestion(const Instance& instance, std::int64_t capacity, std::uint64_t seed)
    : capacity_(capacity),
      search_(instance, capacity),
      priorities_(instance),
      random_(seed ^ 0x9E3779B97F4A7C15ULL),
      long_run_(kFirstLongRun) {}

Verdict CapacityQuestion::go_on(std::int64_t nodes, const RunContext& context) {
  const std::int64_t end = search_.nodes() + nodes;
  while (search_.nodes() < end) {
    if (context.should_stop()) return Verdict::kStopped;
    std::int64_t length = 0;
    if (search_.nodes() >= long_run_) {
      length = long_run_ / kShareOfLongRuns;
      long_run_ *= 4;
    } else {
      length = kRun * luby(++runs_);
      if (runs_ % kForgetEvery == 0) search_.forget_half();
    }
    const auto priority = priorities_.draw(random_, search_.failures());
    const Verdict verdict = search_.run(priority, std::min(length, end - search_.nodes()), context);
    if (verdict != Verdict::kOutOfNodes) return verdict;
  }
  return Verdict::kOutOfNodes;
}

}  // namespace stowage
