#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace stowage {

/// Undo and redo by snapshots. The present itself lives outside; it is handed over when something else becomes the
/// present, so nothing is copied. Entries lie in a row, the present is one of them:
///
///     0 Opened   1 Lifetime of b3   [2 Removed b7]   3 Size of b1
///                                    the present      can be done again
///
/// Without limit in number; when the kept snapshots need more than `most_bytes`, the farthest are forgotten.
template <typename Snapshot>
class History {
 public:
  struct Entry {
    std::uint64_t id = 0;
    std::string label;
    std::int64_t load = 0;
    std::int64_t makespan = 0;  // of the shown plan; 0 when there was none
    std::size_t bytes = 0;
    std::optional<Snapshot> snapshot;  // none for the present
  };

  explicit History(std::size_t most_bytes = std::size_t{1} << 29U) : most_bytes_(most_bytes) { reset("New"); }

  /// Forgets everything: another document is open. It counts as saved.
  void reset(std::string label) {
    entries_.clear();
    entries_.push_back(Entry{++last_id_, std::move(label), 0, 0, 0, std::nullopt});
    position_ = 0;
    bytes_ = 0;
    saved_ = last_id_;
  }

  /// The present becomes `label`; what it was before is kept. Whatever could be done again is forgotten.
  void commit(Snapshot before, std::size_t bytes, std::string label) {
    while (entries_.size() > position_ + 1) drop_last();
    keep(position_, std::move(before), bytes);
    entries_.push_back(Entry{++last_id_, std::move(label), 0, 0, 0, std::nullopt});
    ++position_;
    trim();
  }

  /// Makes entry `to` the present and returns its snapshot; `present` is kept at its place.
  Snapshot move_to(std::size_t to, Snapshot present, std::size_t bytes) {
    keep(position_, std::move(present), bytes);
    Snapshot target = take(to);
    position_ = to;
    trim();
    return target;
  }

  /// The last commit never happened: returns what was before it. Only straight after commit().
  Snapshot revoke() {
    entries_.pop_back();
    --position_;
    return take(position_);
  }

  /// What the panel shows of the present.
  void describe(std::int64_t load, std::int64_t makespan) {
    entries_[position_].load = load;
    entries_[position_].makespan = makespan;
  }
  void rename(std::string label) { entries_[position_].label = std::move(label); }

  std::size_t size() const { return entries_.size(); }
  std::size_t position() const { return position_; }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }
  bool can_undo() const { return position_ > 0; }
  bool can_redo() const { return position_ + 1 < entries_.size(); }
  /// Bytes of all kept snapshots, as they were told.
  std::size_t bytes() const { return bytes_; }

  void mark_saved() { saved_ = entries_[position_].id; }
  /// An entry that was handed over to be written; whatever has happened since is not saved.
  void mark_saved(std::uint64_t id) { saved_ = id; }
  /// The entry that is saved; 0 when none is.
  std::uint64_t saved_id() const { return saved_; }
  /// Nothing counts as saved any more: the file on disk is another one now.
  void mark_unsaved() { saved_ = 0; }
  bool dirty() const { return saved_ != entries_[position_].id; }
  /// Changes with every commit, undo and redo.
  std::uint64_t present_id() const { return entries_[position_].id; }

 private:
  void keep(std::size_t at, Snapshot what, std::size_t bytes) {
    entries_[at].snapshot.emplace(std::move(what));
    entries_[at].bytes = bytes;
    bytes_ += bytes;
  }
  Snapshot take(std::size_t at) {
    Snapshot what = std::move(*entries_[at].snapshot);
    entries_[at].snapshot.reset();
    bytes_ -= entries_[at].bytes;
    entries_[at].bytes = 0;
    return what;
  }
  void drop_last() {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  /// The farther end goes first; the neighbours of the present stay, so that one step back and forth always works.
  void trim() {
    while (bytes_ > most_bytes_ && entries_.size() > 2) {
      const std::size_t behind = position_;
      const std::size_t ahead = entries_.size() - 1 - position_;
      if (behind >= ahead && behind > 1) {
        bytes_ -= entries_.front().bytes;
        entries_.pop_front();
        --position_;
      } else if (ahead > 1) {
        drop_last();
      } else {
        return;
      }
    }
  }

  std::size_t most_bytes_;
  std::deque<Entry> entries_;
  std::size_t position_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t saved_ = 0;
};

}  // namespace stowage
