#pragma once

#include <vector>

#include "core/allocators/idealloc/boxes.h"

namespace stowage::idealloc {

/// Lemma 1 (Buchsbaum et al., OPT versus LOAD in dynamic storage allocation, STOC 2003): a group of jobs, all live at
/// one time, is cut into strips, from outside in.
///
///      O | I |           | I | O       outer vertical: the earliest births
///      --+---+-----------+---+--       outer horizontal: the latest deaths
///        vertical strips, then horizontal ones, in turns
///
/// Runs of `stack.jobs` jobs of each inner strip, which begin or end at about the same time, become boxes. The two
/// outer strips stay unresolved; all of the group does when it is small.
void strips(Workplace& at, std::vector<ItemIndex> group, const Stack& stack, std::vector<ItemIndex>& boxes,
            std::vector<ItemIndex>& unresolved);

}  // namespace stowage::idealloc
