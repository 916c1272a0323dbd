#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"

namespace stowage {

/// What `after`, the same document written to a file and read again, no longer has: "kinds of 12 buffers", "2 of 3
/// plans"; empty when nothing is lost. Buffers are matched by id where ids are unique, else by their rows. Time units,
/// the look of a view and how a file was read do not count.
std::vector<std::string> losses(const Document& before, const Document& after);

}  // namespace stowage
