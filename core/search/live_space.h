#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/model/buffer.h"
#include "core/search/load_profile.h"
#include "core/search/sorted_blocks.h"

namespace stowage {

/// Times [start, end).
struct TimeSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool overlaps(const TimeSpan& other) const { return start < other.end && other.start < end; }
  bool covers(const TimeSpan& other) const { return start <= other.start && other.end <= end; }
  /// The shortest one that covers both.
  TimeSpan joined(const TimeSpan& other) const { return {std::min(start, other.start), std::max(end, other.end)}; }
};

/// What decides about the place of a buffer, and its place.
struct LiveBuffer {
  TimeSpan life;
  std::int64_t size = 0;
  Grid grid;
  std::int64_t fixed = kNoOffset;
  std::int64_t offset = kNoOffset;  // kNoOffset: it has none yet
  std::uint16_t space = 0;

  bool is_fixed() const { return fixed != kNoOffset; }
  bool takes_memory() const { return size > 0 && life.start < life.end; }
  std::int64_t end() const { return offset + size; }
};

/// One space of a plan that is kept from edit to edit: who lives when and lies where, the load, and who lies highest,
/// each in a structure that follows a change without looking at all buffers.
///
/// Rectangles are found by time among those of about their length, each length class sorted by start:
///
///      up to 4      |-| |--|    |-|             what is live during [a, b) starts before b and, in its class,
///      up to 16   |------|   |-----|            after a minus the longest of the class: a short stretch of the list
///                        a...b
class LiveSpace {
 public:
  struct Rectangle {
    TimeSpan life;
    std::int64_t low = kNoOffset;
    std::int64_t high = kNoOffset;
    BufferIndex buffer = kNoBuffer;
    std::pair<std::int64_t, BufferIndex> key() const { return {life.start, buffer}; }
    bool is_placed() const { return low != kNoOffset; }
  };
  /// An offset that is not there any more.
  struct Past {
    BufferIndex buffer = kNoBuffer;
    std::int64_t offset = kNoOffset;
  };

  /// The buffers of all spaces, which must outlive it and keep their place; these live in this one.
  LiveSpace(std::vector<LiveBuffer>& buffers, std::span<const BufferIndex> own);

  const LiveBuffer& operator[](BufferIndex i) const { return buffers_[i]; }
  /// Buffers that take memory; where they have an offset they lie there.
  void add(BufferIndex i);
  void remove(BufferIndex i);
  /// Moves one; kNoOffset: it has no place any more. Noted in past().
  void put(BufferIndex i, std::int64_t offset);

  /// No plan is lower: the load, the end of the highest pin.
  std::int64_t bound() const { return std::max(profile_.load(), pins_.empty() ? 0 : pins_.back().end); }
  /// The highest end, at least the bound.
  std::int64_t makespan() const { return std::max(bound(), highest_.empty() ? 0 : highest_.back().end); }
  /// How many have a place.
  std::size_t placed() const { return highest_.size(); }
  /// What ends highest; there must be something.
  BufferIndex highest() const { return highest_.back().buffer; }

  /// Calls visit(Rectangle) for each that is live in this time, in no order that means anything.
  template <typename Visit>
  void visit_living(TimeSpan time, Visit&& visit) const;
  /// Whether nothing is in the way there. The buffer itself must not be placed.
  bool is_free(BufferIndex i, std::int64_t offset) const;
  /// The tightest gap below the capacity, the lowest of several: that below the capacity is one like any other. The
  /// buffer itself must not be placed.
  std::optional<std::int64_t> tightest(BufferIndex i, std::int64_t capacity) const;

  /// What put() has changed since the last forget_past(), in that order.
  std::span<const Past> past() const { return past_; }
  void forget_past() { past_.clear(); }

 private:
  struct Top {
    std::int64_t end = 0;
    BufferIndex buffer = kNoBuffer;
    std::pair<std::int64_t, BufferIndex> key() const { return {end, buffer}; }
  };
  using Rectangles = SortedBlocks<Rectangle, NoSummary>;
  using Tops = SortedBlocks<Top, NoSummary>;

  static constexpr std::size_t kClasses = 33;
  /// The longest of class c lasts 4^c.
  static std::size_t class_of(TimeSpan life);
  Rectangle rectangle(BufferIndex i) const;

  std::vector<LiveBuffer>& buffers_;
  std::array<Rectangles, kClasses> by_length_;
  LoadProfile profile_;
  Tops highest_;
  Tops pins_;
  std::vector<Past> past_;
};

template <typename Visit>
void LiveSpace::visit_living(TimeSpan time, Visit&& visit) const {
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (by_length_[c].empty()) continue;
    // Saturating: the longest classes reach back to the beginning of time.
    const bool all = c == kClasses - 1 || time.start < kMinInt64 + (std::int64_t{1} << (2 * c));
    const std::int64_t from = all ? kMinInt64 : time.start - (std::int64_t{1} << (2 * c)) + 1;
    by_length_[c].visit_from({from, 0}, [&](const Rectangle& one) {
      if (one.life.start >= time.end) return false;
      if (one.life.end > time.start) visit(one);
      return true;
    });
  }
}

}  // namespace stowage
