// Shared objects, heaps and pools.

#include <fmt/format.h>

#include "core/model/metrics.h"
#include "tests/conform/expectations.h"

namespace stowage::conform {
namespace {

Result<const Objects*> objects_of(const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  if (!(*plan)->objects) return input_error("a plan without objects");
  return &*(*plan)->objects;
}

/// The object of each buffer and the sizes of the objects; where sizes have dimensions, these.
Result<json> objects(const json& expected, const Outcome& outcome) {
  const auto found = objects_of(outcome);
  if (!found) return tl::unexpected(found.error());
  json answer = json::object();
  for (const auto& [key, value] : expected.items()) {
    if (value.is_null()) {
      answer[key] = nullptr;
    } else if (key == "ids") {
      answer[key] = (*found)->object_of;
    } else if (key == "sizes" && !value.empty() && value.front().is_array()) {
      answer[key] = (*found)->shapes;
    } else if (key == "sizes") {
      answer[key] = (*found)->sizes;
    } else if (key == "total") {
      answer[key] = (*found)->total();
    } else {
      return fail(Error::Kind::kRefused, fmt::format("unknown key '{}' of objects", key));
    }
  }
  return answer;
}

Result<json> total(const json&, const Outcome& outcome) {
  const auto found = objects_of(outcome);
  if (!found) return tl::unexpected(found.error());
  return (*found)->total();
}

/// A heap of several is an object whose members lie at different offsets inside it.
Result<json> heaps(const json&, const Outcome& outcome) {
  const auto found = objects_of(outcome);
  if (!found) return tl::unexpected(found.error());
  return (*found)->sizes.size();
}

/// Offsets of everything in one heap, by id. `expected` is {"number", "offsets"}.
Result<json> heap(const json& expected, const Outcome& outcome) {
  const auto found = objects_of(outcome);
  if (!found) return tl::unexpected(found.error());
  const auto number = expected.at("number").get<std::uint32_t>();
  if (number >= (*found)->sizes.size()) return input_error(fmt::format("{} heaps", (*found)->sizes.size()));
  json members = json::object();
  for (BufferIndex i = 0; i < outcome.problem().size(); ++i) {
    if ((*found)->object_of[i] != number) continue;
    members[std::string(outcome.problem().id(i))] = (*found)->inner.empty() ? 0 : (*found)->inner[i];
  }
  return json{{"number", number}, {"offsets", members}};
}

/// The lists whose buffers all are in one heap (`wanted`), or are all in different ones.
Result<json> lists(const json& expected, const Outcome& outcome, bool wanted) {
  const auto found = objects_of(outcome);
  if (!found) return tl::unexpected(found.error());
  if (!expected.is_array() || expected.empty()) return fail(Error::Kind::kRefused, "no list of lists of buffers");
  json answer = json::array();
  for (const json& list : expected) {
    if (!list.is_array() || list.size() < 2) return fail(Error::Kind::kRefused, "a list of fewer than two buffers");
    bool as_wanted = true;
    for (std::size_t a = 0; a < list.size(); ++a) {
      for (std::size_t b = a + 1; b < list.size(); ++b) {
        const auto first = buffer_with(outcome, list[a]);
        const auto second = buffer_with(outcome, list[b]);
        if (!first) return tl::unexpected(first.error());
        if (!second) return tl::unexpected(second.error());
        as_wanted = as_wanted && ((*found)->object_of[*first] == (*found)->object_of[*second]) == wanted;
      }
    }
    if (as_wanted) answer.push_back(list);
  }
  return answer;
}

Result<json> together(const json& expected, const Outcome& outcome) {
  return lists(expected, outcome, true);
}

Result<json> apart(const json& expected, const Outcome& outcome) {
  return lists(expected, outcome, false);
}

/// The highest address in each pool named.
Result<json> pool_sizes(const json& expected, const Outcome& outcome) {
  const auto plan = plan_of(outcome);
  if (!plan) return tl::unexpected(plan.error());
  json found = json::object();
  const auto spaces = outcome.problem().spaces();
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    if (!expected.contains(spaces[s].id)) continue;
    found[spaces[s].id] = makespan_of_space(outcome.problem(), **plan, static_cast<std::uint16_t>(s));
  }
  return found;
}

constexpr Expectation kStorageTable[] = {
    {"objects", objects, nullptr},       {"total", total, nullptr},
    {"heaps", heaps, nullptr},           {"heap", heap, nullptr},
    {"together", together, nullptr},     {"apart", apart, nullptr},
    {"pool_sizes", pool_sizes, nullptr},
};

}  // namespace

std::span<const Expectation> storage_expectations() {
  return kStorageTable;
}

}  // namespace stowage::conform
