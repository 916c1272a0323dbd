#pragma once

#include <string>

namespace stowage {

/// Our folder in one of the XDG base directories: "$VARIABLE/stowage", else "~/FALLBACK/stowage". A relative path in
/// the variable is ignored, as the specification says.
std::string folder_of_user(const char* variable, const std::string& fallback);

}  // namespace stowage
