#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/base/names.h"
#include "core/model/buffer.h"

namespace stowage {

/// Finds rows by id: open addressing over row numbers, 8 to 16 bytes an id where a hash map of strings takes 60 or
/// more. The names must outlive it.
class IdIndex {
 public:
  explicit IdIndex(const Names& names) : names_(names) {
    std::size_t slots = 16;
    while (slots < names.size() * 2) slots *= 2;
    slots_.assign(slots, kNoBuffer);
    for (std::size_t row = 0; row < names.size(); ++row) {
      BufferIndex& slot = slots_[slot_of(names[row])];
      if (slot == kNoBuffer) {
        slot = static_cast<BufferIndex>(row);
      } else {
        repeats_.push_back(static_cast<BufferIndex>(row));
      }
    }
  }

  /// The first row with this id, or kNoBuffer.
  BufferIndex first(std::string_view id) const { return slots_[slot_of(id)]; }
  /// Rows whose id stood in an earlier row already, ascending.
  const std::vector<BufferIndex>& repeats() const { return repeats_; }

 private:
  std::size_t slot_of(std::string_view id) const {
    std::size_t slot = std::hash<std::string_view>()(id) & (slots_.size() - 1);
    while (slots_[slot] != kNoBuffer && names_[slots_[slot]] != id) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  const Names& names_;
  std::vector<BufferIndex> slots_;
  std::vector<BufferIndex> repeats_;
};

}  // namespace stowage
