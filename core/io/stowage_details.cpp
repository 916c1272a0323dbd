#include "core/io/stowage_details.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace stowage {
namespace {

using json::Elements;
using json::Fields;
using json::Kind;
using json::Path;
using json::Value;

/// An array of integers; nothing after a complaint.
std::optional<std::vector<std::int64_t>> read_integers(Fields& fields, std::string_view key, Value array) {
  std::vector<std::int64_t> numbers;
  Elements elements(array);
  while (const auto value = elements.next()) {
    const auto number = json::to_int64(*value);
    if (!number) {
      fields.complain(key, json::describe_bad_integer(*value));
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::int64_t> take_integers(Fields& fields, std::string_view key) {
  const auto array = fields.of_kind(key, Kind::kArray);
  return array ? read_integers(fields, key, *array).value_or(std::vector<std::int64_t>()) : std::vector<std::int64_t>();
}

std::optional<Window> read_window(Fields& fields, Value array) {
  const auto numbers = read_integers(fields, "window", array);
  if (!numbers) return std::nullopt;
  if (numbers->size() != 2) {
    fields.complain("window", "expected two integers [low, high]");
    return std::nullopt;
  }
  return Window{(*numbers)[0], (*numbers)[1]};
}

/// Calls element(fields) for each object of an array; spoils the buffer when one is not sound.
template <typename Element>
void each_object(Fields& buffer, const Path& path, std::string_view key, json::Source& source, Element&& element) {
  const auto array = buffer.of_kind(key, Kind::kArray);
  if (!array) return;
  const Path list{&path, key, {}};
  Path place{&list, "", 0};
  Elements elements(*array);
  for (; const auto value = elements.next(); ++*place.index) {
    if (value->kind() != Kind::kObject) {
      source.complain(*value, place, fmt::format("expected an object, found {}", name_of(value->kind())));
      buffer.spoil();
      continue;
    }
    Fields fields(source, *value, place);
    element(fields);
    if (!fields.extra(key).empty()) source.warn(*value, place, fmt::format("unknown keys of {} are left out", key));
    if (!fields.sound()) buffer.spoil();
  }
}

std::optional<Clock> read_clock(Fields& buffer, const Path& path, json::Source& source) {
  const auto object = buffer.of_kind("clock", Kind::kObject);
  if (!object) return std::nullopt;
  const Path place{&path, "clock", {}};
  Fields fields(source, *object, place);
  Clock clock;
  clock.start = take_integers(fields, "lower");
  clock.end = take_integers(fields, "upper");
  if (!fields.extra("clock").empty()) source.warn(*object, place, "unknown keys of a clock are left out");
  if (fields.sound() && clock.start.empty()) fields.complain("lower", "expected at least one component");
  if (!fields.sound()) buffer.spoil();
  return clock;
}

std::vector<std::uint16_t> read_candidates(Fields& buffer, const DetailsContext& context) {
  std::vector<std::uint16_t> spaces;
  const auto array = buffer.of_kind("candidates", Kind::kArray);
  if (!array) return spaces;
  Elements elements(*array);
  while (const auto value = elements.next()) {
    const auto space = value->kind() == Kind::kString ? context.space(json::decode(*value)) : std::nullopt;
    if (!space) {
      buffer.complain("candidates", fmt::format("there is no space {}", shown(value->text)));
      return {};
    }
    spaces.push_back(*space);
  }
  return spaces;
}

}  // namespace

std::int64_t moved_end(Fields& fields, std::string_view key, std::int64_t end, std::int64_t add) {
  const auto moved = checked_add(end, add);
  if (!moved) fields.complain(key, fmt::format("nothing comes after {} in 64 bits", end));
  return moved.value_or(0);
}

Details read_details(Fields& buffer, const Path& path, const DetailsContext& context) {
  Details details;
  const auto hint = buffer.integer("hint", true);
  if (hint && *hint >= 0) details.hint = hint;
  each_object(buffer, path, "gaps", context.source, [&](Fields& fields) {
    Gap gap;
    gap.start = fields.required_integer("lower");
    gap.end = moved_end(fields, "upper", fields.required_integer("upper"), context.add_to_end);
    if (const auto window = fields.of_kind("window", Kind::kArray)) gap.window = read_window(fields, *window);
    details.gaps.push_back(gap);
  });
  std::stable_sort(details.gaps.begin(), details.gaps.end(),
                   [](const Gap& a, const Gap& b) { return a.start < b.start; });
  each_object(buffer, path, "slices", context.source, [&](Fields& fields) {
    details.slices.push_back({fields.required_integer("size"), fields.required_integer("lower")});
  });
  details.clock = read_clock(buffer, path, context.source);
  details.candidates = read_candidates(buffer, context);
  details.shape = take_integers(buffer, "shape");
  details.requested = buffer.integer("requested", true);
  details.op = buffer.text("op").value_or("");
  details.source = buffer.text("source").value_or("");
  details.open_start = buffer.flag("open_start");
  details.open_end = buffer.flag("open_end");
  details.extra = buffer.extra("buffers");
  return details;
}

}  // namespace stowage
