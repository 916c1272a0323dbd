#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/file.h"

namespace stowage {

/// Where unsaved work is kept: $XDG_STATE_HOME/stowage, else ~/.local/state/stowage; with another folder for settings
/// than the user's own, "autosave" in there. Empty when that folder is empty: nothing is kept.
std::string autosave_folder(const std::string& config_folder);

/// A lock on a file for as long as the object lives; the system ends it with the program, however that ends. The file
/// stays, so that nobody locks one that has just been removed.
class FileLock {
 public:
  /// Nothing when somebody else has it, in this program or another one, or it cannot be made.
  static std::optional<FileLock> take(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Work that a program left behind which ended without saving or discarding it.
struct LeftWork {
  int slot = 0;
  std::string title;
  std::string path;          // of the file that it belongs to; empty when it was never saved
  std::string format;        // of that file
  std::int64_t seconds = 0;  // when it was kept, since 1970
};

/// Keeps unsaved work in a folder, one slot for each running program:
///
///     work-1.json   the document, with the path it belongs to under "autosave"
///     work-1.lock   locked while a program uses the slot; a slot with work and without a lock was left behind
///
/// Safe to call from several threads, one call after the other.
class Autosave {
 public:
  explicit Autosave(std::string folder, FileProbe probe = {});

  /// Writes the document into the slot of this program; the file there is always whole.
  Result<void> keep(const Document& document);
  /// The work is saved, or nobody wants it any more.
  void forget();
  /// The same for good: the program ends, and nothing is kept any more.
  void end();

  /// What was left behind, the newest first. Locks it, so that no other window offers it meanwhile.
  std::vector<LeftWork> left();
  /// Another window may offer what is not wanted here.
  void release_left();
  /// The document as it was, with path and format of its file.
  Result<Document> open(const LeftWork& work);
  /// From now on it is the work of this program.
  void adopt(const LeftWork& work);
  void discard(const LeftWork& work);

 private:
  std::string file_of(int slot) const;
  std::string lock_of(int slot) const;
  Result<void> take_slot();

  std::string folder_;
  FileProbe probe_;
  std::mutex mutex_;
  bool ended_ = false;
  int slot_ = 0;  // 0: none yet
  std::optional<FileLock> lock_;
  std::map<int, FileLock> left_;
};

}  // namespace stowage
