#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"
#include "core/allocators/tela_space.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// More conflicts than this would fill the memory of a small machine.
constexpr std::int64_t kMostConflicts = 50'000'000;
/// Without a time limit all attempts together look at so many conflicts: about half a second.
constexpr std::int64_t kLooks = 40'000'000;

struct TelaSettings {
  bool evict = false;
  std::int64_t backtracks = 0;  // an attempt gives up after so many
  std::uint64_t seed = 0;
};

/// One attempt to place a component under a capacity, by backtracking.
///
/// From the paper (Maas et al., ASPLOS 2023, as far as its abstract and summaries tell): buffers are chosen one at a
/// time by heuristics while a solver keeps track of what is still possible and tells contradictions at once; the most
/// contended part comes first; on a dead end the search jumps back to a placement that has to do with it.
/// Our reading: a buffer goes to the lowest place between the others; a contradiction is a waiting buffer in conflict
/// with the newcomer that has no place left; candidates are the buffers that failed here before, then the one of the
/// phase that lives longest, the largest, and that of the largest area; a dead end returns to the latest placement in
/// conflict with what had no place, and twice as far each time it comes back to the same point.
class Backtracking {
 public:
  Backtracking(const Problem& problem, const TelaComponent& component, TelaSpace& space, std::int64_t capacity,
               std::int64_t backtracks)
      : problem_(problem), component_(component), space_(space), capacity_(capacity), left_(backtracks) {}

  /// True: everything is placed.
  template <typename Stop>
  bool run(Stop&& stop) {
    levels_.push_back({});
    while (true) {
      if (stop()) return false;
      if (choose_candidates()) return true;
      if (advance()) continue;
      if (left_ < 0 || !jump_back()) return false;
    }
  }

 private:
  /// A point of the search: what may come next, and what was placed.
  struct Level {
    std::vector<BufferIndex> promoted;    // failed when it was not placed here
    std::vector<BufferIndex> candidates;  // still to be tried, the next one last
    bool chosen = false;                  // candidates are known
    BufferIndex placed = kNoBuffer;
    std::size_t returns = 0;
  };

  /// True when nothing is left to place.
  bool choose_candidates() {
    Level& level = levels_.back();
    if (level.chosen) return false;
    for (const std::vector<BufferIndex>& phase : component_.phases) {
      std::vector<BufferIndex> best;
      for (const auto key : {&Backtracking::lifetime, &Backtracking::size, &Backtracking::area}) {
        BufferIndex first = kNoBuffer;
        for (const BufferIndex i : phase) {
          if (!space_.is_placed(i) && (first == kNoBuffer || (this->*key)(i) > (this->*key)(first))) first = i;
        }
        if (first != kNoBuffer) best.push_back(first);
      }
      if (best.empty()) continue;
      level.chosen = true;
      level.candidates.clear();
      best.insert(best.begin(), level.promoted.begin(), level.promoted.end());
      for (const BufferIndex i : best) {
        const auto known = std::find(level.candidates.begin(), level.candidates.end(), i);
        if (known == level.candidates.end() && !space_.is_placed(i)) level.candidates.push_back(i);
      }
      std::reverse(level.candidates.begin(), level.candidates.end());
      culprits_.clear();
      failed_.clear();
      return false;
    }
    return true;
  }

  /// Places the next candidate after which every waiting buffer still has a place: a minor backtrack for each other.
  bool advance() {
    while (!levels_.back().candidates.empty()) {
      const BufferIndex i = levels_.back().candidates.back();
      levels_.back().candidates.pop_back();
      const auto offset = space_.lowest(i, capacity_, true);
      if (!offset) {
        blame(i, kNoBuffer);
      } else {
        space_.place(i, *offset, "the lowest place between the others");
        const BufferIndex stuck = without_place(i);
        if (stuck == kNoBuffer) {
          levels_.back().placed = i;
          levels_.push_back({});
          return true;
        }
        space_.take_out(i, "a waiting buffer would have no place left");
        blame(stuck, i);
      }
      if (--left_ < 0) return false;
    }
    return false;
  }

  BufferIndex without_place(BufferIndex newcomer) {
    for (const Overlap& overlap : space_.conflicts(newcomer)) {
      const BufferIndex other = overlap.other;
      if (!space_.is_placed(other) && !space_.lowest(other, capacity_, false)) return other;
    }
    return kNoBuffer;
  }

  void blame(BufferIndex stuck, BufferIndex newcomer) {
    failed_.push_back(stuck);
    for (const Overlap& overlap : space_.conflicts(stuck)) {
      if (overlap.other != newcomer && space_.is_placed(overlap.other)) culprits_.push_back(overlap.other);
    }
  }

  /// A major backtrack: to the latest placement in conflict with what had no place, or further back. False when
  /// there is none.
  bool jump_back() {
    std::size_t target = levels_.size();
    for (std::size_t k = levels_.size() - 1; k-- > 0 && target == levels_.size();) {
      const bool culprit = std::find(culprits_.begin(), culprits_.end(), levels_[k].placed) != culprits_.end();
      if (culprit) target = k;
    }
    if (target == levels_.size()) return false;
    const std::size_t returns = ++levels_[target].returns;
    if (returns > 1) {
      const std::size_t further = std::min(target, std::size_t{1} << std::min<std::size_t>(returns - 1, 30));
      target -= further;
    }
    while (levels_.size() > target + 1) {
      levels_.pop_back();
      space_.take_out(levels_.back().placed, "back to a placement that is to blame");
    }
    Level& level = levels_.back();
    std::vector<BufferIndex> promoted = failed_;
    promoted.insert(promoted.end(), level.promoted.begin(), level.promoted.end());
    const BufferIndex tried = level.placed;
    level.placed = kNoBuffer;
    level.promoted.clear();
    for (const BufferIndex i : promoted) {
      const bool known = std::find(level.promoted.begin(), level.promoted.end(), i) != level.promoted.end();
      if (!known && i != tried) level.promoted.push_back(i);
    }
    level.chosen = false;
    return --left_ >= 0;
  }

  Int128 lifetime(BufferIndex i) const { return problem_[i].lifetime(); }
  Int128 size(BufferIndex i) const { return problem_[i].size; }
  Int128 area(BufferIndex i) const { return Int128{problem_[i].size} * problem_[i].lifetime(); }

  const Problem& problem_;
  const TelaComponent& component_;
  TelaSpace& space_;
  std::int64_t capacity_;
  std::int64_t left_;
  std::vector<Level> levels_;
  std::vector<BufferIndex> culprits_;
  std::vector<BufferIndex> failed_;
};

/// One attempt by eviction (fpedd/omnimalloc telamalloc.cpp): buffers come by (most often evicted, order); where none
/// of the gaps is large enough the cheapest place is cleared, with probability 1/4 a random one; after 4 evictions a
/// buffer everything is taken out again and only the counts stay.
class Evicting {
 public:
  Evicting(const Problem& problem, const TelaComponent& component, TelaSpace& space, std::int64_t capacity,
           const TelaSettings& settings, std::span<const std::uint32_t> rank)
      : problem_(problem),
        component_(component),
        space_(space),
        capacity_(capacity),
        most_(settings.backtracks),
        rank_(rank),
        evictions_(problem.size(), 0),
        random_(settings.seed) {}

  template <typename Stop>
  bool run(Stop&& stop) {
    const std::int64_t share = std::min(most_, 4 * static_cast<std::int64_t>(component_.buffers.size()));
    while (true) {
      begin();
      std::int64_t evicted = 0;
      while (!pending_.empty() && evicted <= share) {
        if (stop()) return false;
        const BufferIndex i = std::get<2>(*pending_.begin());
        pending_.erase(pending_.begin());
        if (const auto offset = space_.lowest(i, capacity_, true)) {
          space_.place(i, *offset, "the lowest gap that is large enough");
          continue;
        }
        const auto offset = cheapest(i);
        if (!offset) return false;
        evicted += clear(i, *offset);
        space_.place(i, *offset, "the cheapest place to clear");
        if (total_ > most_) return false;
      }
      if (pending_.empty()) return true;
    }
  }

 private:
  using Turn = std::tuple<std::int64_t, std::uint32_t, BufferIndex>;

  void begin() {
    pending_.clear();
    for (const BufferIndex i : component_.buffers) {
      if (problem_[i].is_fixed()) continue;
      space_.take_out(i, "everything from the start");
      pending_.insert({-evictions_[i], rank_[i], i});
    }
  }

  /// The place under the capacity whose clearing costs the fewest bytes, then buffers, then the lowest.
  std::optional<std::int64_t> cheapest(BufferIndex buffer) {
    const std::span<const TelaSpace::Forbidden> forbidden = space_.forbidden(buffer);
    const Grid grid = problem_.grid(buffer);
    const std::int64_t size = problem_[buffer].size;
    std::vector<std::int64_t> places = {grid.up(0)};
    for (const TelaSpace::Forbidden& f : forbidden) {
      const std::int64_t above = grid.up(f.high);
      if (size <= capacity_ - above) places.push_back(above);
      const std::int64_t below = f.low > 0 ? grid.up(std::max<std::int64_t>(0, f.low - grid.step + 1)) : 0;
      if (below > 0 && below <= f.low) places.push_back(below);
    }
    std::erase_if(places, [&](std::int64_t at) { return size > capacity_ - at || hits_fixed(forbidden, at); });
    if (places.empty()) return std::nullopt;
    std::tuple<Int128, std::int64_t, std::int64_t> best{std::numeric_limits<std::int64_t>::max(), 0, 0};
    best = cost(forbidden, places.front());
    for (const std::int64_t at : places) best = std::min(best, cost(forbidden, at));
    if (random_() % 4 == 0) return places[random_() % places.size()];
    return std::get<2>(best);
  }

  bool hits_fixed(std::span<const TelaSpace::Forbidden> forbidden, std::int64_t at) const {
    return std::any_of(forbidden.begin(), forbidden.end(), [&](const TelaSpace::Forbidden& f) {
      return f.low < at && at < f.high && problem_[f.by].is_fixed();
    });
  }

  std::tuple<Int128, std::int64_t, std::int64_t> cost(std::span<const TelaSpace::Forbidden> forbidden,
                                                      std::int64_t at) const {
    Int128 bytes = 0;
    std::int64_t count = 0;
    for (const TelaSpace::Forbidden& f : forbidden) {
      if (f.low >= at || at >= f.high) continue;
      bytes += problem_[f.by].size;
      ++count;
    }
    return {bytes, count, at};
  }

  std::int64_t clear(BufferIndex buffer, std::int64_t offset) {
    std::int64_t count = 0;
    for (const TelaSpace::Forbidden& f : space_.forbidden(buffer)) {
      if (f.low >= offset || offset >= f.high) continue;
      space_.take_out(f.by, "evicted to make room");
      ++evictions_[f.by];
      pending_.insert({-evictions_[f.by], rank_[f.by], f.by});
      ++count;
    }
    total_ += count;
    return count;
  }

  const Problem& problem_;
  const TelaComponent& component_;
  TelaSpace& space_;
  std::int64_t capacity_;
  std::int64_t most_;
  std::int64_t total_ = 0;
  std::span<const std::uint32_t> rank_;
  std::vector<std::int64_t> evictions_;
  std::mt19937_64 random_;
  std::set<Turn> pending_;
};

/// Plans one component after the other: two first fits, then binary search for a lower capacity (omnimalloc's
/// minimising variant; the paper only asks whether a given capacity is enough).
class TelamallocRun {
 public:
  TelamallocRun(const Problem& problem, const TelaSettings& settings, RunContext& context)
      : problem_(problem), settings_(settings), context_(context) {}

  Result<RunResult> run() {
    if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    for (const char* letters : {"WZ", "ZW"}) {
      auto start = first_fit(letters);
      if (!start) return tl::unexpected(start.error());
      starts_.push_back(std::move(*start));
    }
    result_.offsets = starts_.front().offsets;
    result_.iterations = 0;
    std::int64_t conflicts = 0;
    for (const std::int64_t count : conflict_counts(problem_)) conflicts += count;
    if (conflicts <= kMostConflicts) plan_components();
    finish();
    return std::move(result_);
  }

 private:
  struct Start {
    std::vector<std::int64_t> offsets;
    std::vector<std::uint32_t> rank;  // in its order
  };

  Result<Start> first_fit(const char* letters) {
    RunContext silent;
    silent.stop = context_.stop;
    silent.deadline = context_.deadline;
    const auto order = make_order(problem_, letters);
    auto fit = place_in_order(problem_, *order, FitRule::kFirst, silent);
    if (!fit) return tl::unexpected(fit.error());
    Start start{std::move(fit->offsets), std::vector<std::uint32_t>(problem_.size())};
    for (std::uint32_t k = 0; k < order->size(); ++k) start.rank[(*order)[k]] = k;
    return start;
  }

  void plan_components() {
    TelaSpace space(problem_, context_);
    const std::vector<TelaComponent> components = tela_components(problem_, space);
    std::size_t done = 0;
    for (const TelaComponent& component : components) {
      plan_component(component, space);
      context_.report(static_cast<double>(++done) / static_cast<double>(components.size() + 1));
    }
  }

  void plan_component(const TelaComponent& component, TelaSpace& space) {
    const std::int64_t by_lifetime = makespan(component, starts_[0].offsets);
    const std::int64_t by_size = makespan(component, starts_[1].offsets);
    const Start& start = by_size < by_lifetime ? starts_[1] : starts_[0];
    for (const BufferIndex i : component.buffers) result_.offsets[i] = start.offsets[i];
    std::int64_t high = std::min(by_lifetime, by_size);
    std::int64_t low = component.lower_bound;
    if (const auto capacity = problem_.capacity(problem_[component.buffers.front()].space)) {
      low = std::max(low, std::min(*capacity, high));  // lower than that nobody asked for
    }
    while (low < high && !out_of_effort(space)) {
      const std::int64_t middle = low + (high - low) / 2;
      if (attempt(component, space, middle, start.rank)) {
        for (const BufferIndex i : component.buffers) result_.offsets[i] = space.offsets()[i];
        high = space.makespan(component.buffers);
      } else {
        low = middle + 1;
      }
      for (const BufferIndex i : component.buffers) space.take_out(i, "the attempt is over");
    }
  }

  bool attempt(const TelaComponent& component, TelaSpace& space, std::int64_t capacity,
               const std::vector<std::uint32_t>& rank) {
    if (context_.records()) context_.say(Step{step::Phase{fmt::format("an attempt under {} bytes", capacity)}, {}});
    ++result_.iterations;
    for (const BufferIndex i : component.buffers) {
      if (problem_[i].is_fixed()) space.place(i, problem_[i].fixed, "it is fixed there");
    }
    const auto stop = [&] {
      return out_of_effort(space);
    };
    if (settings_.evict) return Evicting(problem_, component, space, capacity, settings_, rank).run(stop);
    return Backtracking(problem_, component, space, capacity, settings_.backtracks).run(stop);
  }

  bool out_of_effort(const TelaSpace& space) {
    if (stopped_) return true;
    if (++asked_ % 64 == 0 && context_.should_stop()) stopped_ = true;
    return stopped_ || (!context_.deadline && space.looks() > kLooks);
  }

  std::int64_t makespan(const TelaComponent& component, const std::vector<std::int64_t>& offsets) const {
    std::int64_t makespan = 0;
    for (const BufferIndex i : component.buffers) makespan = std::max(makespan, offsets[i] + problem_[i].size);
    return makespan;
  }

  void finish() {
    if (context_.records()) {
      context_.say(Step{step::Phase{"the plan"}, {}});
      for (BufferIndex i = 0; i < problem_.size(); ++i) {
        context_.say(Step{step::Place{i, result_.offsets[i]}, {}});
      }
    }
    context_.report(1);
    if (stopped_) result_.status = RunStatus::kStopped;
  }

  const Problem& problem_;
  const TelaSettings& settings_;
  RunContext& context_;
  std::vector<Start> starts_;
  RunResult result_;
  std::int64_t asked_ = 0;
  bool stopped_ = false;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  TelaSettings settings;
  settings.evict = params.at("repair") == "evict";
  settings.seed = context.seed;
  const auto backtracks = parse_int(params.at("backtracks"));
  if (!backtracks || *backtracks < 0) {
    return usage_error(fmt::format("backtracks: '{}' is no number from 0 on", params.at("backtracks")));
  }
  settings.backtracks = *backtracks;
  return TelamallocRun(problem, settings, context).run();
}

}  // namespace

std::vector<Allocator> telamalloc_allocators() {
  Allocator allocator;
  allocator.id = "telamalloc";
  allocator.title = "TelaMalloc";
  allocator.summary =
      "Heuristics choose, a solver sees dead ends at once, the search jumps back to what is to blame; lower and lower.";
  allocator.source = "after Maas et al., TelaMalloc, ASPLOS 2023; minimising as in fpedd/omnimalloc telamalloc.cpp";
  allocator.params = {
      {"repair",
       "what an attempt does at a dead end: jump back, or evict what is in the way (omnimalloc)",
       "backtrack",
       {"backtrack", "evict"},
       true},
      {"backtracks", "an attempt gives up after so many", "1000", {"100", "1000", "10000"}, false},
  };
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
