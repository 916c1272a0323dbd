#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/csv_gaps.h"
#include "ui/edit_fields.h"

namespace stowage {
namespace {

template <typename Make>
std::vector<Edit> for_each_of(std::span<const BufferIndex> buffers, Make&& make) {
  std::vector<Edit> edits;
  for (const BufferIndex i : buffers) edits.emplace_back(make(i));
  return edits;
}

Result<std::vector<Edit>> lifetime_edits(bool start, std::string_view text, const Problem& problem,
                                         std::span<const BufferIndex> buffers) {
  const auto time = parse_int(text);
  if (!time) return input_error("A whole step, for example 12");
  for (const BufferIndex i : buffers) {
    const Buffer& b = problem[i];
    const std::string name = printable_utf8(problem.id(i));
    if (start && *time > b.end) return input_error(fmt::format("{} ends at {}, before that", name, b.end));
    if (!start && *time < b.start) return input_error(fmt::format("{} starts at {}, after that", name, b.start));
  }
  return for_each_of(buffers, [&](BufferIndex i) {
    return start ? edit::Lifetime{i, *time, problem[i].end} : edit::Lifetime{i, problem[i].start, *time};
  });
}

/// As CSV files write gaps, so that their windows stay: "4-6, 9-11@0:64".
std::string gaps_text(std::span<const Gap> gaps) {
  std::string text;
  for (const Gap& gap : gaps) {
    text += fmt::format("{}{}-{}", text.empty() ? "" : ", ", gap.start, gap.end);
    if (gap.window) text += fmt::format("@{}:{}", gap.window->low, gap.window->high);
  }
  return text;
}

/// Nothing, or one of the words that an empty field shows: of several buffers with different values an empty field
/// changes nothing, a word does.
bool means_nothing(std::string_view text) {
  const std::string word = to_lower(text);
  return word.empty() || word == "none" || word == "free";
}

Result<std::vector<Gap>> parse_gaps(std::string_view text) {
  std::vector<Gap> gaps;
  if (means_nothing(text)) return gaps;
  for (std::string& one : split(text, ',')) {
    std::erase(one, ' ');
    const auto gap = csv::parse_gap(one);
    if (!gap) return input_error(fmt::format("Steps, for example 4-6, 9-11, or nothing; not \"{}\"", one));
    if (gap->start >= gap->end) return input_error(fmt::format("The gap {} is over before it begins", one));
    gaps.push_back(*gap);
  }
  std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.start < b.start; });
  return gaps;
}

}  // namespace

std::string bytes_as_typed(std::int64_t count) {
  std::string with_unit = format_bytes(count);
  return parse_bytes(with_unit) == count ? with_unit : std::to_string(count);
}

std::optional<std::int64_t> parse_address(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return parse_bytes(text);
  text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value > static_cast<std::uint64_t>(kMaxInt64)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string field_text(EditField field, const Problem& problem, BufferIndex buffer) {
  const Buffer& b = problem[buffer];
  switch (field) {
    case EditField::kName:
      return std::string(problem.id(buffer));
    case EditField::kKind:
      return std::string(problem.kind(buffer));
    case EditField::kSize:
      return bytes_as_typed(b.size);
    case EditField::kAlignment:
      return bytes_as_typed(b.alignment);
    case EditField::kStart:
      return std::to_string(b.start);
    case EditField::kEnd:
      return std::to_string(b.end);
    case EditField::kGaps:
      return gaps_text(problem.gaps(buffer));
    case EditField::kFixed:
      return b.is_fixed() ? bytes_as_typed(b.fixed) : std::string();
    case EditField::kHint: {
      const Details* details = problem.details(buffer);
      return details != nullptr && details->hint ? bytes_as_typed(*details->hint) : std::string();
    }
    case EditField::kSpace:
      return problem.spaces()[b.space].id;
  }
  return {};
}

Result<std::vector<Edit>> field_edits(EditField field, std::string_view raw, const Problem& problem,
                                      std::span<const BufferIndex> buffers) {
  const std::string_view text = trim(raw);
  switch (field) {
    case EditField::kName:
      if (text.empty()) return input_error("A buffer needs a name");
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Name{i, std::string(text)}; });
    case EditField::kKind:
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Kind{i, std::string(text)}; });
    case EditField::kSize: {
      const auto size = parse_bytes(text);
      if (!size) return input_error("Bytes, for example 4096, 64 KiB or 1 MiB");
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Size{i, *size}; });
    }
    case EditField::kAlignment: {
      const auto alignment = parse_bytes(text);
      if (!alignment || *alignment < 1) return input_error("Bytes from 1 on, for example 64 or 4 KiB");
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Alignment{i, *alignment}; });
    }
    case EditField::kStart:
      return lifetime_edits(true, text, problem, buffers);
    case EditField::kEnd:
      return lifetime_edits(false, text, problem, buffers);
    case EditField::kGaps: {
      const auto gaps = parse_gaps(text);
      if (!gaps) return tl::unexpected<Error>(gaps.error());
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Gaps{i, *gaps}; });
    }
    case EditField::kFixed:
    case EditField::kHint: {
      const auto offset = parse_address(text);
      if (!offset && !means_nothing(text)) return input_error("An address, for example 64 KiB or 0x1000, or nothing");
      if (field == EditField::kHint) return for_each_of(buffers, [&](BufferIndex i) { return edit::Hint{i, offset}; });
      return for_each_of(buffers, [&](BufferIndex i) { return edit::Pin{i, offset}; });
    }
    case EditField::kSpace:
      if (text.empty()) return input_error("The name of a memory space");
      return for_each_of(buffers, [&](BufferIndex i) { return edit::InSpace{i, std::string(text)}; });
  }
  return std::vector<Edit>{};
}

std::string capacity_text(const Problem& problem, std::uint16_t space) {
  const auto capacity = problem.capacity(space);
  return capacity ? bytes_as_typed(*capacity) : std::string();
}

Result<edit::Capacity> capacity_edit(std::string_view raw, const Problem& problem, std::uint16_t space) {
  const std::string_view text = trim(raw);
  edit::Capacity edit;
  if (problem.spaces().size() > 1) edit.space = space;
  if (means_nothing(text)) return edit;
  edit.bytes = parse_bytes(text);
  if (!edit.bytes) return input_error("Bytes, for example 64 KiB or 1 GiB, or nothing");
  return edit;
}

}  // namespace stowage
