#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/lanes.h"
#include "core/search/niche_tables.h"

namespace stowage {

/// Who covers a section and who meets whom, as rows with a number for each item: 0 where it is so and "never" where it
/// is not, so that `value | row` leaves everybody else out of a minimum. A straight pass over a row takes a few vector
/// instructions where a list takes a load an item:
///
///   item      7   8   9  10  11        lowest = min( low | row )
///   low      20  35 (never) 20 50
///   row       0  never 0  0   0        20, attained by 7 and 10
///
/// There are none for wide numbers, of which a register holds too few, nor for instances so large that rows would take
/// more memory than the search.
template <typename Value>
class NicheMasks {
 public:
  /// The floor where nothing waits, and the lowest offset of an item that does not.
  static constexpr Value kNever = std::numeric_limits<Value>::max();

  explicit NicheMasks(const NicheTables& tables) : width_(Lanes<Value>::room(tables.twins.size())) {
    if (sizeof(Value) > 4 || (tables.live.size() + tables.twins.size()) * width_ > kMost) return;
    fill(tables.live, covers_);
    fill(tables.overlaps, meets_);
  }

  bool empty() const { return covers_.empty(); }
  /// Numbers in a row: the items, and room for a whole number of blocks.
  std::size_t width() const { return width_; }
  const Value* covers(std::size_t section) const { return covers_.data() + section * width_; }
  const Value* meets(std::size_t item) const { return meets_.data() + item * width_; }

 private:
  static constexpr std::size_t kMost = std::size_t{2} << 20U;  // numbers

  void fill(const Lists<std::uint32_t>& lists, std::vector<Value>& rows) const {
    rows.assign(lists.size() * width_, kNever);
    for (std::size_t k = 0; k < lists.size(); ++k) {
      for (const std::uint32_t i : lists[k]) rows[k * width_ + i] = 0;
    }
  }

  std::size_t width_;
  std::vector<Value> covers_;  // by section and item
  std::vector<Value> meets_;   // by item and item
};

}  // namespace stowage
