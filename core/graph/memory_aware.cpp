// The order decides the load before any allocator starts. Small graphs: the best order there is, by a search over the
// sets of ops that have run (the least peak on a way from nothing to everything). Large ones: the op whose next valley
// is reached over the lowest hill, after Liu (An application of generalized tree pebbling to sparse matrix
// factorization, 1987), against the other schedulers' orders; the lowest of all wins.

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "core/base/text.h"
#include "core/graph/order_load.h"
#include "core/graph/schedulers.h"

namespace stowage {
namespace {

constexpr std::size_t kMostExactOps = 64;   // a set of ops is one word
constexpr std::size_t kMostSets = 200'000;  // after which the search is given up

/// Sets of ops that have run, best first by the peak on the way to them.
class ExactOrder {
 public:
  ExactOrder(const Graph& graph, RunContext& context) : graph_(graph), context_(context), load_(graph) {}

  /// None when there are too many sets.
  std::optional<std::vector<OpIndex>> run() {
    const std::size_t count = graph_.ops().size();
    if (count > kMostExactOps) return std::nullopt;
    const std::uint64_t everything = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    reach(0, load_.live(), 0, kNoOp);
    while (!open_.empty()) {
      const auto [peak, missing, set] = open_.top();
      open_.pop();
      if (known_[set].done) continue;
      known_[set].done = true;
      if (set == everything) return order_to(set);
      if (known_.size() > kMostSets || (known_.size() % 256 == 0 && context_.should_stop())) return std::nullopt;
      expand(set, peak);
    }
    return std::vector<OpIndex>{};
  }

 private:
  struct Known {
    std::int64_t peak = 0;
    std::uint64_t from = 0;
    OpIndex op = kNoOp;
    bool done = false;
  };

  void reach(std::uint64_t set, std::int64_t peak, std::uint64_t from, OpIndex op) {
    const auto [found, is_new] = known_.try_emplace(set, Known{peak, from, op, false});
    if (!is_new) {
      if (found->second.done || found->second.peak <= peak) return;
      found->second = Known{peak, from, op, false};
    }
    // Among equal peaks the fuller set first: it is nearer to the end.
    open_.emplace(peak, graph_.ops().size() - static_cast<std::size_t>(__builtin_popcountll(set)), set);
  }

  void expand(std::uint64_t set, std::int64_t peak) {
    std::vector<OpIndex> order = order_to(set);
    for (const OpIndex n : order) load_.run(n);
    for (OpIndex n = 0; n < graph_.ops().size(); ++n) {
      const std::uint64_t bit = std::uint64_t{1} << n;
      if ((set & bit) == 0 && load_.ready(n)) reach(set | bit, std::max(peak, load_.peak_of(n)), set, n);
    }
    for (auto n = order.rbegin(); n != order.rend(); ++n) load_.take_back(*n);
  }

  std::vector<OpIndex> order_to(std::uint64_t set) const {
    std::vector<OpIndex> order;
    while (set != 0) {
      const Known& known = known_.at(set);
      order.push_back(known.op);
      set = known.from;
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  const Graph& graph_;
  RunContext& context_;
  OrderLoad load_;
  std::unordered_map<std::uint64_t, Known> known_;
  std::priority_queue<std::tuple<std::int64_t, std::size_t, std::uint64_t>,
                      std::vector<std::tuple<std::int64_t, std::size_t, std::uint64_t>>, std::greater<>>
      open_;
};

/// One op after the other: of those that may run, the one whose way to the next valley looks best.
class GreedyOrder {
 public:
  GreedyOrder(const Graph& graph, std::size_t look_ahead, RunContext& context)
      : graph_(graph), look_ahead_(look_ahead), context_(context), load_(graph) {}

  Result<std::vector<OpIndex>> run() {
    const std::size_t count = graph_.ops().size();
    std::vector<OpIndex> ready;
    for (OpIndex n = 0; n < count; ++n) {
      if (load_.ready(n)) ready.push_back(n);
    }
    std::vector<OpIndex> order;
    while (!ready.empty()) {
      if (order.size() % 64 == 0 && context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped");
      const std::size_t chosen = best(ready);
      const OpIndex n = ready[chosen];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(chosen));
      load_.run(n);
      order.push_back(n);
      for (const OpIndex follower : load_.followers(n)) {
        if (load_.ready(follower)) ready.push_back(follower);
      }
      context_.report(static_cast<double>(order.size()) / static_cast<double>(count));
    }
    return order;
  }

 private:
  /// The way from here over a hill to the lowest valley within sight.
  struct Way {
    std::int64_t hill = 0;
    std::int64_t valley = 0;
  };

  Way look(OpIndex first) {
    std::vector<OpIndex> taken;
    Way way{load_.peak_of(first), 0};
    std::int64_t hill = way.hill;
    OpIndex next = first;
    while (next != kNoOp) {
      hill = std::max(hill, load_.peak_of(next));
      load_.run(next);
      taken.push_back(next);
      if (taken.size() == 1 || load_.live() < way.valley) way = {hill, load_.live()};
      next = kNoOp;
      if (taken.size() > look_ahead_) break;
      for (const OpIndex follower : load_.followers(taken.back())) {
        if (load_.ready(follower) && (next == kNoOp || load_.peak_of(follower) < load_.peak_of(next))) next = follower;
      }
    }
    for (auto n = taken.rbegin(); n != taken.rend(); ++n) load_.take_back(*n);
    return way;
  }

  /// Ways that end lower than here come first, the lowest hill before the others; then the ones that free most on their
  /// far side. Ties by the given order.
  std::size_t best(const std::vector<OpIndex>& ready) {
    if (ready.size() == 1) return 0;
    const std::int64_t here = load_.live();
    std::size_t chosen = 0;
    std::tuple<bool, std::int64_t, std::int64_t, OpIndex> least;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const Way way = look(ready[i]);
      const bool climbs = way.valley > here;
      const std::tuple<bool, std::int64_t, std::int64_t, OpIndex> rank{
          climbs, climbs ? way.valley - way.hill : way.hill, way.valley, ready[i]};
      if (i == 0 || rank < least) {
        least = rank;
        chosen = i;
      }
    }
    return chosen;
  }

  const Graph& graph_;
  std::size_t look_ahead_;
  RunContext& context_;
  OrderLoad load_;
};

Result<Schedule> run(const Graph& graph, const ParamValues& values, RunContext& context) {
  if (auto exact = ExactOrder(graph, context).run()) return Schedule{std::move(*exact)};
  const auto look_ahead = parse_int(values.at("look-ahead"));
  if (!look_ahead || *look_ahead < 0 || *look_ahead > 1000)
    return usage_error("memory-aware: look-ahead is a number of ops from 0 to 1000");
  auto order = GreedyOrder(graph, static_cast<std::size_t>(*look_ahead), context).run();
  if (!order) return tl::unexpected(order.error());

  Schedule best{std::move(*order)};
  std::int64_t least = load_of_order(graph, best.order);
  for (const Scheduler& other : {given_order_scheduler(), depth_first_scheduler(), breadth_first_scheduler()}) {
    auto schedule = other.run(graph, {}, context);
    if (!schedule) continue;  // the given order may not be one
    const std::int64_t load = load_of_order(graph, schedule->order);
    if (load < least) {
      least = load;
      best = std::move(*schedule);
    }
  }
  return best;
}

}  // namespace

Scheduler memory_aware_scheduler() {
  return {"memory-aware",
          "Memory-aware",
          "The order with the smallest load: exact for small graphs, greedy with look-ahead for large ones.",
          {{"look-ahead", "ops that the greedy search looks ahead", "16", {}, false}},
          run};
}

}  // namespace stowage
