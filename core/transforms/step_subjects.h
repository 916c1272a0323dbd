#pragma once

#include <span>
#include <vector>

#include "core/steps/step.h"
#include "core/transforms/transform.h"

namespace stowage {

/// Whom a step of a transform is about, in the graph before it; a step about the whole names nobody.
struct StepSubject {
  TensorIndex tensor = kNoTensor;
  OpIndex op = kNoOp;
  bool operator==(const StepSubject&) const = default;
};

/// By step. A step names at most a tensor; the remark that says the same in words tells the op as well.
std::vector<StepSubject> step_subjects(std::span<const Step> steps, std::span<const Remark> remarks);

/// Where a subject is seen in the graph: its op, else who makes its tensor, else who reads what nobody makes.
/// Ascending.
std::vector<OpIndex> ops_about(const Graph& graph, const StepSubject& subject);

}  // namespace stowage
