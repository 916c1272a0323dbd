#include "core/search/whole_plan.h"

#include "core/base/random.h"
#include "core/search/large_fit.h"
#include "core/search/neighbourhood.h"

namespace stowage {
namespace {

constexpr std::size_t kMostBuffers = 4'000;
constexpr int kAttempts = 6;
/// So many as everybody tries them, then with luck.
constexpr int kPlain = 2;
constexpr std::int64_t kFirstShaken = 16;
constexpr std::int64_t kLastShaken = 1'000;
constexpr std::int64_t kRepairLooks = 10'000;

WholePlan with_buffers(const Instance& instance, const std::vector<std::int64_t>& offsets) {
  WholePlan plan;
  plan.height = instance.height(offsets) * instance.unit;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    plan.offsets.emplace_back(instance.items[i].buffer, offsets[i] * instance.unit);
  }
  return plan;
}

}  // namespace

std::optional<WholePlan> plan_whole(const LiveSpace& space, std::int64_t capacity, std::uint64_t seed,
                                    const RunContext& context) {
  if (space.placed() > kMostBuffers) return std::nullopt;
  Instance bytes = living_in(space, {kMinInt64, kMaxInt64});
  const Instance instance = make_instance(std::move(bytes.items), bytes.sections);
  Random random(seed);
  LargeFit greedy(instance, random.next());
  std::optional<WholePlan> lowest;
  for (int k = 0; k < kAttempts && !context.should_stop(); ++k) {
    const std::int64_t number = k < kPlain ? k : random.uniform(kFirstShaken, kLastShaken);
    greedy.attempt(static_cast<std::size_t>(number), capacity / instance.unit, kRepairLooks, context);
    const auto offsets = greedy.complete();
    if (!offsets) continue;
    if (lowest && instance.height(*offsets) * instance.unit >= lowest->height) continue;
    lowest = with_buffers(instance, *offsets);
    if (lowest->height <= capacity) break;
  }
  return lowest;
}

}  // namespace stowage
