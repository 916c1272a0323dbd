#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

/// A text of a binary file as files of ours can hold it: UTF-8 without a zero byte; U+FFFD stands for what is neither.
inline std::string sound_text(std::string_view bytes) {
  std::string text = printable_utf8(bytes);
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
    text.replace(at, 1, "\xEF\xBF\xBD");
  }
  return text;
}

/// Graphs name tensors by their ids, files need not: what comes again gets a number, "x", "x (2)".
class UniqueIds {
 public:
  /// Printable, and never the same twice. `otherwise` stands for an empty name.
  std::string take(std::string_view name, std::string_view otherwise) {
    const std::string own = sound_text(name.empty() ? otherwise : name);
    std::string id = own;
    while (!taken_.emplace(id, 1).second) id = fmt::format("{} ({})", own, ++taken_[own]);
    return id;
  }

 private:
  std::unordered_map<std::string, int> taken_;  // id -> how often it has been asked for
};

}  // namespace stowage
