#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/allocators/idealloc/boxes.h"

namespace stowage::idealloc {

/// Corollary 15 (Buchsbaum et al., STOC 2003): jobs of any height go into boxes of one height. Sizes are rounded up to
/// powers of 1 + mu; the jobs of each power count as equally high and are boxed by Theorem 2 on their own. `height`
/// must hold the highest of them after rounding. Returns the boxes.
std::vector<ItemIndex> box_jobs(Workplace& at, std::span<const ItemIndex> jobs, double height, double mu);

}  // namespace stowage::idealloc
