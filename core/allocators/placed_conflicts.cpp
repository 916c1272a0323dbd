#include "core/allocators/placed_conflicts.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

PlacedConflicts::PlacedConflicts(const Problem& problem)
    : overlaps_(all_overlaps(problem)), offsets_(problem.size(), kNoOffset) {}

void PlacedConflicts::clear() {
  std::fill(offsets_.begin(), offsets_.end(), kNoOffset);
}

std::span<const BufferIndex> PlacedConflicts::by_address(BufferIndex i) {
  found_.clear();
  for (const Overlap& overlap : overlaps_[i]) {
    if (is_placed(overlap.other)) found_.push_back(overlap.other);
  }
  std::sort(found_.begin(), found_.end(), [this](BufferIndex a, BufferIndex b) {
    return offsets_[a] != offsets_[b] ? offsets_[a] < offsets_[b] : a < b;
  });
  return found_;
}

std::int64_t add_up_to_max(std::int64_t a, std::int64_t b) {
  return checked_add(a, b).value_or(kMaxInt64);
}

tl::unexpected<Error> ends_too_high(const Problem& problem, BufferIndex i) {
  return fail(Error::Kind::kRefused, fmt::format("{} would end above 2^63-1", printable_utf8(problem.id(i))));
}

void say_blocked(const RunContext& context, BufferIndex buffer, BufferIndex blocker, std::int64_t at,
                 std::int64_t blocker_offset, std::int64_t needed) {
  if (!context.records()) return;
  const std::int64_t free = std::max<std::int64_t>(0, blocker_offset - at);
  if (free < needed) context.say(Step{step::Reject{buffer, blocker, at, free, needed}, {}});
}

void say_plan(const RunContext& context, std::span<const std::int64_t> offsets, std::string_view why) {
  if (!context.records()) return;
  for (BufferIndex i = 0; i < offsets.size(); ++i) {
    if (offsets[i] != kNoOffset) context.say(Step{step::Place{i, offsets[i]}, std::string(why)});
  }
}

}  // namespace stowage
