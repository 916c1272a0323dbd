#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/box_tree.h"

namespace stowage {

/// A loose placement: nothing but an order. Items may overlap and reach out of their boxes.
struct Unboxed {
  std::vector<std::int64_t> offsets;  // by item; kNoOffset for what is not inside the boxes
  std::vector<std::uint32_t> rows;    // by item: its row in whatever holds it
};

/// Takes boxes apart from outside in. Equally high ones lie in the rows of an interval colouring; of a box, equally
/// high contents do the same, contents that are disjoint in time all lie at its bottom, and all others are grouped by
/// size, the largest at the bottom, each group in rows. (idealloc, crate coreba: unboxing. There, the order of the
/// groups is that of a hash table.)
///
///      +-------+  row 1 of the boxes, inside it again rows
///      | a | b |
///      +-------+
///      |   c   |  row 0
///      +-------+
Unboxed unbox(const BoxTree& tree, std::span<const ItemIndex> boxes);

}  // namespace stowage
