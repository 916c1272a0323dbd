#include "ui/plan_entries.h"

#include <fmt/format.h>

#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool is_new(const State& state, const Plan& plan) {
  const Plan* before = state.document.find_plan(plan.id);
  return before == nullptr || before->offsets != plan.offsets;
}

}  // namespace

void begin_request(State& state) {
  ++state.part<PlanEntries>().requests;
}

void note_asked(State& state, const std::string& allocator) {
  PlanEntries& entries = state.part<PlanEntries>();
  entries.asked[allocator] = {entries.requests, state.problem_revision};
}

void keep_before_plan(State& state, const Plan& plan) {
  PlanEntries& entries = state.part<PlanEntries>();
  const auto found = entries.asked.find(plan.id);
  if (found == entries.asked.end()) return;
  const PlanEntries::Asked asked = found->second;
  entries.asked.erase(found);
  // In the middle of a drag the plan comes along without an entry: the drag is one.
  if (asked.problem_revision != state.problem_revision || !is_new(state, plan) || state.gesture.dragging()) return;
  auto& history = state.editing.history;
  if (entries.of_entry == asked.request && entries.entry == history.present_id()) {
    return history.rename(fmt::format("Planned with {} allocators", ++entries.in_entry));
  }
  keep_present(state, "Planned with " + State::title_of_plan(plan.id));
  entries.entry = history.present_id();
  entries.of_entry = asked.request;
  entries.in_entry = 1;
}

}  // namespace stowage
