#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage {

/// The largest file read at all; a clear error above.
inline constexpr std::int64_t kReadLimit = std::int64_t{4} << 30;

/// All bytes of a regular file ("-": standard input, up to the limit). Refuses by name: a directory, a device, a pipe,
/// a socket, a file above the limit, one that cannot be opened. Every message begins with the path.
Result<std::string> read_file(const std::string& path, std::int64_t limit = kReadLimit);

/// Writes to a temporary file beside `path`, syncs, then renames over it ("-": standard output): there is never a
/// partial file. The old file's permissions are kept. Errors name the path and the reason.
Result<void> write_file(const std::string& path, std::string_view bytes);

}  // namespace stowage
