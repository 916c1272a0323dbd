#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/allocators/capacity_tables.h"
#include "core/run/run.h"

namespace stowage {

/// Which buffers are placed, and what follows for the others; changes are taken back in reverse.
///
///   floor of a section: the lowest offset at which something more can sit in it
///   lowest of a buffer: the same over its lifetime, above everything placed that it conflicts with
///   waiting bytes of a section: what is still to be placed in it
class CapacityState {
 public:
  CapacityState(const Problem& problem, const SearchRules& rules);

  /// Nothing is placed. Steps are said to the context, which must outlive the placements.
  void reset(std::uint16_t space, std::int64_t capacity, const RunContext& context);

  /// Puts a waiting buffer there if what still waits can fit under the capacity as far as the rules see it.
  /// False: nothing
  /// has changed.
  bool place(BufferIndex buffer, std::int64_t offset);
  /// Takes the latest placements back until only so many are left.
  void take_back(std::size_t placements, const char* why);
  std::size_t placements() const { return placements_.size(); }
  /// The latest placement no longer bridges its sections: calls visit(s) for each s in which no waiting buffer spans
  /// both s and s + 1 any more.
  template <typename Visit>
  void cut(Visit&& visit);

  bool waits(BufferIndex buffer) const { return lowest_[buffer] != kPlaced; }
  /// kMaxInt64 when it is placed.
  std::int64_t lowest(BufferIndex buffer) const { return lowest_[buffer]; }
  /// lowest + size, kMaxInt64 when that is more or it is placed.
  std::int64_t top(BufferIndex buffer) const { return top_[buffer]; }
  /// Something that conflicts with the buffer still waits, and will lie above it.
  bool has_hat(BufferIndex buffer) const;
  /// The most waiting bytes of one section in a range, or over a lifetime.
  std::int64_t heaviest(SectionRange sections) const;
  std::int64_t heaviest(BufferIndex buffer) const;
  std::int64_t capacity() const { return capacity_; }
  const CapacityTables& tables() const { return tables_; }
  /// kNoOffset where a buffer waits.
  std::span<const std::int64_t> offsets() const { return offset_; }

 private:
  static constexpr std::int64_t kPlaced = kMaxInt64;  // as `lowest` and `top`: it is nobody's minimum

  struct FloorChange {
    std::int32_t section = 0;
    std::int64_t floor = 0;
  };
  struct LowestChange {
    BufferIndex buffer = kNoBuffer;
    std::int64_t lowest = 0;
  };
  struct Placement {
    BufferIndex buffer = kNoBuffer;
    bool cut = false;
    std::size_t floors = 0;  // changes before it
    std::size_t raised = 0;
  };

  bool stand_on(BufferIndex buffer, std::int64_t offset);
  bool raise_overlaps(BufferIndex buffer, std::int64_t offset);
  bool raise_floors(std::size_t first_raised);
  bool raise_floor(std::int32_t section);
  bool has_room(std::int32_t section) const;
  void set_lowest(BufferIndex buffer, std::int64_t lowest);
  void undo(const Placement& placement);

  const Problem& problem_;
  const SearchRules& rules_;
  CapacityTables tables_;
  const RunContext* context_ = nullptr;
  std::int64_t capacity_ = 0;

  std::vector<std::int64_t> offset_;  // by buffer
  std::vector<std::int64_t> lowest_;
  std::vector<std::int64_t> top_;
  std::vector<std::int64_t> floor_;  // by section
  std::vector<std::int64_t> waiting_;
  std::vector<std::int32_t> cuts_;
  // A waiting buffer of the section that was at or below its floor when last looked at: a hint, checked on use.
  std::vector<BufferIndex> witness_;
  std::vector<std::uint64_t> affected_;  // a bit for each section; all zero between placements

  std::vector<Placement> placements_;
  std::vector<FloorChange> floors_;
  std::vector<LowestChange> raised_;
};

template <typename Visit>
void CapacityState::cut(Visit&& visit) {
  placements_.back().cut = true;
  const SectionRange range = problem_.sections().range(placements_.back().buffer);
  for (std::int32_t s = range.first; s + 1 < range.last; ++s) {
    if (--cuts_[static_cast<std::size_t>(s)] == 0) visit(s);
  }
}

}  // namespace stowage
