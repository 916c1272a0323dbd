#pragma once

// minimalloc's search written down from its description with plain copies: the oracle of the quick one.

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/allocators/capacity_search.h"
#include "core/model/conflicts.h"

namespace stowage::testing {

class MinimallocRule {
 public:
  enum class End { kFound, kNotFound, kAborted };

  MinimallocRule(const Problem& problem, std::int64_t capacity, const SearchRules& rules)
      : problem_(problem), capacity_(capacity), rules_(rules), overlaps_(all_overlaps(problem)) {
    state_.offsets.assign(problem.size(), kNoOffset);
    state_.floor.assign(problem.sections().count(), 0);
    state_.total.assign(problem.sections().count(), 0);
    state_.cuts = cuts(problem.buffers(), problem.sections());
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      state_.lowest.push_back(problem[i].is_fixed() ? problem[i].fixed : problem.grid(i).up(0));
      each_section(i, [&](std::size_t s, const Span& span) { state_.total[s] += span.high - span.low; });
    }
    offsets.assign(problem.size(), kNoOffset);
  }

  End solve() {
    std::int64_t limit = static_cast<std::int64_t>(problem_.size());
    while (true) {
      limit *= 2;
      for (const std::string& order : rules_.orders) {
        order_ = order;
        left_ = rules_.orders.size() > 1 ? limit : kMaxInt64;
        End end = End::kFound;
        for (const Partition& p : partitions(problem_.buffers(), problem_.sections())) {
          end = solve_part(state_, p.buffers, {p.first, p.last});
          if (end != End::kFound) break;
        }
        if (end != End::kAborted) return end;
      }
    }
  }

  std::vector<std::int64_t> offsets;
  std::int64_t nodes = 0;
  std::int64_t backtracks = 0;

 private:
  struct State {
    std::vector<std::int64_t> offsets, lowest, floor, total;
    std::vector<std::int32_t> cuts;
  };

  template <typename Visit>
  void each_section(BufferIndex i, Visit&& visit) const {
    problem_.sections().for_each_span(problem_[i], i, [&](const Span& span) {
      for (std::int32_t s = span.first; s < span.last; ++s) visit(static_cast<std::size_t>(s), span);
    });
  }

  std::vector<Int128> keys(const State& state, BufferIndex i) const {
    const Buffer& b = problem_[i];
    std::vector<Int128> keys;
    for (const char letter : order_) {
      std::int64_t heaviest = 0;
      each_section(i, [&](std::size_t s, const Span&) { heaviest = std::max(heaviest, state.total[s]); });
      if (letter == 'A') keys.push_back(-Int128{b.size} * b.lifetime());
      if (letter == 'C') keys.push_back(-problem_.sections().range(i).length());
      if (letter == 'L') keys.push_back(-b.start);
      if (letter == 'O') keys.push_back(-static_cast<std::int64_t>(overlaps_[i].size()));
      if (letter == 'T') keys.push_back(-heaviest);
      if (letter == 'U') keys.push_back(-b.end);
      if (letter == 'W') keys.push_back(-b.lifetime());
      if (letter == 'Z') keys.push_back(-b.size);
    }
    keys.push_back(i);
    return keys;
  }

  End solve_part(const State& state, std::vector<BufferIndex> part, SectionRange range) {
    const std::vector<BufferIndex> arrivals = part;
    if (rules_.static_preordering) {
      std::sort(part.begin(), part.end(),
                [&](BufferIndex a, BufferIndex b) { return keys(state, a) < keys(state, b); });
    }
    std::vector<std::size_t> ranks(part.size());
    for (std::size_t k = 0; k < ranks.size(); ++k) ranks[k] = k;
    return search(state, part, arrivals, ranks, range, 0, 0);
  }

  End search(const State& state, const std::vector<BufferIndex>& part, const std::vector<BufferIndex>& arrivals,
             std::vector<std::size_t> order, SectionRange range, std::int64_t low, std::size_t low_rank) {
    if (left_ <= 0) return End::kAborted;
    --left_;
    ++nodes;
    std::erase_if(order, [&](std::size_t k) { return state.offsets[part[k]] != kNoOffset; });
    if (rules_.dynamic_ordering) {
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(state.lowest[part[a]], a) < std::pair(state.lowest[part[b]], b);
      });
    }
    if (order.empty()) return End::kFound;
    std::int64_t lowest_top = kMaxInt64;
    for (const std::size_t k : order) lowest_top = std::min(lowest_top, state.lowest[part[k]] + problem_[part[k]].size);
    for (const std::size_t k : order) {
      const BufferIndex i = part[k];
      const std::int64_t offset = state.lowest[i];
      if (rules_.canonical_only && std::pair(offset, k) < std::pair(low, low_rank)) continue;
      if (rules_.check_dominance && offset >= lowest_top) continue;
      if (problem_[i].is_fixed() && offset > problem_[i].fixed) continue;
      State next = state;
      bool hatless = true;
      End end = End::kNotFound;
      if (place(next, i, offset, range, hatless)) {
        offsets[i] = offset;
        end = go_on(next, part, arrivals, order, range, i, offset, k);
      }
      if (end != End::kNotFound) return end;
      if (hatless && rules_.hatless_pruning) break;
    }
    ++backtracks;
    return End::kNotFound;
  }

  bool place(State& state, BufferIndex i, std::int64_t offset, SectionRange range, bool& hatless) const {
    state.offsets[i] = offset;
    bool pins_fit = true;
    std::vector<bool> affected(state.floor.size(), false);
    for (const Overlap& overlap : overlaps_[i]) {
      const BufferIndex j = overlap.other;
      if (state.offsets[j] != kNoOffset) continue;
      hatless = false;
      if (state.lowest[j] >= offset + overlap.effective_size) continue;
      state.lowest[j] = problem_.grid(j).up(offset + overlap.effective_size);
      pins_fit = pins_fit && (!problem_[j].is_fixed() || state.lowest[j] <= problem_[j].fixed);
      each_section(j, [&](std::size_t s, const Span&) { affected[s] = rules_.unallocated_floor; });
    }
    each_section(i, [&](std::size_t s, const Span& span) {
      state.floor[s] = offset + span.high;
      state.total[s] -= span.high - span.low;
    });
    std::vector<std::int64_t> lowest(state.floor.size(), kMaxInt64);
    for (BufferIndex j = 0; j < problem_.size(); ++j) {
      if (state.offsets[j] != kNoOffset) continue;
      each_section(j, [&](std::size_t s, const Span&) { lowest[s] = std::min(lowest[s], state.lowest[j]); });
    }
    for (std::size_t s = 0; s < affected.size(); ++s) {
      if (affected[s] && lowest[s] != kMaxInt64) state.floor[s] = std::max(state.floor[s], lowest[s]);
    }
    for (auto s = static_cast<std::size_t>(range.first); s < static_cast<std::size_t>(range.last); ++s) {
      std::int64_t needed = rules_.monotonic_floor ? std::max(offset, state.floor[s]) : state.floor[s];
      if (rules_.section_inference) needed += state.total[s];
      if (needed > capacity_) return false;
    }
    return pins_fit;
  }

  End go_on(State& state, const std::vector<BufferIndex>& part, const std::vector<BufferIndex>& arrivals,
            const std::vector<std::size_t>& order, SectionRange range, BufferIndex placed, std::int64_t offset,
            std::size_t rank) {
    std::vector<std::int32_t> ends;
    const SectionRange life = problem_.sections().range(placed);
    for (std::int32_t s = life.first; rules_.dynamic_decomposition && s + 1 < life.last; ++s) {
      if (--state.cuts[static_cast<std::size_t>(s)] == 0) ends.push_back(s + 1);
    }
    if (ends.empty()) return search(state, part, arrivals, order, range, offset, rank);
    ends.push_back(range.last);
    std::int32_t first = range.first;
    for (const std::int32_t last : ends) {
      std::vector<BufferIndex> inside;
      for (const BufferIndex i : arrivals) {
        const bool waits = state.offsets[i] == kNoOffset;
        if (waits && problem_.sections().range(i).overlaps({first, last})) inside.push_back(i);
      }
      if (!inside.empty()) {
        const End end = solve_part(state, inside, {first, last});
        if (end != End::kFound) return end;
      }
      first = last;
    }
    return End::kFound;
  }

  const Problem& problem_;
  std::int64_t capacity_;
  SearchRules rules_;
  std::vector<std::vector<Overlap>> overlaps_;
  State state_;
  std::string order_;
  std::int64_t left_ = 0;
};

}  // namespace stowage::testing
