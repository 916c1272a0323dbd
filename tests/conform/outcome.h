#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/allocators/allocator.h"
#include "core/model/plan.h"
#include "core/model/problem.h"
#include "core/steps/step.h"

namespace stowage::conform {

using json = nlohmann::json;

/// A case of a file, as it stands there, and its problem.
struct Case {
  json from;
  std::string name;
  std::string subject;  // the name of the allocator or function it is about
  Problem problem;

  /// A member of `params`; null when there is none.
  const json& param(const std::string& key) const;
};

/// What running a case gave; the expectations are compared with it.
struct Outcome {
  const Case* of = nullptr;
  const Allocator* allocator = nullptr;  // null: a function of the core
  ParamValues params;
  std::optional<Plan> plan;
  RunResult result;
  std::string refusal;  // why there is no plan
  StepLog steps;

  const Problem& problem() const { return of->problem; }
};

}  // namespace stowage::conform
