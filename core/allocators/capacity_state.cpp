#include "core/allocators/capacity_state.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/allocators/tells.h"

namespace stowage {
namespace {

std::size_t at(std::int32_t section) {
  return static_cast<std::size_t>(section);
}

}  // namespace

CapacityState::CapacityState(const Problem& problem, const SearchRules& rules)
    : problem_(problem), rules_(rules), tables_(problem) {
  witness_.assign(problem.sections().count(), kNoBuffer);
  affected_.assign(problem.sections().count() / 64 + 1, 0);
}

void CapacityState::reset(std::uint16_t space, std::int64_t capacity, const RunContext& context) {
  context_ = &context;
  capacity_ = capacity;
  take_back(0, "the search begins anew");
  const std::size_t count = problem_.size();
  offset_.assign(count, kNoOffset);
  lowest_.assign(count, kPlaced);
  top_.assign(count, kPlaced);
  floor_.assign(problem_.sections().count(), 0);
  waiting_.assign(problem_.sections().count(), 0);
  cuts_ = tables_.cuts;
  for (BufferIndex i = 0; i < count; ++i) {
    if (problem_[i].space != space) continue;
    set_lowest(i, problem_[i].is_fixed() ? problem_[i].fixed : tables_.grids[i].up(0));
    for (const Span& span : tables_.spans[i]) {
      for (std::int32_t s = span.first; s < span.last; ++s) waiting_[at(s)] += span.high - span.low;
    }
  }
}

void CapacityState::set_lowest(BufferIndex buffer, std::int64_t lowest) {
  lowest_[buffer] = std::min(lowest, kPlaced - 1);
  top_[buffer] = checked_add(lowest_[buffer], tables_.sizes[buffer]).value_or(kPlaced);
}

bool CapacityState::place(BufferIndex buffer, std::int64_t offset) {
  placements_.push_back({buffer, false, floors_.size(), raised_.size()});
  offset_[buffer] = offset;
  lowest_[buffer] = kPlaced;
  top_[buffer] = kPlaced;
  if (tells(*context_)) context_->say(Step{step::Place{buffer, offset}, "the lowest offset it can have"});
  if (stand_on(buffer, offset) && raise_overlaps(buffer, offset) && raise_floors(placements_.back().raised)) {
    return true;
  }
  take_back(placements_.size() - 1, "what waits would no longer fit");
  return false;
}

/// The sections of the buffer get its upper edge as their floor.
bool CapacityState::stand_on(BufferIndex buffer, std::int64_t offset) {
  bool fits = true;
  for (const Span& span : tables_.spans[buffer]) {
    // Beyond the capacity the floor may be beyond int64, and nobody will look at it.
    const bool inside = span.high <= capacity_ - offset;
    const std::int64_t floor = inside ? offset + span.high : kPlaced;
    for (std::int32_t s = span.first; s < span.last; ++s) {
      floors_.push_back({s, floor_[at(s)]});
      floor_[at(s)] = floor;
      waiting_[at(s)] -= span.high - span.low;
      if (fits && !has_room(s)) fits = false;
    }
  }
  return fits;
}

/// What still waits in the section fits between its floor and the capacity.
bool CapacityState::has_room(std::int32_t section) const {
  const std::int64_t needed = rules_.section_inference ? waiting_[at(section)] : 0;
  const std::int64_t free = capacity_ - floor_[at(section)];
  if (needed <= free) return true;
  if (tells(*context_)) {
    const Section& times = problem_.sections()[at(section)];
    context_->say(Step{step::Note{fmt::format("between {} and {} the capacity is too small: {} bytes free, {} needed",
                                              times.start, times.end, std::max<std::int64_t>(free, 0), needed)},
                       "everything that waits there must lie above what is placed"});
  }
  return false;
}

/// What waits and conflicts with the buffer must from now on lie above it.
bool CapacityState::raise_overlaps(BufferIndex buffer, std::int64_t offset) {
  for (const Overlap& overlap : tables_.overlaps[buffer]) {
    const BufferIndex other = overlap.other;
    const std::int64_t above = offset + overlap.effective_size;
    if (lowest_[other] >= above) continue;  // so is every placed one
    raised_.push_back({other, lowest_[other]});
    set_lowest(other, tables_.grids[other].up(above));
    const std::int64_t fixed = problem_[other].fixed;
    if (fixed == kNoOffset || lowest_[other] <= fixed) continue;
    if (tells(*context_)) {
      const std::int64_t free = std::max<std::int64_t>(0, fixed - offset);
      context_->say(Step{step::Reject{buffer, other, offset, free, free + lowest_[other] - fixed},
                         "the one above it is fixed there"});
    }
    return false;
  }
  return true;
}

/// No floor lies below the lowest waiting buffer of its section; only those sections can have changed in which a
/// buffer was raised.
bool CapacityState::raise_floors(std::size_t first_raised) {
  if (!rules_.unallocated_floor) return true;
  std::size_t first_word = affected_.size();
  std::size_t last_word = 0;
  for (std::size_t k = first_raised; k < raised_.size(); ++k) {
    for (const Span& span : tables_.spans[raised_[k].buffer]) {
      const std::size_t first = at(span.first);
      const std::size_t last = at(span.last) - 1;
      first_word = std::min(first_word, first / 64);
      last_word = std::max(last_word, last / 64);
      const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
      const std::uint64_t to = ~std::uint64_t{0} >> (63 - last % 64);
      if (first / 64 == last / 64) {
        affected_[first / 64] |= from & to;
        continue;
      }
      affected_[first / 64] |= from;
      for (std::size_t w = first / 64 + 1; w < last / 64; ++w) affected_[w] = ~std::uint64_t{0};
      affected_[last / 64] |= to;
    }
  }
  bool fits = true;
  for (std::size_t w = first_word; w <= last_word && w < affected_.size(); ++w) {
    for (std::uint64_t bits = affected_[w]; bits != 0 && fits; bits &= bits - 1) {
      fits = raise_floor(static_cast<std::int32_t>(w * 64) + std::countr_zero(bits));
    }
    affected_[w] = 0;
  }
  return fits;
}

bool CapacityState::raise_floor(std::int32_t section) {
  const std::int64_t floor = floor_[at(section)];
  const BufferIndex known = witness_[at(section)];
  if (known != kNoBuffer && lowest_[known] <= floor) return true;
  std::int64_t lowest = kPlaced;
  for (const BufferIndex i : tables_.active[at(section)]) {
    if (lowest_[i] >= lowest) continue;
    lowest = lowest_[i];
    witness_[at(section)] = i;
    if (lowest <= floor) return true;
  }
  if (lowest == kPlaced) return true;
  floors_.push_back({section, floor});
  floor_[at(section)] = lowest;
  return has_room(section);
}

void CapacityState::take_back(std::size_t placements, const char* why) {
  while (placements_.size() > placements) {
    if (tells(*context_)) context_->say(Step{step::Unplace{placements_.back().buffer}, why});
    undo(placements_.back());
    placements_.pop_back();
  }
}

void CapacityState::undo(const Placement& placement) {
  for (; floors_.size() > placement.floors; floors_.pop_back()) {
    floor_[at(floors_.back().section)] = floors_.back().floor;
  }
  for (; raised_.size() > placement.raised; raised_.pop_back())
    set_lowest(raised_.back().buffer, raised_.back().lowest);
  const BufferIndex buffer = placement.buffer;
  set_lowest(buffer, offset_[buffer]);
  offset_[buffer] = kNoOffset;
  for (const Span& span : tables_.spans[buffer]) {
    for (std::int32_t s = span.first; s < span.last; ++s) waiting_[at(s)] += span.high - span.low;
  }
  if (!placement.cut) return;
  const SectionRange range = problem_.sections().range(buffer);
  for (std::int32_t s = range.first; s + 1 < range.last; ++s) ++cuts_[at(s)];
}

bool CapacityState::has_hat(BufferIndex buffer) const {
  const std::span<const Overlap> overlaps = tables_.overlaps[buffer];
  return std::any_of(overlaps.begin(), overlaps.end(), [&](const Overlap& o) { return waits(o.other); });
}

std::int64_t CapacityState::heaviest(SectionRange sections) const {
  const auto first = waiting_.begin() + sections.first;
  return *std::max_element(first, first + sections.length());
}

std::int64_t CapacityState::heaviest(BufferIndex buffer) const {
  std::int64_t heaviest = 0;
  for (const Span& span : tables_.spans[buffer]) heaviest = std::max(heaviest, this->heaviest({span.first, span.last}));
  return heaviest;
}

}  // namespace stowage
