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

/// An order of buffers and where first fit puts them. After a move only what it can have changed is placed again: a
/// buffer keeps its place unless one that it met below left, or one came to lie across it.
///
/// The cost is the excess: by how much the ends of all buffers pass a target, summed, in sixteenths of bytes. A
/// makespan alone says nothing about most moves; the excess sees each buffer that sticks out.
class OrderState {
 public:
  /// Buffers that need no memory and fixed ones are in no order; the latter come first.
  OrderState(const Problem& problem, std::span<const BufferIndex> order);

  /// False when there is no room below 2^63 for all of them.
  bool fits() const { return fits_; }

  std::size_t size() const { return order_.size(); }
  std::span<const BufferIndex> order() const { return order_; }
  std::size_t position(BufferIndex i) const { return static_cast<std::size_t>(position_[i]); }
  /// A buffer in conflict, drawn by number; the buffer has `conflicts(i)` of them, fixed ones included.
  std::size_t conflicts(BufferIndex i) const { return links_begin_[i + 1] - links_begin_[i]; }
  BufferIndex conflict(BufferIndex i, std::size_t k) const { return links_[links_begin_[i] + k].other; }
  bool is_movable(BufferIndex i) const { return position_[i] >= 0; }

  /// Excess counts from target * sixteenths / 16 on.
  void aim_at(std::int64_t target, int sixteenths);
  Int128 excess() const { return excess_; }
  bool sticks_out(BufferIndex i) const { return over_[i] > 0; }
  std::int64_t makespan() const;

  /// Starts again from another order of the same buffers.
  void take(std::span<const BufferIndex> order);
  /// Makes the move when the excess then is at most `limit`; else nothing changes and it says false.
  bool move(OrderMove move, double limit);
  /// Takes the last move back that was made.
  void undo();

 private:
  /// A buffer in conflict. One that begins at x keeps the owner out of (x - below, x + above).
  struct Link {
    BufferIndex other = kNoBuffer;
    std::int64_t below = 0;  // what the owner needs below it
    std::int64_t above = 0;  // what it needs below the owner
  };
  struct Change {
    BufferIndex buffer = kNoBuffer;
    std::int64_t offset = 0;  // before
  };

  void link_conflicts(const Problem& problem);
  void place_all();
  void sort_links(std::span<Link> links);
  std::int64_t place(BufferIndex i);
  void settle(BufferIndex i, std::int64_t offset);
  Int128 over(BufferIndex i, std::int64_t offset) const;
  void rotate(OrderMove move);
  void touch(BufferIndex i);
  void touch_after(BufferIndex i, std::int64_t before, OrderMove move);

  std::vector<BufferIndex> order_;
  std::vector<std::int32_t> position_;  // -1: fixed, -2: needs no memory
  std::vector<std::int64_t> offset_;
  std::vector<std::int64_t> size_;
  std::vector<Grid> grid_;
  std::vector<Int128> over_;
  std::vector<char> touched_;
  std::vector<std::size_t> links_begin_;
  std::vector<Link> links_;  // of each buffer nearly by rising address: kept so from one placement to the next
  std::vector<Change> changes_;
  OrderMove last_move_;
  std::size_t last_touched_ = 0;
  Int128 target_ = 0;  // in sixteenths
  Int128 excess_ = 0;
  bool fits_ = true;
};

}  // namespace stowage
