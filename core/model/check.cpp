#include "core/model/check.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/radix_sort.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"
#include "core/model/lifetime.h"

namespace stowage {
namespace {

/// A piece of a placed buffer: bytes [low, high) during [start, end).
struct Area {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  BufferIndex buffer = kNoBuffer;
};

void add(CheckReport& report, const Issue& issue) {
  ++report.count;
  if (report.issues.size() < CheckReport::kListed) report.issues.push_back(issue);
}

/// Arrivals and departures of areas in time order; departures go first where both fall on one instant.
template <typename Arrive, typename Depart>
void sweep_time(const std::vector<Area>& areas, Arrive&& arrive, Depart&& depart) {
  std::vector<KeyedIndex> arrivals(areas.size());
  std::vector<KeyedIndex> departures(areas.size());
  for (std::uint32_t i = 0; i < areas.size(); ++i) {
    arrivals[i] = {sort_key(areas[i].start), i};
    departures[i] = {sort_key(areas[i].end), i};
  }
  radix_sort(arrivals);
  radix_sort(departures);
  std::size_t departed = 0;
  for (const KeyedIndex& newcomer : arrivals) {
    for (; departures[departed].key <= newcomer.key; ++departed) depart(departures[departed].index);
    if (!arrive(newcomer.index)) return;
  }
}

/// Whether any two areas collide. As long as none do, the live ones are disjoint, so that each newcomer need be
/// compared with its two neighbours only: the common case, a valid plan, is proved quickly.
bool any_collision(const std::vector<Area>& areas) {
  std::map<std::int64_t, std::int64_t> live;  // low -> high
  bool found = false;
  sweep_time(
      areas,
      [&](std::uint32_t i) {
        const Area& area = areas[i];
        const auto above = live.lower_bound(area.low);
        found = (above != live.end() && above->first < area.high) ||
                (above != live.begin() && std::prev(above)->second > area.low);
        if (!found) live.emplace_hint(above, area.low, area.high);
        return !found;
      },
      [&](std::uint32_t i) { live.erase(areas[i].low); });
  return found;
}

/// The areas that are live at the moment of the sweep, in a tree over all areas by address. A node knows the highest
/// end below it, so that the areas which overlap a range are found without touching the others.
class LiveAreas {
 public:
  /// `by_address`: all areas by rising low.
  explicit LiveAreas(std::size_t count) {
    while (leaves_ < count) leaves_ *= 2;
    highest_.assign(2 * leaves_, kMinInt64);
  }

  void insert(std::size_t rank, std::int64_t high) { set(rank, high); }
  void erase(std::size_t rank) { set(rank, kMinInt64); }

  /// Calls visit(rank) for each live area with rank < `ranks` and end above `low`, by rising rank, until it says false.
  template <typename Visit>
  void overlapping(std::size_t ranks, std::int64_t low, Visit&& visit) const {
    descend(1, 0, leaves_, ranks, low, visit);
  }

 private:
  void set(std::size_t rank, std::int64_t high) {
    std::size_t node = leaves_ + rank;
    highest_[node] = high;
    for (node /= 2; node >= 1; node /= 2) {
      const std::int64_t highest = std::max(highest_[2 * node], highest_[2 * node + 1]);
      if (highest_[node] == highest) return;
      highest_[node] = highest;
    }
  }

  template <typename Visit>
  bool descend(std::size_t node, std::size_t begin, std::size_t end, std::size_t ranks, std::int64_t low,
               Visit&& visit) const {
    if (begin >= ranks || highest_[node] <= low) return true;
    if (end - begin == 1) return visit(begin);
    const std::size_t middle = begin + (end - begin) / 2;
    return descend(2 * node, begin, middle, ranks, low, visit) && descend(2 * node + 1, middle, end, ranks, low, visit);
  }

  std::size_t leaves_ = 1;
  std::vector<std::int64_t> highest_;
};

/// How many live values are below a rank; used only to count what is no longer listed.
class RankCounter {
 public:
  explicit RankCounter(std::size_t count) : sums_(count + 1, 0) {}
  void add(std::size_t rank, std::int64_t change) {
    for (std::size_t at = rank + 1; at < sums_.size(); at += at & (~at + 1)) sums_[at] += change;
  }
  std::int64_t below(std::size_t rank) const {
    std::int64_t sum = 0;
    for (std::size_t at = rank; at > 0; at -= at & (~at + 1)) sum += sums_[at];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

/// Lists and counts the collisions among the areas of one space.
class CollisionSweep {
 public:
  CollisionSweep(std::vector<Area> areas, CheckReport& report)
      : areas_(std::move(areas)), report_(report), live_(areas_.size()) {
    std::sort(areas_.begin(), areas_.end(),
              [](const Area& a, const Area& b) { return a.low != b.low ? a.low < b.low : a.buffer < b.buffer; });
  }

  void run() {
    sweep_time(
        areas_,
        [this](std::uint32_t rank) {
          meet(rank);
          enter(rank);
          return true;
        },
        [this](std::uint32_t rank) { leave(rank); });
  }

 private:
  bool counting() const { return !ends_.empty(); }

  void enter(std::uint32_t rank) {
    live_.insert(rank, areas_[rank].high);
    is_live_.resize(areas_.size(), false);
    is_live_[rank] = true;
    if (counting()) change_count(rank, 1);
  }

  void leave(std::uint32_t rank) {
    live_.erase(rank);
    is_live_[rank] = false;
    if (counting()) change_count(rank, -1);
  }

  /// Lists what the newcomer collides with while there is room in the list, and counts the rest.
  void meet(std::uint32_t newcomer) {
    const Area& area = areas_[newcomer];
    if (report_.issues.size() >= CheckReport::kListed) {
      start_counting();
      report_.count += count_overlapping(area);
      return;
    }
    bool complete = true;
    live_.overlapping(first_rank_at(area.high), area.low, [&](std::size_t rank) {
      if (report_.issues.size() >= CheckReport::kListed) {
        complete = false;
        return false;
      }
      const Area& other = areas_[rank];
      add(report_,
          Issue{IssueKind::kCollision, std::min(area.buffer, other.buffer), std::max(area.buffer, other.buffer),
                std::max(area.start, other.start), std::min(area.end, other.end), std::max(area.low, other.low),
                std::min(area.high, other.high)});
      ++listed_of_newcomer_;
      return true;
    });
    if (!complete) {
      start_counting();
      report_.count += count_overlapping(area) - listed_of_newcomer_;
    }
    listed_of_newcomer_ = 0;
  }

  std::size_t first_rank_at(std::int64_t low) const {
    const auto found = std::lower_bound(areas_.begin(), areas_.end(), low,
                                        [](const Area& area, std::int64_t value) { return area.low < value; });
    return static_cast<std::size_t>(found - areas_.begin());
  }

  void start_counting() {
    if (counting()) return;
    for (const Area& area : areas_) ends_.push_back(area.high);
    std::sort(ends_.begin(), ends_.end());
    by_low_ = RankCounter(areas_.size());
    by_high_ = RankCounter(areas_.size());
    is_live_.resize(areas_.size(), false);
    for (std::uint32_t rank = 0; rank < areas_.size(); ++rank) {
      if (is_live_[rank]) change_count(rank, 1);
    }
  }

  void change_count(std::uint32_t rank, std::int64_t change) {
    by_low_.add(rank, change);
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), areas_[rank].high);
    by_high_.add(static_cast<std::size_t>(at - ends_.begin()), change);
  }

  /// Live areas that start below `area.high` less those that end at or below `area.low`.
  std::uint64_t count_overlapping(const Area& area) const {
    const auto ended = std::upper_bound(ends_.begin(), ends_.end(), area.low);
    return static_cast<std::uint64_t>(by_low_.below(first_rank_at(area.high)) -
                                      by_high_.below(static_cast<std::size_t>(ended - ends_.begin())));
  }

  std::vector<Area> areas_;  // by rising low: an index here is a rank
  CheckReport& report_;
  LiveAreas live_;
  std::vector<bool> is_live_;
  std::uint64_t listed_of_newcomer_ = 0;
  std::vector<std::int64_t> ends_;  // all highs, sorted; empty until counting begins
  RankCounter by_low_{0};
  RankCounter by_high_{0};
};

/// The rules that concern one buffer alone. True when its place can be compared with others.
bool check_place(const Problem& problem, BufferIndex i, std::int64_t offset, CheckReport& report) {
  const Buffer& buffer = problem[i];
  Issue issue;
  issue.first = i;
  issue.time_low = buffer.start;
  issue.time_high = buffer.end;
  const auto report_kind = [&](IssueKind kind) {
    issue.kind = kind;
    add(report, issue);
  };
  if (offset == kNoOffset) {
    report_kind(IssueKind::kMissingOffset);
    return false;
  }
  issue.byte_low = offset;
  issue.byte_high = checked_add(offset, buffer.size).value_or(kMaxInt64);
  if (buffer.is_fixed() && offset != buffer.fixed) report_kind(IssueKind::kMoved);
  if (!checked_add(offset, buffer.size)) {
    report_kind(IssueKind::kOverflow);
    return false;
  }
  if (offset < 0) report_kind(IssueKind::kNegativeOffset);
  if (!problem.grid(i).holds(offset)) report_kind(IssueKind::kMisaligned);
  const auto capacity = problem.capacity(buffer.space);
  if (capacity && buffer.takes_memory() && issue.byte_high > *capacity) report_kind(IssueKind::kOverCapacity);
  return true;
}

/// Collisions where lifetimes alone do not decide: every pair in conflict is compared. O(pairs in conflict).
void compare_pairs(const Problem& problem, const std::vector<std::vector<Area>>& areas, CheckReport& report) {
  std::vector<std::vector<Area>> of_buffer(problem.size());
  for (const std::vector<Area>& of_space : areas) {
    for (const Area& area : of_space) of_buffer[area.buffer].push_back(area);
  }
  const bool in_time = problem.needs().only_lifetimes();
  for_each_conflict(problem, [&](BufferIndex a, BufferIndex b) {
    for (const Area& x : of_buffer[a]) {
      for (const Area& y : of_buffer[b]) {
        const bool meet = !in_time && (problem.has_edge(a, b) || (problem.clock(a) && problem.clock(b)));
        if (!meet && !(x.start < y.end && y.start < x.end)) continue;
        if (!(x.low < y.high && y.low < x.high)) continue;
        Issue issue{
            IssueKind::kCollision,   a, b, std::max(x.start, y.start), std::min(x.end, y.end), std::max(x.low, y.low),
            std::min(x.high, y.high)};
        if (issue.time_low > issue.time_high) std::swap(issue.time_low, issue.time_high);  // they meet by an edge only
        add(report, issue);
      }
    }
  });
}

/// Tied buffers lie at their distances from each other.
void check_ties(const Problem& problem, const Plan& plan, CheckReport& report) {
  for (const Body& body : problem.bodies().all()) {
    const Body::Member& anchor = body.members.front();
    if (anchor.buffer >= plan.offsets.size() || plan.offsets[anchor.buffer] == kNoOffset) continue;
    for (const Body::Member& member : body.members) {
      if (member.buffer >= plan.offsets.size() || plan.offsets[member.buffer] == kNoOffset) continue;
      const std::int64_t offset = plan.offsets[member.buffer];
      const Int128 expected = Int128{plan.offsets[anchor.buffer]} - anchor.relative + member.relative;
      if (expected == offset) continue;
      Issue issue;
      issue.kind = IssueKind::kMoved;
      issue.first = member.buffer;
      issue.second = anchor.buffer;
      issue.time_low = problem[member.buffer].start;
      issue.time_high = problem[member.buffer].end;
      issue.byte_low = offset;
      issue.byte_high = checked_add(offset, problem[member.buffer].size).value_or(kMaxInt64);
      add(report, issue);
    }
  }
}

/// What a placed buffer occupies: its pieces, or its slices where the plan says which begins when.
template <typename Visit>
void for_each_area(const Problem& problem, const Plan& plan, BufferIndex i, Visit&& visit) {
  const std::int64_t offset = plan.offsets[i];
  const auto starts = plan.slices.find(i);
  const Details* details = problem.details(i);
  if (starts == plan.slices.end() || details == nullptr || starts->second.size() != details->slices.size()) {
    for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
      visit(Area{piece.start, piece.end, offset + piece.low, offset + piece.high, i});
    });
    return;
  }
  std::int64_t low = offset;
  for (std::size_t k = 0; k < details->slices.size(); ++k) {
    const std::int64_t high = low + details->slices[k].size;
    if (low < high && starts->second[k] < problem[i].end) visit(Area{starts->second[k], problem[i].end, low, high, i});
    low = high;
  }
}

std::string quoted(const Problem& problem, BufferIndex i) {
  return printable_utf8(problem.id(i));
}

}  // namespace

std::string_view name_of(IssueKind kind) {
  switch (kind) {
    case IssueKind::kCollision:
      return "collision";
    case IssueKind::kMisaligned:
      return "misaligned";
    case IssueKind::kOverCapacity:
      return "over-capacity";
    case IssueKind::kMoved:
      return "moved";
    case IssueKind::kNegativeOffset:
      return "negative-offset";
    case IssueKind::kOverflow:
      return "overflow";
    case IssueKind::kMissingOffset:
      return "missing-offset";
    case IssueKind::kWrongMakespan:
      return "wrong-makespan";
  }
  return "";
}

std::string describe(const Issue& issue, const Problem& problem) {
  if (issue.kind == IssueKind::kWrongMakespan) {
    return fmt::format("the plan claims makespan {}, but it is {}", issue.byte_low, issue.byte_high);
  }
  const Buffer& buffer = problem[issue.first];
  const std::string name = quoted(problem, issue.first);
  switch (issue.kind) {
    case IssueKind::kCollision:
      return fmt::format("{} and {} collide in time [{}, {}) at bytes [{}, {})", name, quoted(problem, issue.second),
                         issue.time_low, issue.time_high, issue.byte_low, issue.byte_high);
    case IssueKind::kMisaligned:
      return fmt::format("{} at offset {} is not aligned to {}", name, issue.byte_low, buffer.alignment);
    case IssueKind::kOverCapacity: {
      const std::int64_t capacity = problem.capacity(buffer.space).value_or(kMaxInt64);
      return fmt::format("{} ends at {}, {} bytes above the capacity {}", name, issue.byte_high,
                         issue.byte_high - capacity, capacity);
    }
    case IssueKind::kMoved:
      if (issue.second != kNoBuffer) {
        return fmt::format("{} at offset {} does not lie where it is tied to {}", name, issue.byte_low,
                           quoted(problem, issue.second));
      }
      return fmt::format("{} is fixed at offset {}, but the plan has it at {}", name, buffer.fixed, issue.byte_low);
    case IssueKind::kNegativeOffset:
      return fmt::format("{} has the negative offset {}", name, issue.byte_low);
    case IssueKind::kOverflow:
      return fmt::format("{} at offset {} with size {} ends above 2^63-1", name, issue.byte_low, buffer.size);
    case IssueKind::kMissingOffset:
      return fmt::format("{} has no offset", name);
    case IssueKind::kWrongMakespan:
      break;
  }
  return {};
}

CheckReport check_plan(const Problem& problem, const Plan& plan) {
  if (problem.needs().candidates && plan.spaces.size() == problem.size()) {
    Plan placed = plan;
    placed.spaces.clear();
    return check_plan(make_problem(in_spaces(problem, plan.spaces)).value(), placed);
  }
  CheckReport report;
  std::vector<std::vector<Area>> areas(problem.spaces().size());
  std::int64_t makespan = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::int64_t offset = i < plan.offsets.size() ? plan.offsets[i] : kNoOffset;
    if (!check_place(problem, i, offset, report)) continue;
    const Buffer& buffer = problem[i];
    if (buffer.takes_memory()) makespan = std::max(makespan, offset + buffer.size);
    for_each_area(problem, plan, i, [&](const Area& area) { areas[buffer.space].push_back(area); });
  }
  if (plan.claimed_makespan && *plan.claimed_makespan != makespan) {
    Issue issue;
    issue.kind = IssueKind::kWrongMakespan;
    issue.byte_low = *plan.claimed_makespan;
    issue.byte_high = makespan;
    add(report, issue);
  }
  check_ties(problem, plan, report);
  if (!problem.needs().only_lifetimes() || !problem.needs().only_single_buffers()) {
    compare_pairs(problem, areas, report);
    return report;
  }
  for (std::vector<Area>& of_space : areas) {
    if (any_collision(of_space)) CollisionSweep(std::move(of_space), report).run();
  }
  return report;
}

}  // namespace stowage
