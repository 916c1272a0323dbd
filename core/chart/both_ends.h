#pragma once

#include <span>

#include "core/base/result.h"
#include "core/model/plan.h"
#include "core/model/problem.h"
#include "core/transforms/transform.h"

namespace stowage {

/// A plan of a double-ended memory as one picture, in the first space: each side is counted from its own end.
///
///   capacity +-----------+
///            | a | b |       values, from the top down (with weights=high: from 0 up)
///            |   +---+
///            |                what is free
///            +-----------+
///            | w1, w2    |   weights, from 0 up (with weights=high: from the top down)
///          0 +-----------+
///
/// Where the two sides meet their rectangles overlap: collisions for the checker as for the eye.
struct BothEnds {
  Problem problem;
  Plan plan;
};

/// Errors: usage, when the pipeline does not place double-ended with a capacity.
Result<BothEnds> both_ends(const Problem& problem, const Plan& plan, std::span<const PipelineStage> pipeline);

}  // namespace stowage
