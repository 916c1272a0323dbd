#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

/// Graphs name tensors by their ids, files need not: what comes again gets a number, "x", "x (2)".
class UniqueIds {
 public:
  /// Printable, and never the same twice. `otherwise` stands for an empty name.
  std::string take(std::string_view name, std::string_view otherwise) {
    const std::string own = printable_utf8(name.empty() ? otherwise : name);
    std::string id = own;
    while (!taken_.emplace(id, 1).second) id = fmt::format("{} ({})", own, ++taken_[own]);
    return id;
  }

 private:
  std::unordered_map<std::string, int> taken_;  // id -> how often it has been asked for
};

}  // namespace stowage
