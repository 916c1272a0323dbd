#pragma once

#include <string_view>

#include "core/allocators/fit.h"
#include "core/allocators/idealloc/solver.h"

namespace stowage::idealloc {

/// Orders that need no boxes, squeezed as those of the boxes are: what boxing is compared with.
struct Heuristic {
  enum class Order { kBirth, kSize, kArea, kRandom };
  Order order = Order::kRandom;
  FitRule fit = FitRule::kFirst;
};

/// One order; random ones are drawn anew for each of the lives.
void try_orders(Search& search, const Heuristic& heuristic);

}  // namespace stowage::idealloc
