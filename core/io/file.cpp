#include "core/io/file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {
namespace {

/// Closes a descriptor that it owns; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

std::string reason(int error) {
  return std::generic_category().message(error);
}

/// What a path that is no regular file is; empty for a regular one.
std::string_view special_kind(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "";
}

tl::unexpected<Error> too_large(const std::string& name, std::int64_t limit) {
  return input_error(fmt::format("{}: larger than the limit of {}", name, format_bytes(limit)));
}

Result<std::string> read_all(int fd, const std::string& name, std::int64_t expected, std::int64_t limit) {
  std::string bytes;
  const auto most = static_cast<std::size_t>(limit);
  // One byte more than expected, so that the end of the file is seen without growing the block.
  bytes.resize(std::min(most, static_cast<std::size_t>(std::max<std::int64_t>(expected, 0))) + 1);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::min(most + 1, bytes.size() * 2 + 65536));
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return input_error(fmt::format("{}: cannot be read: {}", name, reason(errno)));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > most) return too_large(name, limit);
  }
  bytes.resize(used);
  return bytes;
}

/// 0, or the errno of the write that failed.
int write_all(int fd, std::string_view bytes, const FileProbe& probe) {
  while (!bytes.empty()) {
    if (const int error = probe.ask(FileCall::kWrite)) return error;
    const std::size_t most = probe.chunk > 0 ? std::min(probe.chunk, bytes.size()) : bytes.size();
    const ssize_t put = ::write(fd, bytes.data(), most);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

tl::unexpected<Error> not_written(const std::string& path, int error) {
  return input_error(fmt::format("{}: cannot be written: {}", path, reason(error)));
}

/// Where a path leads when it is a symbolic link: the link must survive the rename. A link to a file that does not
/// exist yet is followed as well.
std::filesystem::path target_of(const std::string& path) {
  std::filesystem::path target = path;
  std::error_code error;
  for (int hops = 0; hops < 40 && std::filesystem::is_symlink(target, error); ++hops) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

constexpr std::string_view kTemporary = ".stowage-";  // the id of the process follows

/// A new file in `folder` under a name that nobody uses; `path` receives it. -1 and errno on failure. The mode obeys
/// the umask, which mkstemp would not.
int create_temporary(const std::filesystem::path& folder, std::string& path) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    path = (folder / fmt::format("{}{}-{}.tmp", kTemporary, ::getpid(), attempt)).string();
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/// The new file gets owner and mode of the one whose place it takes; 0 or an errno.
int keep_rights(const Descriptor& file, const std::optional<struct stat>& old) {
  if (!old) return 0;
  // Only root may give a file away; failing to do so is no reason to lose the data.
  const bool owned = ::fchown(file.get(), old->st_uid, old->st_gid) == 0;
  const mode_t mode = old->st_mode & (owned ? mode_t{07777} : mode_t{0777});
  return ::fchmod(file.get(), mode) == 0 ? 0 : errno;
}

/// Fills and syncs the temporary file; 0 or an errno.
int fill(Descriptor& file, std::string_view bytes, const std::optional<struct stat>& old, const FileProbe& probe) {
  if (const int error = keep_rights(file, old)) return error;
  if (const int error = write_all(file.get(), bytes, probe)) return error;
  if (const int error = probe.ask(FileCall::kSync)) return error;
  if (::fsync(file.get()) != 0 && errno != EINVAL) return errno;
  if (const int error = probe.ask(FileCall::kClose)) return error;
  return file.close() ? 0 : errno;
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) ::fsync(opened.get());
}

/// Devices and pipes cannot be renamed over: /dev/null must stay what it is.
Result<void> write_through(const std::string& path, const std::string& target, std::string_view bytes,
                           const FileProbe& probe) {
  Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return not_written(path, errno);
  if (const int error = write_all(file.get(), bytes, probe)) return not_written(path, error);
  return {};
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::int64_t limit) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input", 0, limit);
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) {
    return input_error(fmt::format("{}: cannot be opened: {}", path, reason(errno)));
  }
  // Asked before opening as well: opening a pipe would wait for a writer, and opening a device can do anything.
  if (const auto kind = special_kind(facts.st_mode); !kind.empty()) {
    return input_error(fmt::format("{}: this is {}, not a file", path, kind));
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) {
    return input_error(fmt::format("{}: cannot be opened: {}", path, reason(errno)));
  }
  if (const auto kind = special_kind(facts.st_mode); !kind.empty()) {
    return input_error(fmt::format("{}: this is {}, not a file", path, kind));
  }
  if (facts.st_size > limit) return too_large(path, limit);
  return read_all(file.get(), path, facts.st_size, limit);
}

Result<void> write_file(const std::string& path, std::string_view bytes, const FileProbe& probe) {
  if (path == "-") {
    std::fflush(stdout);
    if (const int error = write_all(STDOUT_FILENO, bytes, probe)) return not_written("standard output", error);
    return {};
  }
  if (path.empty()) return input_error("cannot write to a file without a name");
  const std::filesystem::path target = target_of(path);
  std::optional<struct stat> old;
  struct stat facts = {};
  if (::stat(target.c_str(), &facts) == 0) {
    if (S_ISCHR(facts.st_mode) || S_ISFIFO(facts.st_mode)) return write_through(path, target.string(), bytes, probe);
    if (const auto kind = special_kind(facts.st_mode); !kind.empty()) {
      return input_error(fmt::format("{}: cannot be written: this is {}", path, kind));
    }
    if (::access(target.c_str(), W_OK) != 0) return not_written(path, errno);
    old = facts;
  }
  if (target.filename().empty()) return input_error(fmt::format("{}: cannot be written: this is a directory", path));

  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  if (const int error = probe.ask(FileCall::kOpen)) return not_written(path, error);
  std::string temporary;
  Descriptor file(create_temporary(folder, temporary));
  if (file.get() < 0) return not_written(path, errno);
  int error = fill(file, bytes, old, probe);
  if (error == 0) error = probe.ask(FileCall::kRename);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return not_written(path, error);
  }
  sync_folder(folder);
  return {};
}

Result<void> move_into_place(const std::string& finished, const std::string& path) {
  const std::filesystem::path target = target_of(path);
  std::optional<struct stat> old;
  struct stat facts = {};
  if (::stat(target.c_str(), &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) {
      return input_error(fmt::format("{}: cannot be written: this is {}", path, special_kind(facts.st_mode)));
    }
    if (::access(target.c_str(), W_OK) != 0) return not_written(path, errno);
    old = facts;
  }
  Descriptor file(::open(finished.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return not_written(path, errno);
  if (const int error = keep_rights(file, old)) return not_written(path, error);
  if (::fsync(file.get()) != 0 && errno != EINVAL) return not_written(path, errno);
  if (::rename(finished.c_str(), target.c_str()) != 0) return not_written(path, errno);
  sync_folder(target.has_parent_path() ? target.parent_path() : std::filesystem::path("."));
  return {};
}

void remove_unfinished(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(kTemporary, 0) != 0 || entry.path().extension() != ".tmp") continue;
    const std::string_view rest = std::string_view(name).substr(kTemporary.size());
    const auto process = parse_int(rest.substr(0, rest.find('-')));
    if (!process || *process <= 0 || *process > std::numeric_limits<pid_t>::max()) continue;
    const bool gone = ::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH;
    std::error_code ignored;
    if (gone) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace stowage
