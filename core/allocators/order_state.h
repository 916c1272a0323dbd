#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/integers.h"
#include "core/model/problem.h"

namespace stowage {

/// The buffer at position `from` of an order goes to position `to`; those between move up or down by one.
struct OrderMove {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// An order of buffers and the places it leads to. A buffer's floor is the lowest place above everything placed so far
/// that it meets there; next comes the buffer with the lowest floor, of several the first in the order. So the order
/// decides only between buffers for which it makes a difference, and even a poor one wastes little. (In project
/// scheduling: the parallel scheme, against first fit as the serial one; Kolisch, EJOR 90, 1996.)
///
/// The cost is the excess: by how much the ends of all buffers pass a target, summed. A makespan alone says nothing
/// about most moves; the excess sees each buffer that sticks out. It counts in units, which divide every size.
class OrderState {
 public:
  /// Buffers that need no memory and fixed ones are in no order; the latter are there before all others.
  OrderState(const Problem& problem, std::span<const BufferIndex> order);

  /// False when places are too large to be kept together with positions: then there is no searching.
  bool fits() const { return fits_; }

  std::size_t size() const { return order_.size(); }
  std::span<const BufferIndex> order() const { return order_; }
  std::size_t position(BufferIndex i) const { return static_cast<std::size_t>(position_[i]); }
  bool is_movable(BufferIndex i) const { return position_[i] >= 0; }
  /// The buffers of the order as they were placed, by rising offset. Without gaps first fit in this order puts none of
  /// them higher.
  std::span<const BufferIndex> sequence() const { return sequence_; }
  std::int64_t offset(BufferIndex i) const { return offset_[i] * unit_; }
  /// Buffers in conflict with this one, fixed ones included.
  std::span<const BufferIndex> conflicts(BufferIndex i) const {
    return {links_.data() + links_begin_[i], links_begin_[i + 1] - links_begin_[i]};
  }
  /// Whether one of them, and which, keeps the buffer from lying lower: conflicts(i)[k].
  bool rests_on(BufferIndex i, std::size_t k) const;

  /// Excess counts from this many bytes on.
  void aim_at(std::int64_t target);
  std::int64_t target() const { return target_ * unit_; }
  std::int64_t excess() const { return excess_; }
  double in_units(std::int64_t bytes) const { return static_cast<double>(bytes) / static_cast<double>(unit_); }
  bool sticks_out(BufferIndex i) const { return offset_[i] + height_[i] > target_; }
  std::int64_t makespan() const { return highest_ * unit_; }

  /// Starts again from another order of the same buffers.
  void take(std::span<const BufferIndex> order);
  /// Makes the move when the excess then is at most `limit`; else nothing changes and it says false.
  bool move(OrderMove move, double limit);
  /// Takes the last move back that was made.
  void undo();

 private:
  /// Of a pair in conflict, with gaps in it: the other, when it begins at x, keeps the owner out of
  /// (x - below, x + above).
  struct Reach {
    std::int64_t below = 0;
    std::int64_t above = 0;
  };
  struct Place {
    BufferIndex buffer = kNoBuffer;
    std::int64_t offset = 0;
  };

  bool choose_unit(const Problem& problem);
  void link_conflicts(const Problem& problem);
  std::int64_t above_all(BufferIndex i, std::int64_t at, const auto& is_placed) const;
  void find_first_floors();
  bool place_from(std::size_t step, std::int64_t most);
  template <typename Key>
  bool place_by(std::vector<Key>& keys, std::size_t step, std::int64_t most);
  template <typename Key>
  void raise_those_above(BufferIndex placed, std::vector<Key>& keys) const;
  std::size_t first_difference(OrderMove move);
  std::int64_t floor_before(BufferIndex i, std::size_t step) const;
  void rotate(OrderMove move);
  void count_excess();

  std::vector<BufferIndex> order_;
  std::vector<std::int32_t> position_;  // -1: fixed, -2: needs no memory
  std::vector<BufferIndex> sequence_;
  std::vector<std::size_t> step_;  // where a buffer is in the sequence
  std::vector<char> met_;          // all 0 between calls
  // In units:
  std::vector<std::int64_t> offset_;
  std::vector<std::int64_t> height_;
  std::vector<std::int64_t> first_floor_;
  std::vector<Grid> grid_;
  std::int64_t target_ = 0;
  std::int64_t excess_ = 0;
  std::int64_t highest_ = 0;
  std::int64_t highest_fixed_ = 0;

  std::vector<std::size_t> links_begin_;
  std::vector<BufferIndex> links_;
  std::vector<Reach> reaches_;  // by link; empty when all places are stacked one on the other: no gaps, nothing fixed
  std::int64_t unit_ = 1;
  bool aligned_ = false;  // the grids are coarser than the unit
  bool fits_ = true;

  // A floor and, below it, the position: the next buffer has the smallest of these. Placed ones have the largest.
  int position_bits_ = 0;
  bool narrow_ = false;
  std::vector<std::int32_t> narrow_keys_;
  std::vector<std::int64_t> wide_keys_;

  OrderMove last_move_;
  std::vector<Place> before_;  // the end of the sequence before the last move
  std::int64_t highest_before_ = 0;
};

}  // namespace stowage
