#include "core/allocators/idealloc/heuristic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

/// The next order; `order` holds one before, or the buffers as given. Ties keep that order.
void arrange(const Problem& problem, Heuristic::Order by, Random& random, std::vector<BufferIndex>& order) {
  if (by == Heuristic::Order::kRandom) {
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(k) - 1))]);
    }
    return;
  }
  const auto key = [&](BufferIndex i) -> Int128 {
    const Buffer& buffer = problem[i];
    switch (by) {
      case Heuristic::Order::kBirth:
        return -Int128{buffer.start};
      case Heuristic::Order::kSize:
        return buffer.size;
      default:
        return Int128{buffer.size} * buffer.lifetime();
    }
  };
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) { return key(a) > key(b); });
}

}  // namespace

void try_orders(Search& search, const Heuristic& heuristic) {
  const RunContext& context = search.context;
  const bool drawn = heuristic.order == Heuristic::Order::kRandom;
  const bool until_deadline = drawn && search.settings.lives == 0 && context.deadline.has_value();
  const std::int64_t lives = drawn ? std::max<std::int64_t>(1, search.settings.lives) : 1;
  Random random(context.seed);
  std::vector<BufferIndex> order = search.site.instance.buffers;
  for (std::int64_t life = 0; (until_deadline || life < lives) && !search.is_good_enough(); ++life) {
    if (context.should_stop()) {
      search.stopped = true;
      return;
    }
    arrange(search.problem, heuristic.order, random, order);
    if (context.records()) {
      context.say(Step{step::Phase{drawn ? fmt::format("squeeze, random order {}", life) : "squeeze"},
                       "in this order each buffer goes to a place that is large enough"});
    }
    const std::int64_t limit = search.placement ? search.placement->makespan - 1 : kMaxInt64;
    Result<Squeezed> squeezed = squeeze(search.problem, order, heuristic.fit, {}, context, limit);
    ++search.iterations;
    if (squeezed) {
      search.placement = std::move(*squeezed);
      if (context.records() && search.problem.spaces().size() == 1) {
        context.say(Step{step::Incumbent{search.placement->makespan}, {}});
      }
    } else if (squeezed.error().kind == Error::Kind::kCancelled) {
      search.stopped = true;
      return;
    } else if (!search.placement) {
      search.error = squeezed.error();
    }
    if (!until_deadline) search.report(static_cast<double>(life + 1) / static_cast<double>(lives + 1));
  }
}

}  // namespace stowage::idealloc
