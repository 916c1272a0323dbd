#include "core/io/file_stamp.h"

#include <sys/stat.h>

namespace stowage {

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  FileStamp stamp;
  stamp.modified = static_cast<std::int64_t>(facts.st_mtim.tv_sec) * kNanoseconds + facts.st_mtim.tv_nsec;
  stamp.size = facts.st_size;
  stamp.device = facts.st_dev;
  stamp.number = facts.st_ino;
  return stamp;
}

void FileWatch::restart(const std::string& path) {
  path_ = path;
  known_ = stamp_of(path);
  last_ = known_;
}

bool FileWatch::changed() {
  if (path_.empty()) return false;
  const std::optional<FileStamp> now = stamp_of(path_);
  const bool quiet = now == last_;
  last_ = now;
  if (!now || !quiet || now == known_) return false;
  known_ = now;
  return true;
}

}  // namespace stowage
