#include "core/explain/graph_search.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr std::int64_t kFar = kMaxInt64;     // beyond any difference of offsets
constexpr std::size_t kMostMoves = 200'000;  // of bounds in one state: cycles on odd grids converge slowly

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return checked_add(a, b).value_or(b > 0 ? kMaxInt64 : kMinInt64);
}
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return checked_sub(a, b).value_or(b < 0 ? kMaxInt64 : kMinInt64);
}

/// The largest allowed offset that is at most x.
std::int64_t down(const Grid& grid, std::int64_t x) {
  const std::int64_t rest = x % grid.step - grid.phase % grid.step;
  return minus(x, rest < 0 ? rest + grid.step : rest);
}

}  // namespace

GraphSearch::GraphSearch(const Problem& problem, std::span<const std::vector<Overlap>> overlaps,
                         std::span<const AskedBuffer> buffers, std::int64_t capacity)
    : problem_(problem), capacity_(capacity) {
  add_units(buffers);
  add_pairs(overlaps, buffers);
}

void GraphSearch::add_units(std::span<const AskedBuffer> buffers) {
  std::map<std::uint32_t, std::uint32_t> unit_of_body;
  for (const AskedBuffer& asked : buffers) {
    const BufferIndex i = asked.buffer;
    const std::uint32_t body = problem_.bodies().of(i);
    const std::int64_t relative = problem_.bodies().relative(i);
    auto unit = static_cast<std::uint32_t>(units_.size());
    if (body != Bodies::kNone) unit = unit_of_body.emplace(body, unit).first->second;
    if (unit == units_.size()) {
      Unit fresh;
      fresh.low = relative;
      fresh.grid = body == Bodies::kNone ? problem_.grid(i) : problem_.bodies()[body].grid;
      units_.push_back(fresh);
    }
    Unit& is = units_[unit];
    is.low = std::min(is.low, relative);
    is.high = std::max(is.high, relative + asked.size);
    if (problem_[i].is_fixed()) is.fixed = problem_[i].fixed - relative;
    unit_of_.push_back(unit);
    relative_.push_back(relative);
  }
}

void GraphSearch::add_pairs(std::span<const std::vector<Overlap>> overlaps, std::span<const AskedBuffer> buffers) {
  std::vector<std::uint32_t> place(problem_.size(), kNoBuffer);  // by buffer of the problem
  for (std::size_t k = 0; k < buffers.size(); ++k) place[buffers[k].buffer] = static_cast<std::uint32_t>(k);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Range>> excluded;  // open ones
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    for (const Overlap& overlap : overlaps[buffers[a].buffer]) {
      const std::uint32_t b = place[overlap.other];
      if (b == kNoBuffer || unit_of_[a] >= unit_of_[b]) continue;
      // The same conflict the other way round.
      const std::vector<Overlap>& back = overlaps[overlap.other];
      const auto reverse = std::lower_bound(back.begin(), back.end(), buffers[a].buffer,
                                            [](const Overlap& o, BufferIndex i) { return o.other < i; });
      const std::int64_t a_below = std::min(overlap.effective_size, buffers[a].size);
      const std::int64_t b_below = std::min(reverse->effective_size, buffers[b].size);
      const std::int64_t shift = relative_[a] - relative_[b];
      if (-b_below < a_below) excluded[{unit_of_[a], unit_of_[b]}].push_back({shift - b_below, shift + a_below});
    }
  }
  pairs_of_.resize(units_.size());
  for (auto& [units, ranges] : excluded) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& x, const Range& y) { return x.low < y.low; });
    Pair pair;
    pair.u = units.first;
    pair.v = units.second;
    std::int64_t from = -kFar;
    for (const Range& range : ranges) {
      if (from <= range.low) pair.allowed.push_back({from, range.low});
      from = std::max(from, range.high);
    }
    pair.allowed.push_back({from, kFar});
    pairs_of_[pair.u].push_back(static_cast<std::uint32_t>(pairs_.size()));
    pairs_of_[pair.v].push_back(static_cast<std::uint32_t>(pairs_.size()));
    pairs_.push_back(std::move(pair));
  }
}

/// False when some unit has no place at all.
bool GraphSearch::set_bounds() {
  lowest_.clear();
  highest_.clear();
  for (const Unit& unit : units_) {
    std::int64_t low = unit.grid.up(-unit.low);
    std::int64_t high = down(unit.grid, capacity_ - unit.high);
    if (unit.fixed != kNoOffset) {
      if (unit.fixed < low || unit.fixed > high) return false;
      low = high = unit.fixed;
    }
    if (low > high) return false;
    lowest_.push_back(low);
    highest_.push_back(high);
  }
  return true;
}

bool GraphSearch::suits(std::uint32_t unit, std::int64_t offset, std::span<const std::int64_t> placed) const {
  return std::all_of(pairs_of_[unit].begin(), pairs_of_[unit].end(), [&](std::uint32_t p) {
    const Pair& pair = pairs_[p];
    const std::uint32_t other = pair.u == unit ? pair.v : pair.u;
    if (placed[other] == kNoOffset) return true;
    const std::int64_t d = pair.u == unit ? minus(placed[other], offset) : minus(offset, placed[other]);
    return std::any_of(pair.allowed.begin(), pair.allowed.end(),
                       [&](const Range& range) { return range.low <= d && d <= range.high; });
  });
}

/// Fills lowest_ with a plan, or leaves it as it is.
bool GraphSearch::place_greedily() {
  std::vector<std::uint32_t> order(units_.size());
  for (std::uint32_t u = 0; u < order.size(); ++u) order[u] = u;
  const auto height = [&](std::uint32_t u) {
    return units_[u].high - units_[u].low;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool a_is_fixed = units_[a].fixed != kNoOffset;
    const bool b_is_fixed = units_[b].fixed != kNoOffset;
    return a_is_fixed != b_is_fixed ? a_is_fixed : height(a) > height(b);
  });
  std::vector<std::int64_t> placed(units_.size(), kNoOffset);
  for (const std::uint32_t unit : order) {
    std::vector<std::int64_t> candidates = {lowest_[unit]};
    for (const std::uint32_t p : pairs_of_[unit]) {
      const Pair& pair = pairs_[p];
      const std::uint32_t other = pair.u == unit ? pair.v : pair.u;
      if (placed[other] == kNoOffset) continue;
      for (const Range& range : pair.allowed) {  // right at the lower end of what is allowed
        const std::int64_t end = pair.u == unit ? -range.high : range.low;
        if (end > -kFar) candidates.push_back(units_[unit].grid.up(plus(placed[other], end)));
      }
    }
    std::sort(candidates.begin(), candidates.end());
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](std::int64_t offset) {
      return lowest_[unit] <= offset && offset <= highest_[unit] && suits(unit, offset, placed);
    });
    if (found == candidates.end()) return false;
    placed[unit] = *found;
  }
  lowest_ = std::move(placed);
  return true;
}

GraphSearch::End GraphSearch::run(std::int64_t nodes, const RunContext& context) {
  if (!set_bounds()) return End::kDoesNotFit;
  if (place_greedily()) return End::kFits;
  return search(nodes, context);
}

std::vector<std::int64_t> GraphSearch::offsets() const {
  std::vector<std::int64_t> offsets;
  for (std::size_t k = 0; k < unit_of_.size(); ++k) offsets.push_back(lowest_[unit_of_[k]] + relative_[k]);
  return offsets;
}

void GraphSearch::touch(std::uint32_t unit) {
  if (is_touched_[unit]) return;
  is_touched_[unit] = true;
  touched_.push_back(unit);
}

bool GraphSearch::raise(std::uint32_t unit, std::int64_t offset) {
  if (offset <= lowest_[unit]) return true;
  offset = units_[unit].grid.up(offset);
  if (offset > highest_[unit]) return false;
  changes_.push_back({Change::What::kLowest, unit, lowest_[unit]});
  lowest_[unit] = offset;
  touch(unit);
  return true;
}

bool GraphSearch::lower(std::uint32_t unit, std::int64_t offset) {
  if (offset >= highest_[unit]) return true;
  offset = down(units_[unit].grid, offset);
  if (offset < lowest_[unit]) return false;
  changes_.push_back({Change::What::kHighest, unit, highest_[unit]});
  highest_[unit] = offset;
  touch(unit);
  return true;
}

void GraphSearch::choose(std::uint32_t pair, int alternative) {
  changes_.push_back({Change::What::kChosen, pair, pairs_[pair].chosen});
  pairs_[pair].chosen = alternative;
  touch(pairs_[pair].u);
}

void GraphSearch::undo(std::size_t changes) {
  while (changes_.size() > changes) {
    const Change& change = changes_.back();
    switch (change.what) {
      case Change::What::kLowest:
        lowest_[change.at] = change.before;
        break;
      case Change::What::kHighest:
        highest_[change.at] = change.before;
        break;
      case Change::What::kChosen:
        pairs_[change.at].chosen = static_cast<int>(change.before);
        break;
    }
    changes_.pop_back();
  }
}

bool GraphSearch::possible(const Pair& pair, const Range& range) const {
  return range.low <= minus(highest_[pair.v], lowest_[pair.u]) &&
         minus(lowest_[pair.v], highest_[pair.u]) <= range.high;
}

/// Takes the alternative of a pair when only one is left, and lets it move the bounds. False: none is left.
bool GraphSearch::settle(std::uint32_t p) {
  Pair& pair = pairs_[p];
  if (pair.chosen < 0) {
    int left = 0;
    int last = -1;
    for (std::size_t k = 0; k < pair.allowed.size(); ++k) {
      if (!possible(pair, pair.allowed[k])) continue;
      ++left;
      last = static_cast<int>(k);
    }
    if (left == 0) return false;
    if (left > 1) return true;
    choose(p, last);
  }
  const Range& range = pair.allowed[static_cast<std::size_t>(pair.chosen)];
  return raise(pair.v, plus(lowest_[pair.u], range.low)) && raise(pair.u, minus(lowest_[pair.v], range.high)) &&
         lower(pair.v, plus(highest_[pair.u], range.high)) && lower(pair.u, minus(highest_[pair.v], range.low));
}

/// Until nothing moves any more. False: this state has no plan.
bool GraphSearch::settle() {
  const std::size_t before = changes_.size();
  bool sound = true;
  while (!touched_.empty()) {
    const std::uint32_t unit = touched_.back();
    touched_.pop_back();
    is_touched_[unit] = false;
    if (sound && changes_.size() - before > kMostMoves) {
      gave_up_ = true;
      sound = false;
    }
    for (std::size_t k = 0; sound && k < pairs_of_[unit].size(); ++k) sound = settle(pairs_of_[unit][k]);
  }
  return sound;
}

/// The undecided pair whose offsets have the least freedom, or -1.
int GraphSearch::next_pair() const {
  int best = -1;
  std::int64_t least = kMaxInt64;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    if (pair.chosen >= 0) continue;
    const auto room = [&](std::uint32_t unit) {
      return minus(highest_[unit], lowest_[unit]) / 2 - (units_[unit].high - units_[unit].low) / 2;
    };
    const std::int64_t freedom = room(pair.u) + room(pair.v);
    if (best >= 0 && freedom >= least) continue;
    best = static_cast<int>(p);
    least = freedom;
  }
  return best;
}

GraphSearch::End GraphSearch::search(std::int64_t nodes, const RunContext& context) {
  struct Branch {
    std::uint32_t pair = 0;
    std::size_t changes = 0;
    bool downwards = false;  // the last alternative first: v goes above u
    std::size_t tried = 0;
  };
  constexpr std::int64_t kLookEvery = 256;  // nodes between two looks at the clock
  std::vector<Branch> branches;
  is_touched_.assign(units_.size(), false);
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) touch(unit);
  bool sound = settle();
  while (true) {
    if (sound) {
      const int pair = next_pair();
      if (pair < 0) return End::kFits;
      const auto p = static_cast<std::uint32_t>(pair);
      branches.push_back({p, changes_.size(), lowest_[pairs_[p].u] <= lowest_[pairs_[p].v], 0});
    }
    while (!branches.empty() && branches.back().tried == pairs_[branches.back().pair].allowed.size()) {
      undo(branches.back().changes);
      branches.pop_back();
    }
    if (branches.empty()) return gave_up_ ? End::kUnknown : End::kDoesNotFit;
    Branch& branch = branches.back();
    undo(branch.changes);
    if (++visited_ > nodes || (visited_ % kLookEvery == 0 && context.should_stop())) return End::kUnknown;
    const Pair& pair = pairs_[branch.pair];
    const std::size_t k = branch.tried++;
    const std::size_t alternative = branch.downwards ? pair.allowed.size() - 1 - k : k;
    sound = possible(pair, pair.allowed[alternative]);
    if (!sound) continue;
    choose(branch.pair, static_cast<int>(alternative));
    sound = settle();
  }
}

}  // namespace stowage
