#include "core/model/problem.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

constexpr std::size_t kMostNames = 0xFFFF;  // kinds and spaces are 16-bit indices

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
  if (buffer.details != Buffer::kNoDetails && buffer.start <= buffer.end) {
    check_gaps(buffer, input.details[buffer.details].gaps, i, faults);
  }
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

std::uint16_t index_of(std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint16_t>(found - names.begin());
  if (names.size() >= kMostNames) return 0;
  names.emplace_back(name);
  return static_cast<std::uint16_t>(names.size() - 1);
}

}  // namespace

void ProblemInput::add(std::string_view id, Buffer buffer) {
  buffers.push_back(buffer);
  ids.push_back(id);
}

void ProblemInput::add(std::string_view id, Buffer buffer, Details with) {
  buffer.details = static_cast<std::uint32_t>(details.size());
  details.push_back(std::move(with));
  add(id, buffer);
}

std::uint16_t ProblemInput::kind_index(std::string_view kind) {
  return index_of(kinds, kind);
}

std::uint16_t ProblemInput::space_index(std::string_view space) {
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    if (spaces[i].id == space) return static_cast<std::uint16_t>(i);
  }
  if (spaces.size() >= kMostNames) return 0;
  spaces.push_back(Space{std::string(space), 0, std::nullopt, {}});
  return static_cast<std::uint16_t>(spaces.size() - 1);
}

const Details* Problem::details(BufferIndex i) const {
  const std::uint32_t at = input_.buffers[i].details;
  return at == Buffer::kNoDetails ? nullptr : &input_.details[at];
}

std::span<const Gap> Problem::gaps(BufferIndex i) const {
  const Details* found = details(i);
  return found == nullptr ? std::span<const Gap>() : std::span<const Gap>(found->gaps);
}

std::optional<std::int64_t> Problem::capacity(std::uint16_t space) const {
  return input_.spaces[space].capacity ? input_.spaces[space].capacity : input_.capacity;
}

Grid Problem::grid(BufferIndex i) const {
  const Buffer& buffer = input_.buffers[i];
  if (buffer.alignment == 1) return Grid{};
  const auto step = static_cast<std::uint64_t>(buffer.alignment);
  const std::uint64_t past = input_.spaces[buffer.space].base % step;
  return Grid{buffer.alignment, static_cast<std::int64_t>((step - past) % step)};
}

tl::expected<Problem, std::vector<Fault>> make_problem(ProblemInput input) {
  std::vector<Fault> faults;
  if (input.buffers.size() >= kNoBuffer || input.buffers.size() != input.ids.size()) {
    faults.push_back({kNoBuffer, "buffers", "more than 2^32-2 buffers, or not one id for each"});
    return tl::unexpected(std::move(faults));
  }
  if (input.spaces.empty()) input.spaces.push_back(Space{"memory", 0, std::nullopt, {}});
  if (input.kinds.empty()) input.kinds.emplace_back();
  if (input.capacity && *input.capacity < 0) faults.push_back({kNoBuffer, "capacity", "the capacity is negative"});
  for (const Space& space : input.spaces) {
    if (space.capacity && *space.capacity < 0) {
      faults.push_back({kNoBuffer, "capacity", fmt::format("the capacity of space {} is negative", space.id)});
    }
  }
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) check_buffer(input, i, faults);
  check_sum(input, faults);
  if (!faults.empty()) return tl::unexpected(std::move(faults));

  Problem problem;
  problem.has_gaps_ =
      std::any_of(input.details.begin(), input.details.end(), [](const Details& d) { return !d.gaps.empty(); });
  problem.has_fixed_ =
      std::any_of(input.buffers.begin(), input.buffers.end(), [](const Buffer& b) { return b.is_fixed(); });
  problem.sections_ = Sections(input);
  problem.input_ = std::move(input);
  return problem;
}

ProblemInput with_capacity(const Problem& problem, std::int64_t capacity) {
  ProblemInput input = problem.input();
  input.capacity = capacity;
  for (Space& space : input.spaces) space.capacity.reset();
  return input;
}

ProblemInput with_min_alignment(const Problem& problem, std::int64_t alignment) {
  ProblemInput input = problem.input();
  for (Buffer& buffer : input.buffers) buffer.alignment = std::max(buffer.alignment, alignment);
  return input;
}

}  // namespace stowage
