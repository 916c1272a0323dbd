#pragma once

#include <span>
#include <vector>

#include "core/model/box.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage::idealloc {

/// Says, step by step, how the boxes came to be: levels, buckets, critical points, groups and their strips, rows, boxes
/// and sub-problems. `boxes` are those of the report.
void tell_boxing(const Problem& problem, const BoxingReport& report, std::span<const Box> boxes,
                 const RunContext& context);

/// Says how they are taken apart: the rows of the outer boxes, then each buffer at its loose offset, as `order` has
/// them.
void tell_unboxing(const Problem& problem, const BoxingReport& report, std::span<const Box> boxes,
                   std::span<const BufferIndex> order, const RunContext& context);

}  // namespace stowage::idealloc
