#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/io/read_watch.h"

namespace stowage {

/// Appends what a Zstandard file holds to `out`, at most `most` bytes in all. An empty text when all went well, else
/// why not; in a build without the zstd library that is the reason.
std::string unpack_zstd(std::string_view bytes, std::string& out, std::size_t most, WatchedPass pass = {});

}  // namespace stowage
