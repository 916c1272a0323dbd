#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage {

/// The largest file read at all; a clear error above.
inline constexpr std::int64_t kReadLimit = std::int64_t{4} << 30;

/// All bytes of a regular file ("-": standard input, up to the limit). Refuses by name: a directory, a device, a pipe,
/// a socket, a file above the limit, one that cannot be opened. Every message begins with the path.
Result<std::string> read_file(const std::string& path, std::int64_t limit = kReadLimit);

/// A call to the system that a write makes.
enum class FileCall { kOpen, kWrite, kSync, kClose, kRename };

/// Sees each call of a write before it is made. For tests, which let any of them fail, or the program die there.
struct FileProbe {
  std::function<int(FileCall)> before;  // 0: the call is made; an errno: it fails with that; may be empty
  std::size_t chunk = 0;                // bytes that one call writes at most; 0: as many as there are

  int ask(FileCall call) const { return before ? before(call) : 0; }
};

/// Writes to a temporary file beside `path`, syncs, then renames over it ("-": standard output): there is never a
/// partial file. The old file's permissions are kept. Errors name the path and the reason.
Result<void> write_file(const std::string& path, std::string_view bytes, const FileProbe& probe = {});

/// Syncs a finished file and renames it over `path`, which lies on the same disk: for outputs too large to be held as
/// bytes. As write_file otherwise.
Result<void> move_into_place(const std::string& finished, const std::string& path);

/// Removes what writes of programs that no longer run have left half done in a folder.
void remove_unfinished(const std::string& folder);

}  // namespace stowage
