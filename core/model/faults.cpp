#include "core/model/faults.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

void check_gaps(const Buffer& buffer, std::span<const Gap> gaps, BufferIndex i, std::vector<Fault>& faults) {
  std::int64_t at = buffer.start;
  for (const Gap& gap : gaps) {
    const std::string range = fmt::format("gap {}-{}", gap.start, gap.end);
    if (gap.start > gap.end) {
      faults.push_back({i, "gaps", fmt::format("{} ends before it starts", range)});
      return;
    }
    if (gap.start < buffer.start || gap.end > buffer.end) {
      faults.push_back(
          {i, "gaps", fmt::format("{} is not inside the lifetime [{}, {})", range, buffer.start, buffer.end)});
      return;
    }
    if (gap.start < at) {
      faults.push_back({i, "gaps", fmt::format("{} overlaps the gap before it or is out of order", range)});
      return;
    }
    if (gap.window && (gap.window->low < 0 || gap.window->low > gap.window->high || gap.window->high > buffer.size)) {
      faults.push_back({i, "gaps",
                        fmt::format("window {}:{} of {} is not inside the {} bytes of the buffer", gap.window->low,
                                    gap.window->high, range, buffer.size)});
    }
    at = gap.end;
  }
}

void check_clock(const Buffer& buffer, const Clock& clock, std::size_t components, BufferIndex i,
                 std::vector<Fault>& faults) {
  if (clock.start.size() != clock.end.size() || clock.start.size() != components) {
    faults.push_back({i, "clock",
                      fmt::format("the clock has {} and {} components, others have {}", clock.start.size(),
                                  clock.end.size(), components)});
    return;
  }
  for (std::size_t k = 0; k < components; ++k) {
    if (clock.start[k] <= clock.end[k]) continue;
    faults.push_back(
        {i, "clock", fmt::format("component {} ends at {}, before it starts at {}", k, clock.end[k], clock.start[k])});
    return;
  }
  if (buffer.start <= buffer.end && (clock.start == clock.end) != (buffer.start == buffer.end)) {
    faults.push_back({i, "clock", "the clock says otherwise than the lifetime whether the buffer ever lives"});
  }
}

void check_details(const ProblemInput& input, BufferIndex i, std::vector<Fault>& faults) {
  const Buffer& buffer = input.buffers[i];
  const Details& details = input.details[buffer.details];
  if (buffer.start <= buffer.end) check_gaps(buffer, details.gaps, i, faults);
  for (const std::uint16_t space : details.candidates) {
    if (space >= input.spaces.size()) faults.push_back({i, "candidates", "unknown space"});
  }
  if (details.slices.empty()) return;
  Int128 sum = 0;
  for (const Slice& slice : details.slices) {
    sum += slice.size;
    if (slice.size < 0 || slice.start < buffer.start || slice.start > buffer.end) {
      faults.push_back(
          {i, "slices",
           fmt::format("a slice of {} bytes from {} on is not inside the buffer", slice.size, slice.start)});
      return;
    }
  }
  if (sum != buffer.size) faults.push_back({i, "slices", "the slices do not add up to the size"});
}

void check_buffer(const ProblemInput& input, BufferIndex i, std::vector<Fault>& faults) {
  const Buffer& buffer = input.buffers[i];
  if (buffer.start > buffer.end) {
    faults.push_back(
        {i, "upper", fmt::format("lifetime ends at {}, before it starts at {}", buffer.end, buffer.start)});
  } else if (!checked_sub(buffer.end, buffer.start)) {
    faults.push_back({i, "upper", "the length of the lifetime is above 2^63-1"});
  }
  if (buffer.size < 0) faults.push_back({i, "size", fmt::format("size {} is negative", buffer.size)});
  if (buffer.alignment < 1) {
    faults.push_back({i, "alignment", fmt::format("alignment {} is below 1", buffer.alignment)});
  }
  if (buffer.is_fixed()) {
    if (buffer.fixed < 0) faults.push_back({i, "fixed", fmt::format("fixed offset {} is negative", buffer.fixed)});
    if (!checked_add(buffer.fixed, std::max<std::int64_t>(buffer.size, 0))) {
      faults.push_back(
          {i, "fixed", fmt::format("fixed offset {} plus size {} is above 2^63-1", buffer.fixed, buffer.size)});
    }
  }
  if (buffer.kind >= input.kinds.size()) faults.push_back({i, "kind", "unknown kind"});
  if (buffer.space >= input.spaces.size()) faults.push_back({i, "space", "unknown space"});
  if (buffer.details != Buffer::kNoDetails) check_details(input, i, faults);
}

/// Sums of sizes are taken everywhere without looking; this is where they are shown to fit.
void check_sum(const ProblemInput& input, std::vector<Fault>& faults) {
  std::int64_t sum = 0;
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    const Buffer& buffer = input.buffers[i];
    if (buffer.size < 0 || buffer.alignment < 1) continue;
    const auto padded =
        checked_add(buffer.size, (buffer.alignment - buffer.size % buffer.alignment) % buffer.alignment);
    const auto next = padded ? checked_add(sum, *padded) : std::nullopt;
    if (!next) {
      faults.push_back({i, "size", "the sum of all sizes, each padded to its alignment, is above 2^63-1"});
      return;
    }
    sum = *next;
  }
}

/// Clocks are of one length: else nobody can say what comes before what.
void check_clocks(const ProblemInput& input, std::vector<Fault>& faults) {
  std::size_t components = 0;
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    const std::uint32_t at = input.buffers[i].details;
    if (at == Buffer::kNoDetails || !input.details[at].clock) continue;
    const Clock& clock = *input.details[at].clock;
    if (components == 0) components = clock.start.size();
    check_clock(input.buffers[i], clock, components, i, faults);
  }
}

/// References between buffers point at buffers; what they mean together, Bodies finds out.
void check_constraints(const ProblemInput& input, std::vector<Fault>& faults) {
  const auto known = [&](BufferIndex i, const char* field) {
    if (i < input.buffers.size()) return true;
    faults.push_back({kNoBuffer, field, "there is no such buffer"});
    return false;
  };
  const Constraints& constraints = input.constraints;
  for (const ConflictEdge& edge : constraints.conflicts) known(edge.a, "conflicts") && known(edge.b, "conflicts");
  for (const std::vector<BufferIndex>& list : constraints.colocations) {
    for (const BufferIndex i : list) known(i, "colocations");
  }
  for (const Alias& alias : constraints.aliases) {
    if (!known(alias.child, "aliases") || !known(alias.parent, "aliases")) continue;
    const auto end = checked_add(alias.offset, input.buffers[alias.child].size);
    if (alias.offset >= 0 && end && *end <= input.buffers[alias.parent].size) continue;
    faults.push_back(
        {alias.child, "aliases",
         fmt::format("{} bytes at offset {} do not lie inside the {} bytes of {}", input.buffers[alias.child].size,
                     alias.offset, input.buffers[alias.parent].size, printable_utf8(input.ids[alias.parent]))});
  }
  for (const Group& group : constraints.groups) {
    if (group.pad < 0) faults.push_back({kNoBuffer, "groups", fmt::format("pad {} is negative", group.pad)});
    for (const BufferIndex i : group.members) known(i, "groups");
  }
}

}  // namespace

std::vector<Fault> find_faults(const ProblemInput& input) {
  std::vector<Fault> faults;
  if (input.buffers.size() >= kNoBuffer || input.buffers.size() != input.ids.size()) {
    faults.push_back({kNoBuffer, "buffers", "more than 2^32-2 buffers, or not one id for each"});
    return faults;
  }
  if (input.capacity && *input.capacity < 0) faults.push_back({kNoBuffer, "capacity", "the capacity is negative"});
  for (const Space& space : input.spaces) {
    if (space.capacity && *space.capacity < 0) {
      faults.push_back({kNoBuffer, "capacity", fmt::format("the capacity of space {} is negative", space.id)});
    }
  }
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) check_buffer(input, i, faults);
  check_sum(input, faults);
  check_clocks(input, faults);
  check_constraints(input, faults);
  return faults;
}

}  // namespace stowage
