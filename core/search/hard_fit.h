#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/search/instance.h"
#include "core/search/max_end_tree.h"
#include "core/search/placed_by_address.h"

namespace stowage {

/// Greedy placement under a hard capacity, for any number of buffers: what does not fit below it is *not* placed. One
/// that were let stick out would ruin everything above it, and it is these that a search has to care about.
///
///   capacity ---------------------+----+--   c has no room: it waits for another order,
///      |  +---+      +---+        | c  |     and d and e still find theirs
///      |  | a |  d   | b |   e    +----+
class HardFit {
 public:
  enum class Rule { kFirst, kBest };

  /// How placed items are found: by address where many are live at once, or always by time, which is the better one
  /// for changes of a plan that is there.
  enum class Index { kWhatSuits, kTime };

  /// The instance must outlive it. Fixed items are placed at once, and again by `clear`.
  explicit HardFit(const Instance& instance, Index index = Index::kWhatSuits);

  void clear();
  bool is_placed(std::uint32_t i) const { return offsets_[i] != kNoOffset; }
  /// By item, units; kNoOffset where it is not placed.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }

  /// The lowest place that is free, or the tightest one (that below the capacity counts as a gap like any other);
  /// nothing when there is none below the capacity.
  std::optional<std::int64_t> find(std::uint32_t i, std::int64_t capacity, Rule rule);
  /// Finds and puts. False when there is no place.
  bool place(std::uint32_t i, std::int64_t capacity, Rule rule);
  void put(std::uint32_t i, std::int64_t offset);
  void remove(std::uint32_t i);
  /// Whether nothing placed is in the way there.
  bool is_free(std::uint32_t i, std::int64_t offset);
  /// Placed items that are live in some of these sections, by rising offset.
  void meeting(SectionRange sections, std::vector<std::uint32_t>& items);
  /// Those that are live together with this one; itself only when it is placed.
  void meeting(std::uint32_t i, std::vector<std::uint32_t>& items);

  /// Items that begin in section s or later.
  std::uint32_t first_item(std::int32_t s) const { return first_item_[static_cast<std::size_t>(s)]; }
  /// So many live at once that the placed ones are kept by address.
  bool many_live() const { return by_address_; }
  /// Work done so far: buffers looked at.
  std::int64_t looks() const { return looks_; }
  /// An item that will be asked for soon.
  void prefetch(std::uint32_t i) const {
    if (!by_address_) by_start_.prefetch(i);
  }

 private:
  struct Stretch {
    std::int64_t offset = 0;
    std::int64_t end = 0;
  };

  template <typename Visit>
  void by_address(std::uint32_t i, Visit&& visit);

  const Instance& instance_;
  std::vector<std::uint32_t> first_item_;
  bool by_address_;  // many are live at once; else they are found by time
  PlacedByAddress list_;
  MaxEndTree by_start_;
  std::vector<std::int64_t> offsets_;
  std::vector<Stretch> met_;
  std::int64_t looks_ = 0;
};

}  // namespace stowage
