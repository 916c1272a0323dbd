#pragma once

#include <string>
#include <string_view>

namespace stowage {

/// An SVG with its ids numbered in their order of appearance: Cairo numbers surfaces through the life of the process,
/// so the same picture would differ from one time to the next.
std::string with_steady_ids(std::string_view svg);

}  // namespace stowage
