#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/box.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage::idealloc {

/// Says, step by step, how the boxes came to be: levels, buckets, critical points, groups and their strips, rows, boxes
/// and sub-problems. `boxes` are those of the report.
void tell_boxing(const Problem& problem, const BoxingReport& report, std::span<const Box> boxes,
                 const RunContext& context);

/// Boxes, and where unboxing puts their contents; `rows` by buffer of the problem: in the box around it.
struct UnboxedBoxes {
  std::span<const Box> boxes;
  std::span<const std::uint32_t> rows;
};

/// Says how they are taken apart: the rows of the outer boxes, each box that is opened and the rows of its contents,
/// from outside in; then each buffer at its loose offset, as `order` has them.
void tell_unboxing(const Problem& problem, const BoxingReport& report, const UnboxedBoxes& unboxed,
                   std::span<const BufferIndex> order, const RunContext& context);

/// "a, box 3, the dummy and 7 more".
std::string names_of(const Problem& problem, std::span<const BoxMember> members);

}  // namespace stowage::idealloc
