#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// A part of one space as the searches see it: buffers that are connected through conflicts, time counted in sections
/// and bytes in units.
///
///   time 0   3   7 8     12          section 0     1     2
///        +---+   |                           +---+
///        | a |+---------+           becomes  | a |---------+      sizes / greatest common divisor
///        +---+|    b    |                    +---|    b    |
///             +-----+---+                        +-----+---+
///
/// Only sections count in which something arrives: the live set of any other is part of its neighbour's, which
/// therefore says more. Of n buffers these are about n / 2, and two buffers conflict exactly when they share one.
/// Addresses are multiples of the unit, the greatest common divisor of all sizes, alignments and fixed offsets: pushing
/// every buffer of a plan down as far as it goes leaves it at such a multiple and makes nothing higher.
struct Instance {
  struct Item {
    std::int32_t first = 0;  // sections [first, last)
    std::int32_t last = 0;
    std::int64_t size = 0;           // units
    Grid grid;                       // units
    std::int64_t fixed = kNoOffset;  // units
    BufferIndex buffer = kNoBuffer;

    bool is_fixed() const { return fixed != kNoOffset; }
    bool overlaps(const Item& other) const { return first < other.last && other.first < last; }
    /// Exchanging the two changes nothing.
    bool same_as(const Item& other) const {
      return first == other.first && last == other.last && size == other.size && fixed == other.fixed &&
             grid.step == other.grid.step && grid.phase == other.grid.phase;
    }
  };

  std::vector<Item> items;  // by first section, then by buffer
  std::int32_t sections = 0;
  std::int64_t unit = 1;            // bytes
  std::vector<std::int64_t> loads;  // by section, units
  bool plain = true;                // no grid and nothing fixed

  /// No plan is lower, units: the load, the end of the highest pin.
  std::int64_t bound() const;
  /// No buffer may end higher, units: 2^63-1 bytes.
  std::int64_t limit() const { return kMaxInt64 / unit; }
  /// The highest end of these offsets, both in units; by item.
  std::int64_t height(const std::vector<std::int64_t>& offsets) const;
};

/// By section, one more at the end: the first item that begins there or later.
std::vector<std::uint32_t> first_items(const Instance& instance);
/// How many items overlap, each pair counted both ways.
std::int64_t overlapping_pairs(const Instance& instance);

/// By first section, then by buffer.
void sort_items(std::vector<Instance::Item>& items);

/// From items in bytes, sorted by first section: counts them in units, adds up the loads.
Instance make_instance(std::vector<Instance::Item> items, std::int32_t sections);

/// The instances of one space, one for each partition of time. Lifetimes alone must decide about conflicts, without
/// gaps, and nothing may be tied or have a choice of spaces. Buffers that take no memory belong to none.
std::vector<Instance> instances_of(const Problem& problem, std::uint16_t space);

}  // namespace stowage
