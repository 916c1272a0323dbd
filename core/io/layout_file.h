#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage {

/// A file of assets/layouts: which panel lies in which slot, and how large the slots are. A place is a slot (left,
/// right, bottom, centre) and one of its two rows: "left 2"; panels of one place are tabs. Panels that are not named
/// are hidden.
struct LayoutFile {
  std::string name;
  std::string title;
  std::map<std::string, std::string> panels;  // panel -> place
  std::map<std::string, double> sizes;        // as in Settings::layout
};

/// Errors name the key.
Result<LayoutFile> parse_layout(std::string_view text);

}  // namespace stowage
