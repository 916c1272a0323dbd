#include "core/transforms/dtr.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/transforms/evicted_components.h"
#include "core/transforms/evicted_regions.h"

namespace stowage {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kMostRuns = 64;              // of an op on average: above that it thrashes
constexpr std::uint64_t kMostScores = 50'000'000;  // in all: some seconds

/// How many sides of a storage the heuristic asks about.
std::size_t sides_of(DtrHeuristic heuristic) {
  if (heuristic == DtrHeuristic::kDtr) return 2;
  return heuristic == DtrHeuristic::kMsps ? 1 : 0;
}

class Evictor {
 public:
  Evictor(const DtrTask& task, std::int64_t budget, DtrHeuristic heuristic, const std::function<bool()>& stop)
      : task_(task),
        budget_(budget),
        heuristic_(heuristic),
        stop_(stop),
        states_(task.values.size()),
        there_(task.values.size(), 0),
        maker_(makers_of(task)),
        has_run_(task.ops.size(), 0),
        regions_(task.values.size(), links(), sides_of(heuristic)),
        components_(task.values.size()) {}

  DtrRun run() {
    for (std::uint32_t v = 0; v < there_.size(); ++v) {
      states_[v].bytes = static_cast<double>(task_.values[v].bytes);
      if (maker_[v] != kNone || storage_of(v) != v) continue;
      there_[v] = 1;
      regions_.make(v, 0);
    }
    for (std::size_t i = 0; i < task_.events.size(); ++i) {
      const DtrTask::Event& event = task_.events[i];
      if (event.release) {
        const std::uint32_t storage = storage_of(event.index);
        if (evictable(storage) && regions_.resident(storage) && states_[storage].locks == 0) evict(storage);
        continue;
      }
      if (!perform(event.index)) {
        if (!stopped_) result_.stuck = event.index;
        return std::move(result_);
      }
      for (const std::uint32_t v : task_.ops[event.index].out) states_[storage_of(v)].last_access = clock_;
    }
    return std::move(result_);
  }

 private:
  struct State {
    double bytes = 0;
    double last_access = -std::numeric_limits<double>::infinity();
    std::uint32_t locks = 0;
  };

  static std::vector<std::uint32_t> makers_of(const DtrTask& task) {
    std::vector<std::uint32_t> maker(task.values.size(), kNone);
    for (std::uint32_t n = 0; n < task.ops.size(); ++n) {
      for (const std::uint32_t v : task.ops[n].out) maker[v] = n;
    }
    return maker;
  }
  std::uint32_t storage_of(std::uint32_t v) const {
    while (task_.values[v].storage_of != kNone) v = task_.values[v].storage_of;
    return v;
  }
  bool evictable(std::uint32_t storage) const {
    const std::uint32_t maker = maker_[storage];
    return maker != kNone && task_.ops[maker].repeatable && !task_.values[storage].stays;
  }

  /// A step of making things again: an op whose inputs are being gathered.
  struct Frame {
    std::uint32_t op = 0;
    std::vector<std::uint32_t> missing;  // values, taken from the back
    std::vector<std::uint32_t> locked;   // storages
  };

  /// Locks what the op reads and is there; the rest follows when it has been made.
  Frame open(std::uint32_t n) {
    Frame frame{n, {}, {}};
    for (const std::uint32_t v : task_.ops[n].in) states_[storage_of(v)].last_access = clock_;
    for (const std::uint32_t v : task_.ops[n].in) {
      if (there_[v] != 0) {
        lock(storage_of(v), frame);
      } else {
        frame.missing.push_back(v);
      }
    }
    std::reverse(frame.missing.begin(), frame.missing.end());
    return frame;
  }

  /// Depth first with a stack of our own: chains are long.
  bool perform(std::uint32_t n) {
    std::vector<Frame> stack;
    stack.push_back(open(n));
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (!frame.missing.empty()) {
        const std::uint32_t v = frame.missing.back();
        if (there_[v] != 0) {
          lock(storage_of(v), frame);
          frame.missing.pop_back();
        } else if (maker_[v] == kNone || has_run_[maker_[v]] == 0) {
          return false;
        } else {
          stack.push_back(open(maker_[v]));
        }
        continue;
      }
      if (!compute(frame.op)) return false;
      for (const std::uint32_t storage : frame.locked) unlock(storage);
      stack.pop_back();
    }
    return true;
  }

  bool compute(std::uint32_t n) {
    const DtrTask::Op& op = task_.ops[n];
    if (stop_ && result_.ops.size() % 16 == 0 && stop_()) {
      stopped_ = true;
      return false;
    }
    if (result_.ops.size() > kMostRuns * task_.ops.size() + 1024 || scores_ > kMostScores) {
      result_.gave_up = true;
      return false;
    }
    std::int64_t needed = 0;
    std::int64_t twice = 0;  // outputs that are there still: made a second time, then one of the two is given back
    for (const std::uint32_t v : op.out) {
      if (storage_of(v) != v) continue;
      needed += task_.values[v].bytes;
      if (regions_.resident(v)) twice += task_.values[v].bytes;
    }
    while (used_ + needed + op.workspace > budget_) {
      if (pool_.empty()) return false;
      evict(choose());
    }
    clock_ += op.cost;
    used_ += needed;
    result_.peak = std::max(result_.peak, used_ + op.workspace);
    used_ -= twice;
    result_.ops.push_back(n);
    result_.cost += op.cost;
    for (const std::uint32_t v : op.out) {
      there_[v] = 1;
      if (storage_of(v) == v && !regions_.resident(v)) settle(v, op);
    }
    has_run_[n] = 1;
    return true;
  }

  /// The storage is resident from now on.
  void settle(std::uint32_t storage, const DtrTask::Op& op) {
    if (regions_.evicted(storage)) components_.come_back(storage, op.cost);
    regions_.make(storage, op.cost);
    if (evictable(storage)) pool_.push_back(storage);
  }

  /// Who is made of whom, among storages that can be evicted, in the order of the program.
  std::vector<EvictedRegions::Link> links() const {
    std::vector<EvictedRegions::Link> links;
    std::vector<std::uint8_t> seen(task_.ops.size(), 0);
    for (const DtrTask::Event& event : task_.events) {
      if (event.release || seen[event.index] != 0) continue;
      seen[event.index] = 1;
      for (const std::uint32_t v : task_.ops[event.index].out) {
        const std::uint32_t child = storage_of(v);
        if (!evictable(child)) continue;
        for (const std::uint32_t w : task_.ops[event.index].in) {
          const std::uint32_t parent = storage_of(w);
          if (parent != child && evictable(parent)) links.emplace_back(parent, child);
        }
      }
    }
    return links;
  }

  void lock(std::uint32_t storage, Frame& frame) {
    if (states_[storage].locks++ == 0) leave_pool(storage);
    frame.locked.push_back(storage);
  }
  void unlock(std::uint32_t storage) {
    if (--states_[storage].locks == 0 && evictable(storage)) pool_.push_back(storage);
  }
  void leave_pool(std::uint32_t storage) {
    const auto found = std::find(pool_.begin(), pool_.end(), storage);
    if (found != pool_.end()) pool_.erase(found);
  }

  void evict(std::uint32_t storage) {
    leave_pool(storage);
    regions_.evict(storage);
    used_ -= task_.values[storage].bytes;
    there_[storage] = 0;
    for (const std::uint32_t v : views_of(storage)) there_[v] = 0;
    if (heuristic_ == DtrHeuristic::kDtrEq)
      components_.evict(storage, regions_.own_cost(storage), evicted_neighbours(storage));
  }

  const std::vector<std::uint32_t>& views_of(std::uint32_t storage) {
    if (views_.empty()) {
      views_.resize(task_.values.size());
      for (std::uint32_t v = 0; v < views_.size(); ++v) {
        if (storage_of(v) != v) views_[storage_of(v)].push_back(v);
      }
    }
    return views_[storage];
  }

  const std::vector<std::uint32_t>& evicted_neighbours(std::uint32_t storage) {
    neighbours_.clear();
    for (const EvictedRegions::Side side : {EvictedRegions::kAncestors, EvictedRegions::kDescendants}) {
      for (const std::uint32_t other : regions_.near(storage, side)) {
        if (regions_.evicted(other)) neighbours_.push_back(other);
      }
    }
    return neighbours_;
  }

  /// By what the cost is divided.
  double weight(std::uint32_t storage) const {
    const State& state = states_[storage];
    const bool by_size = heuristic_ == DtrHeuristic::kMsps || heuristic_ == DtrHeuristic::kLargest;
    return by_size ? state.bytes : state.bytes * (clock_ - state.last_access);
  }
  double divided(double cost, std::uint32_t storage) const {
    const double by = weight(storage);
    return by > 0 ? cost / by : std::numeric_limits<double>::infinity();
  }

  /// The score of a heuristic that looks around; more than `enough` (but perhaps not all) when it is more.
  double score_around(std::uint32_t storage, double enough) {
    const double by = weight(storage);
    if (!(by > 0) || by > std::numeric_limits<double>::max()) return divided(regions_.own_cost(storage), storage);
    return regions_.around(storage, enough * by) / by;
  }

  double score(std::uint32_t storage) {
    switch (heuristic_) {
      case DtrHeuristic::kDtr:
      case DtrHeuristic::kMsps:
        return score_around(storage, std::numeric_limits<double>::infinity());
      case DtrHeuristic::kDtrEq:
        return divided(regions_.own_cost(storage) + components_.cost(evicted_neighbours(storage)), storage);
      case DtrHeuristic::kLocal:
        return divided(regions_.own_cost(storage), storage);
      case DtrHeuristic::kLru:
        return states_[storage].last_access;
      case DtrHeuristic::kLargest:
        return divided(1, storage);
    }
    return 0;
  }

  std::uint32_t choose() {
    scores_ += pool_.size();
    if (sides_of(heuristic_) > 0) return choose_around();
    std::uint32_t best = pool_.front();
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t storage : pool_) {
      const double now = score(storage);
      if (now > least) continue;
      least = now;
      best = storage;
      if (now == 0) break;
    }
    return best;
  }

  /// The same without looking around from those that cannot be the least, and no further than it takes to see that.
  std::uint32_t choose_around() {
    bounds_.clear();
    for (const std::uint32_t storage : pool_) {
      double bound = divided(regions_.at_least(storage), storage);
      if (bound == 0) bound = score_around(storage, 0);
      if (bound == 0) return storage;
      bounds_.push_back(bound);
    }
    const auto seed = static_cast<std::size_t>(std::min_element(bounds_.begin(), bounds_.end()) - bounds_.begin());
    std::uint32_t best = pool_[seed];
    double least = score(best);
    bounds_[seed] = least;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (bounds_[i] > least) continue;
      const double now = i == seed ? bounds_[seed] : score_around(pool_[i], least);
      if (now > least) continue;
      least = now;
      best = pool_[i];
    }
    return best;
  }

  const DtrTask& task_;
  std::int64_t budget_;
  DtrHeuristic heuristic_;
  const std::function<bool()>& stop_;
  std::vector<State> states_;         // by value; of those that are storages
  std::vector<std::uint8_t> there_;   // by value
  std::vector<std::uint32_t> maker_;  // by value
  std::vector<std::uint8_t> has_run_;
  std::vector<std::uint32_t> pool_;  // what may be evicted, in the order in which it became so
  std::vector<std::vector<std::uint32_t>> views_;
  EvictedRegions regions_;
  EvictedComponents components_;
  // Working memory.
  std::vector<std::uint32_t> neighbours_;
  std::vector<double> bounds_;  // by place in the pool: no more than the score
  double clock_ = 1;
  std::int64_t used_ = 0;
  std::uint64_t scores_ = 0;
  bool stopped_ = false;
  DtrRun result_;
};

}  // namespace

std::optional<DtrHeuristic> dtr_heuristic(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, DtrHeuristic>, 6> kNames = {{
      {"dtr", DtrHeuristic::kDtr},
      {"dtr-eq", DtrHeuristic::kDtrEq},
      {"local", DtrHeuristic::kLocal},
      {"lru", DtrHeuristic::kLru},
      {"largest", DtrHeuristic::kLargest},
      {"msps", DtrHeuristic::kMsps},
  }};
  for (const auto& [known, heuristic] : kNames) {
    if (known == name) return heuristic;
  }
  return std::nullopt;
}

DtrRun run_dtr(const DtrTask& task, std::int64_t budget, DtrHeuristic heuristic, const std::function<bool()>& stop) {
  return Evictor(task, budget, heuristic, stop).run();
}

DtrTask dtr_unit_chain(std::uint32_t n) {
  DtrTask task;
  task.values.resize(2 * static_cast<std::size_t>(n), DtrTask::Value{1, kNone, false});
  const auto add = [&](std::vector<std::uint32_t> in) {
    const auto index = static_cast<std::uint32_t>(task.ops.size());
    task.ops.push_back({std::move(in), {index}, 1, 0, true});
    task.events.push_back({false, index});
  };
  for (std::uint32_t i = 0; i < n; ++i) add(i == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{i - 1});
  for (std::uint32_t i = n; i > 0; --i) {
    const std::uint32_t forward = i - 1;
    const bool first = i == n;
    const auto gradient = static_cast<std::uint32_t>(task.ops.size() - 1);
    task.events.push_back({true, forward});
    std::vector<std::uint32_t> in;
    if (!first && forward > 0) in.push_back(forward - 1);
    if (!first) in.push_back(gradient);
    add(std::move(in));
    if (!first) task.events.push_back({true, gradient});
  }
  return task;
}

}  // namespace stowage
