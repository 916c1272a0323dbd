#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stowage {

/// By what one sees that a file has changed without reading it: a program that writes in place changes time and size,
/// one that writes another file and renames it changes the number.
struct FileStamp {
  std::int64_t modified = 0;  // nanoseconds since 1970
  std::int64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  bool operator==(const FileStamp&) const = default;
};

/// Nothing when there is no such file just now.
std::optional<FileStamp> stamp_of(const std::string& path);

/// Notices that a file has changed and is no longer being written: its stamp is another one than before, and the same
/// at two looks in a row.
class FileWatch {
 public:
  /// What is known of the file from now on.
  void restart(const std::string& path);
  /// True once for each change. To be called some times a second.
  bool changed();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<FileStamp> known_;
  std::optional<FileStamp> last_;
};

}  // namespace stowage
