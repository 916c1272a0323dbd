#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/scene.h"
#include "core/document/changes.h"
#include "core/document/match_plan.h"
#include "core/tasks/background.h"
#include "ui/state.h"

namespace stowage {

/// A plan read from another file, for the buffers of the open problem.
struct ForeignPlan {
  std::string path;
  std::shared_ptr<const Problem> problem;  // that it was matched with
  MatchedPlan matched;
};

/// The shown plan beside others.
struct Comparing {
  std::string other;                 // the plan that differences are told against; empty: none chosen
  std::vector<std::string> further;  // of more columns
  bool overlay = false;              // one chart, the other plan as outlines
  Changes changes;                   // between the other plan and the shown one
  std::uint64_t problem_revision = ~std::uint64_t{0};
  std::uint64_t plan_revision = 0;
  std::string compared;             // what `changes` speaks of
  std::vector<CachedScene> scenes;  // of the columns
  std::string path_text;            // of a file to take a plan from
  Background<Result<ForeignPlan>> reading;
  std::string foreign;                 // the plan that was taken from it
  std::vector<std::string> unmatched;  // buffers of that file without a partner here
};

/// The other plan: the chosen one while it exists, else the best that is not shown; null when there is only one.
const Plan* compared_plan(Workbench::State& state);
/// What differs between the other plan and the shown one.
const Changes& differences(Workbench::State& state);
void swap_plans(Workbench::State& state);
/// The shown plan, and while plans are drawn side by side those beside it.
std::vector<std::string> charted_plans(const Workbench::State& state);
/// What of the other plan's file has no partner here.
const std::vector<std::string>& unmatched_there(const Workbench::State& state);
/// Reads the last plan of another file and adds it to the document, its buffers matched with the open ones.
void add_plan_of_file(Workbench::State& state, const std::string& path);

}  // namespace stowage
