#pragma once

#include <string>

namespace stowage {

/// "0.1.0"
std::string version_number();

/// What `stowage --version` prints: version, commit, compiler and the libraries of this build, a line each. The last
/// line ends with a line feed.
std::string version_text();

}  // namespace stowage
