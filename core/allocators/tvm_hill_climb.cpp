#include <algorithm>
#include <optional>
#include <queue>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/conflict_lists.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/allocators/tvm_random.h"
#include "core/base/text.h"
#include "core/model/check.h"
#include "core/model/load.h"

namespace stowage {
namespace {

constexpr std::uint16_t kNoPool = 0xFFFF;

struct Place {
  std::uint16_t pool = kNoPool;  // kNoPool: it fits into none
  std::int64_t offset = 0;
  bool operator==(const Place&) const = default;
};

/// The plan of an order: each buffer in turn goes to its first pool with room, into the lowest gap. After a change of
/// the order only what can have moved is placed anew.
class OrderedPlan {
 public:
  /// `strict`: only the lists as they are given count, and only the alignments of what lies below.
  OrderedPlan(const Problem& problem, const ConflictLists& lists, bool strict, RunContext& context)
      : problem_(problem),
        lists_(lists),
        strict_(strict),
        context_(context),
        order_(lists.in_order(ConflictLists::First::kSize)),
        position_(problem.size()),
        places_(problem.size()),
        stale_(problem.size(), true) {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      position_[order_[k]] = k;
      waiting_.push(k);
    }
    for (std::uint16_t pool = 0; pool < problem.spaces().size(); ++pool) limited_ |= problem.capacity(pool).has_value();
  }

  const std::vector<BufferIndex>& order() const { return order_; }
  std::size_t position(BufferIndex i) const { return position_[i]; }
  const std::vector<Place>& places() const { return places_; }

  void swap(BufferIndex a, BufferIndex b) {
    std::swap(order_[position_[a]], order_[position_[b]]);
    std::swap(position_[a], position_[b]);
    for (const BufferIndex moved : {a, b}) {
      touch(moved);
      for (const BufferIndex other : lists_.complete(moved)) touch(other);
    }
  }

  /// Brings the places up to date. False when asked to stop.
  bool update(bool say) {
    for (const BufferIndex i : touched_) waiting_.push(position_[i]);
    touched_.clear();
    std::size_t done = 0;
    while (!waiting_.empty()) {
      const std::size_t at = waiting_.top();
      waiting_.pop();
      const BufferIndex i = order_[at];
      if (!stale_[i]) continue;
      if (done++ % 256 == 0 && context_.should_stop()) return false;
      stale_[i] = false;
      const Place place = place_of(i, say);
      if (place == places_[i]) continue;
      const Place before = std::exchange(places_[i], place);
      for (const BufferIndex other : lists_.complete(i)) {
        if (position_[other] <= at || stale_[other] || is_out_of_reach(other, before, place)) continue;
        stale_[other] = true;
        waiting_.push(position_[other]);
      }
    }
    return true;
  }

  /// What a buffer lacks in the pool that comes closest.
  std::pair<std::int64_t, std::uint16_t> missing(BufferIndex i) {
    missing_ = {kMaxInt64, 0};
    place_of(i, false);
    return missing_;
  }

 private:
  struct Candidate {
    std::uint16_t pool = 0;
    Grid grid;
    std::int64_t limit = kMaxInt64;
    std::int64_t at = 0;
    bool open = true;
  };

  /// A conflict that comes earlier in the order.
  struct Earlier {
    std::int64_t offset = 0;
    BufferIndex buffer = kNoBuffer;
  };

  /// Whether a conflict of a placed buffer went from one place to another without any meaning for it: it took the
  /// lowest gap, and what lies above that does not count. A limit would make the height of everything count.
  bool is_out_of_reach(BufferIndex i, const Place& before, const Place& after) const {
    if (limited_) return false;
    if (after.pool != places_[i].pool) return true;  // without limits nobody ever changes pools
    const std::int64_t end = add_up_to_max(places_[i].offset, problem_[i].size);
    return before.offset >= end && after.offset >= end;
  }

  void touch(BufferIndex i) {
    if (stale_[i]) return;
    stale_[i] = true;
    touched_.push_back(i);
  }

  Place place_of(BufferIndex i, bool say) {
    const std::int64_t size = problem_[i].size;
    if (say) context_.say(Step{step::Consider{i}, {}});
    std::vector<Candidate> candidates;
    for (const std::uint16_t pool : pools_of(problem_, i)) {
      const Grid grid = grid_in(problem_, i, pool);
      if (!problem_[i].takes_memory()) return settle(i, {pool, grid.up(0)}, say, "it takes no memory");
      Candidate candidate{pool, grid, problem_.capacity(pool).value_or(kMaxInt64), grid.up(0), true};
      close_if_above(candidate, candidate.at, size);
      candidates.push_back(candidate);
    }
    gather_placed(i);
    for (const Earlier& other : placed_) {
      for (Candidate& candidate : candidates) {
        if (candidate.open && candidate.pool == places_[other.buffer].pool) pass(i, other, candidate, say);
      }
    }
    for (const Candidate& candidate : candidates) {
      if (candidate.open) return settle(i, {candidate.pool, candidate.at}, say, "the lowest gap, all conflicts kept");
    }
    return {};
  }

  Place settle(BufferIndex i, Place place, bool say, const char* why) {
    if (say) context_.say(Step{step::Place{i, place.offset}, why});
    return place;
  }

  /// Conflicts that come earlier in the order, by rising offset; those without a pool are of no use.
  void gather_placed(BufferIndex i) {
    placed_.clear();
    for (const BufferIndex other : strict_ ? lists_.given(i) : lists_.complete(i)) {
      const bool counts = position_[other] < position_[i] && problem_[other].takes_memory();
      if (counts && places_[other].pool != kNoPool) placed_.push_back(Earlier{places_[other].offset, other});
    }
    std::sort(placed_.begin(), placed_.end(), [](const Earlier& a, const Earlier& b) { return a.offset < b.offset; });
  }

  /// A conflict whose end leaves no room below the limit closes the pool, even when the gap below it would do: so does
  /// the origin.
  void pass(BufferIndex i, const Earlier& other, Candidate& candidate, bool say) {
    const std::int64_t size = problem_[i].size;
    const std::int64_t offset = other.offset;
    const Grid theirs = grid_in(problem_, other.buffer, candidate.pool);
    const std::int64_t theirs_end = theirs.up(add_up_to_max(offset, problem_[other.buffer].size));
    const std::int64_t end = strict_ ? theirs_end : candidate.grid.up(theirs_end);
    if (close_if_above(candidate, end, size)) return;
    if (end <= candidate.at || candidate.at <= offset - size) return;
    if (say) say_blocked(context_, i, other.buffer, candidate.at, offset, size);
    candidate.at = end;
  }

  bool close_if_above(Candidate& candidate, std::int64_t at, std::int64_t size) {
    if (at <= candidate.limit - size) return false;
    candidate.open = false;
    const std::int64_t over = add_up_to_max(at, size) - candidate.limit;
    missing_ = std::min(missing_, std::pair(over, candidate.pool));
    return true;
  }

  const Problem& problem_;
  const ConflictLists& lists_;
  bool strict_;
  RunContext& context_;
  std::vector<BufferIndex> order_;
  std::vector<std::size_t> position_;  // by buffer
  std::vector<Place> places_;          // by buffer
  std::vector<bool> stale_;            // by buffer: to be placed anew
  std::vector<BufferIndex> touched_;   // stale ones that do not wait yet: their positions may still change
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> waiting_;  // positions of stale ones
  bool limited_ = false;                                                                // some pool has a capacity
  std::vector<Earlier> placed_;  // conflicts of the buffer looked at that have a place, by offset
  std::pair<std::int64_t, std::uint16_t> missing_;
};

/// Multiset of buffers by their position in the order: drawn from without sorting it.
class Lot {
 public:
  explicit Lot(std::size_t count) : times_(count, 0) {}

  void add(std::size_t position) {
    ++times_[position];
    ++size_;
  }
  std::size_t size() const { return size_; }
  /// The k-th by rising position.
  std::size_t at(std::size_t k) const {
    std::size_t position = 0;
    while (k >= times_[position]) k -= times_[position++];
    return position;
  }
  /// Only this position, as often as may be, or nothing.
  bool holds_only(std::size_t position) const { return times_[position] == size_; }

 private:
  std::vector<std::uint32_t> times_;
  std::size_t size_ = 0;
};

struct Settings {
  std::int64_t attempts = 500;
  std::int64_t pressure = 0;  // bytes: a total that is good enough
  bool strict = false;
};

class HillClimb {
 public:
  HillClimb(const Problem& problem, const Settings& settings, RunContext& context)
      : problem_(problem),
        settings_(settings),
        context_(context),
        lists_(problem),
        plan_(problem, lists_, settings.strict, context),
        random_(static_cast<std::uint32_t>(context.seed)) {}

  Result<RunResult> run() {
    context_.say(Step{step::Phase{"the order by size"}, {}});
    RunStatus status = RunStatus::kComplete;
    std::int64_t attempt = 0;
    for (bool good_enough = false; attempt < settings_.attempts && !good_enough; ++attempt) {
      if (context_.should_stop() || !plan_.update(context_.records() && attempt == 0)) {
        status = RunStatus::kStopped;
        break;
      }
      if (attempt == 0) context_.say(Step{step::Phase{"swaps in the order"}, {}});
      good_enough = judge(attempt);
      if (!good_enough) move();
      context_.report(static_cast<double>(attempt) / static_cast<double>(settings_.attempts));
    }
    if (kept_.size() != problem_.size()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    if (!kept_fits_) return does_not_fit();
    return finish(status, attempt);
  }

 private:
  /// Keeps the plan of the order, or takes the last swap back (even when there was none since). True when the total is
  /// good enough.
  bool judge(std::int64_t attempt) {
    const std::vector<Place>& places = plan_.places();
    const auto lost = std::find_if(places.begin(), places.end(), [](const Place& p) { return p.pool == kNoPool; });
    const bool fits = lost == places.end();
    Int128 total = 0;
    for (const std::int64_t top : tops_of(places)) total += top;
    if (total_ != 0 && !(fits && (total < total_ || lucky(total, attempt)))) {
      if (swapped_) plan_.swap(swapped_->first, swapped_->second);
      say_attempt(attempt, total, fits, false);
      return false;
    }
    kept_ = places;
    kept_fits_ = fits;
    if (fits) total_ = total;
    if (!fits) {
      lost_ = static_cast<BufferIndex>(lost - places.begin());
      missing_ = plan_.missing(lost_);
    }
    say_attempt(attempt, total, fits, true);
    return fits && total <= settings_.pressure;
  }

  /// A plan that is no better may be kept too, the less often the worse it is and the later it comes.
  bool lucky(Int128 total, std::int64_t attempt) {
    const Int128 percent = 50 * (total - total_) / total / attempt;
    return random_.next() % 100 < percent;
  }

  void say_attempt(std::int64_t attempt, Int128 total, bool fits, bool kept) const {
    if (!context_.records()) return;
    if (kept && fits) {
      context_.say(Step{step::Incumbent{static_cast<std::int64_t>(total)}, fmt::format("attempt {}", attempt)});
    } else {
      context_.say(Step{step::Note{fmt::format("attempt {}: {}, {}", attempt,
                                               fits ? fmt::format("{} bytes", static_cast<std::int64_t>(total))
                                                    : std::string("it does not fit"),
                                               kept ? "kept for want of a better one" : "the swap is undone")},
                        {}});
    }
  }

  std::vector<std::int64_t> tops_of(const std::vector<Place>& places) const {
    std::vector<std::int64_t> tops(problem_.spaces().size(), 0);
    for (BufferIndex i = 0; i < places.size(); ++i) {
      if (places[i].pool == kNoPool || !problem_[i].takes_memory()) continue;
      std::int64_t& top = tops[places[i].pool];
      top = std::max(top, add_up_to_max(places[i].offset, problem_[i].size));
    }
    return tops;
  }

  /// Swaps a conflict of a buffer at the top of its pool, placed before it, with one of its other earlier conflicts or
  /// of their earlier conflicts.
  void move() {
    const std::vector<std::int64_t> tops = tops_of(kept_);
    Lot highest(problem_.size());
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (kept_[i].pool == kNoPool || !problem_[i].takes_memory()) continue;
      if (kept_[i].offset + problem_[i].size == tops[kept_[i].pool]) highest.add(plan_.position(i));
    }
    if (highest.size() == 0) return;
    const BufferIndex node = draw(highest);
    Lot first(problem_.size());
    Lot second(problem_.size());
    for (const BufferIndex near : list(node)) {
      if (plan_.position(near) < plan_.position(node)) first.add(plan_.position(near));
      for (const BufferIndex far : list(near)) {
        if (plan_.position(far) < plan_.position(near)) second.add(plan_.position(far));
      }
    }
    if (first.size() == 0) return;
    const BufferIndex one = draw(first);
    BufferIndex other = one;
    while (other == one) {
      const bool far = second.size() > 0 && random_.next() % 100 > 25;
      other = draw(far ? second : first);
      if (first.size() < 2 && second.size() < 2) break;
      // Here the origin would draw for ever.
      if (first.holds_only(plan_.position(one)) && second.holds_only(plan_.position(one))) break;
    }
    if (other == one) return;
    plan_.swap(one, other);
    swapped_ = std::pair(one, other);
  }

  std::span<const BufferIndex> list(BufferIndex i) const {
    return settings_.strict ? lists_.given(i) : lists_.complete(i);
  }

  BufferIndex draw(const Lot& lot) { return plan_.order()[lot.at(random_.next() % lot.size())]; }

  Result<RunResult> finish(RunStatus status, std::int64_t attempts) {
    RunResult result;
    result.status = status;
    result.iterations = std::max<std::int64_t>(1, attempts);
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (!checked_add(kept_[i].offset, problem_[i].size)) return ends_too_high(problem_, i);
      result.offsets.push_back(kept_[i].offset);
      if (problem_.needs().candidates) result.spaces.push_back(kept_[i].pool);
    }
    if (settings_.strict && !is_valid(result)) {
      return fail(Error::Kind::kRefused,
                  "tvm-hill-climb: with strict=true buffers collide or lie off their alignment, as they would in the "
                  "origin");
    }
    say_plan(context_, result.offsets, "as in the last order that was kept");
    context_.report(1);
    return result;
  }

  bool is_valid(const RunResult& result) const {
    Plan plan;
    plan.offsets = result.offsets;
    plan.spaces = result.spaces;
    return check_plan(problem_, plan).valid();
  }

  tl::unexpected<Error> does_not_fit() const {
    if (missing_.first <= 0) return ends_too_high(problem_, lost_);  // without a limit
    return fail(Error::Kind::kRefused,
                fmt::format("tvm-hill-climb: {} fits into none of its pools, {} bytes are missing in {}",
                            printable_utf8(problem_.id(lost_)), missing_.first,
                            printable_utf8(problem_.spaces()[missing_.second].id)));
  }

  const Problem& problem_;
  Settings settings_;
  RunContext& context_;
  ConflictLists lists_;
  OrderedPlan plan_;
  GlibcRandom random_;
  std::vector<Place> kept_;
  bool kept_fits_ = false;
  Int128 total_ = 0;  // of the kept plan; 0: none fits yet
  std::optional<std::pair<BufferIndex, BufferIndex>> swapped_;
  BufferIndex lost_ = kNoBuffer;  // in the kept plan: a buffer that fits nowhere, and what it lacks where
  std::pair<std::int64_t, std::uint16_t> missing_;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  Settings settings;
  const auto attempts = parse_int(params.at("attempts"));
  if (!attempts || *attempts < 1) return usage_error(fmt::format("attempts: '{}' is no number", params.at("attempts")));
  settings.attempts = *attempts;
  const std::string& pressure = params.at("memory-pressure");
  const auto bytes = pressure == "load" ? load(in_one_space(problem), 0) : parse_bytes(pressure);
  if (!bytes) return usage_error(fmt::format("memory-pressure: '{}' is not a number of bytes", pressure));
  settings.pressure = *bytes;
  settings.strict = params.at("strict") == "true";
  return HillClimb(problem, settings, context).run();
}

}  // namespace

std::vector<Allocator> tvm_hill_climb_allocators() {
  Allocator allocator;
  allocator.id = "tvm-hill-climb";
  allocator.title = "TVM hill climb";
  allocator.summary =
      "TVM's unified static memory planner: swaps in the order by size, with the origin's random numbers.";
  allocator.source = "apache/tvm v0.14.0 src/tir/usmp/algo/hill_climb.cc";
  const ParamSpec attempts = open_param("attempts", "how many orders are tried", {"500"});
  const ParamSpec pressure =
      open_param("memory-pressure", "bytes in all pools at which it stops: the load, or a number", {"load"});
  const ParamSpec strict = choice_param(
      "strict", "take one-sided conflict lists and alignments as the origin does, and refuse what then collides",
      {"false", "true"});
  allocator.params = {attempts, pressure, strict};
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.candidates = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
