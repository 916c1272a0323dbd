#pragma once

#include <vector>

#include "core/allocators/idealloc/boxes.h"

namespace stowage::idealloc {

/// Theorem 2 (Buchsbaum et al., STOC 2003): packs jobs that count as equally high into boxes. Appends them to `boxes`;
/// each job is in one of them. Nothing more when it was stopped.
void box_equal_jobs(Workplace& at, std::vector<ItemIndex> jobs, const Stack& stack, std::vector<ItemIndex>& boxes);

}  // namespace stowage::idealloc
