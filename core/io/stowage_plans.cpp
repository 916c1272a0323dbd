#include "core/io/stowage_plans.h"

#include <string>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

using json::Elements;
using json::Fields;
using json::Kind;
using json::Members;
using json::Path;
using json::Value;

void read_params(Value object, Plan& plan) {
  Members members(object);
  while (const auto member = members.next()) {
    const bool is_text = member->value.kind() == Kind::kString;
    const std::string value = is_text ? json::decode(member->value) : std::string(member->value.text);
    plan.params[printable_utf8(member->key)] = printable_utf8(value);
  }
}

}  // namespace

template <typename Set>
void PlanReader::by_buffer(Value value, const Path& path, std::string_view what, Set&& set) {
  if (value.kind() == Kind::kObject) {
    std::vector<bool> given(input_.buffers.size(), false);
    Members members(value);
    while (const auto member = members.next()) {
      const Path place{&path, member->key, {}};
      const BufferIndex row = references_.find(member->key, member->value, place);
      if (row == kNoBuffer) continue;
      if (given[row]) source_.warn(member->value, place, "duplicate key; the last one counts");
      given[row] = true;
      set(row, member->value, place);
    }
    return;
  }
  if (value.kind() != Kind::kArray) {
    return source_.complain(value, path,
                            fmt::format("expected an object or an array, found {}", name_of(value.kind())));
  }
  Path place{&path, "", 0};
  Elements elements(value);
  std::size_t row = 0;
  for (auto element = elements.next(); element && source_.goes_on(*element);
       element = elements.next(), ++*place.index) {
    // Rows that were left out still count in the list.
    while (row < numbers_.size() && numbers_[row] < *place.index) ++row;
    if (row < numbers_.size() && numbers_[row] == *place.index) set(static_cast<BufferIndex>(row), *element, place);
  }
  if (*place.index != count_) {
    source_.complain(value, path, fmt::format("{} {} for {} buffers", *place.index, what, count_));
  }
}

std::vector<Plan> PlanReader::read(Value array, const Path& path) {
  std::vector<Plan> plans;
  std::unordered_set<std::string> ids;
  Path element{&path, "", 0};
  Elements elements(array);
  for (; const auto value = elements.next(); ++*element.index) {
    if (value->kind() != Kind::kObject) {
      source_.complain(*value, element, fmt::format("expected an object, found {}", name_of(value->kind())));
      continue;
    }
    Fields fields(source_, *value, element);
    Plan plan;
    plan.id = fields.text("id").value_or(fmt::format("p{}", *element.index + 1));
    if (!ids.insert(plan.id).second) fields.complain("id", fmt::format("there are two plans \"{}\"", shown(plan.id)));
    read_plan(fields, element, plan);
    if (fields.sound()) plans.push_back(std::move(plan));
  }
  return plans;
}

void PlanReader::read_plan(Fields& fields, const Path& path, Plan& plan) {
  plan.allocator = fields.text("allocator").value_or("file");
  plan.seed = fields.natural("seed").value_or(0);
  plan.claimed_makespan = fields.integer("claimed_makespan", true);
  if (const auto params = fields.of_kind("params", Kind::kObject)) read_params(*params, plan);
  if (const auto objects = fields.of_kind("objects", Kind::kObject)) {
    read_objects(*objects, Path{&path, "objects", {}}, plan);
  }
  plan.offsets.assign(input_.buffers.size(), kNoOffset);
  if (const auto offsets = fields.take("offsets")) {
    by_buffer(*offsets, Path{&path, "offsets", {}}, "offsets", [&](BufferIndex row, Value value, const Path& place) {
      if (value.kind() == Kind::kNull) return;
      const auto offset = json::to_int64(value);
      if (!offset) source_.complain(value, place, json::describe_bad_integer(value));
      if (offset && *offset == kNoOffset) source_.complain(value, place, "this is no address");
      plan.offsets[row] = offset.value_or(kNoOffset);
    });
  } else if (!plan.objects) {
    fields.complain("offsets", "is missing");
  }
  if (const auto spaces = fields.take("spaces")) {
    for (const Buffer& buffer : input_.buffers) plan.spaces.push_back(buffer.space);
    by_buffer(*spaces, Path{&path, "spaces", {}}, "spaces", [&](BufferIndex row, Value value, const Path& place) {
      const std::string id = value.kind() == Kind::kString ? json::decode(value) : std::string();
      for (std::size_t k = 0; k < input_.spaces.size(); ++k) {
        if (input_.spaces[k].id != id) continue;
        plan.spaces[row] = static_cast<std::uint16_t>(k);
        return;
      }
      source_.complain(value, place, fmt::format("there is no space {}", shown(value.text)));
    });
  }
  if (const auto slices = fields.take("slices")) {
    read_slices(*slices, Path{&path, "slices", {}}, plan);
  }
  plan.extra = fields.extra("plans");
}

/// {"sizes": [bytes...], "of": numbers by buffer, "inner": offsets by buffer?}
void PlanReader::read_objects(Value object, const Path& path, Plan& plan) {
  Fields fields(source_, object, path);
  Objects objects;
  if (const auto sizes = fields.of_kind("sizes", Kind::kArray)) {
    Elements elements(*sizes);
    Int128 total = 0;
    while (const auto value = elements.next()) {
      const auto size = json::to_int64(*value);
      if (!size || *size < 0) return fields.complain("sizes", "expected sizes in bytes, 0 or more");
      objects.sizes.push_back(*size);
      total += *size;
    }
    if (total > kMaxInt64) return fields.complain("sizes", "the sum of all sizes is above 2^63-1");
  }
  objects.object_of.assign(input_.buffers.size(), Objects::kNone);
  const auto of = fields.take("of");
  if (!of) return fields.complain("of", "is missing");
  by_buffer(*of, Path{&path, "of", {}}, "objects", [&](BufferIndex row, Value value, const Path& place) {
    if (value.kind() == Kind::kNull) return;
    const auto number = json::to_uint64(value);
    if (!number || *number >= objects.sizes.size()) {
      return source_.complain(value, place, fmt::format("there is no object {}", shown(value.text)));
    }
    objects.object_of[row] = static_cast<std::uint32_t>(*number);
  });
  if (const auto inner = fields.take("inner")) {
    objects.inner.assign(input_.buffers.size(), 0);
    by_buffer(*inner, Path{&path, "inner", {}}, "inner offsets", [&](BufferIndex row, Value value, const Path& place) {
      const auto offset = json::to_int64(value);
      if (!offset || *offset < 0) return source_.complain(value, place, "expected an offset, 0 or more");
      objects.inner[row] = *offset;
    });
  }
  if (!fields.extra("objects").empty()) source_.warn(object, path, "unknown keys of objects are left out");
  plan.objects = std::move(objects);
}

void PlanReader::read_slices(Value slices, const Path& path, Plan& plan) {
  by_buffer(slices, path, "lists of slices", [&](BufferIndex row, Value value, const Path& place) {
    if (value.kind() == Kind::kNull) return;
    if (value.kind() != Kind::kArray) return source_.complain(value, place, "expected the start times of the slices");
    std::vector<std::int64_t>& starts = plan.slices[row];
    Elements elements(value);
    while (const auto time = elements.next()) {
      const auto start = json::to_int64(*time);
      if (!start) return source_.complain(*time, place, json::describe_bad_integer(*time));
      starts.push_back(*start);
    }
  });
}

}  // namespace stowage
