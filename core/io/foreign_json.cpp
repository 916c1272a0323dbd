#include "core/io/foreign_json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace stowage {
namespace {

/// A document with all of `keys` at its top is of this kind.
struct Shape {
  std::array<std::string_view, 2> keys;  // the second may be empty
  std::string_view kind;
};

constexpr std::array kShapes = {
    Shape{{"lesson", "steps"}, "a lesson"},
};

bool has(const std::vector<std::string>& keys, std::string_view key) {
  return key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::vector<std::string> keys_of(json::Value object) {
  std::vector<std::string> keys;
  json::Members members(object);
  while (auto member = members.next()) keys.push_back(std::move(member->key));
  return keys;
}

}  // namespace

std::string foreign_json_kind(json::Value root) {
  if (root.kind() == json::Kind::kArray) {
    const auto first = json::Elements(root).next();
    if (!first || first->kind() != json::Kind::kObject) return "";
    const auto keys = keys_of(*first);
    if (has(keys, "expected") && (has(keys, "buffers") || has(keys, "graph"))) return "a list of test cases";
    return "";
  }
  if (root.kind() != json::Kind::kObject) return "";
  const auto keys = keys_of(root);
  if (has(keys, "format")) return "";
  for (const Shape& shape : kShapes) {
    if (has(keys, shape.keys[0]) && has(keys, shape.keys[1])) return std::string(shape.kind);
  }
  return "";
}

}  // namespace stowage
