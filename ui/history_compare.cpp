#include "ui/history_compare.h"

#include <utility>

#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::shared_ptr<const Plan> shown_plan(const Document& document, const std::string& id) {
  const Plan* plan = document.find_plan(id);
  return plan != nullptr ? std::make_shared<const Plan>(*plan) : nullptr;
}

/// The entry's snapshot; null when it was forgotten or has become the present.
const Snapshot* snapshot_of(const State& state, std::uint64_t id) {
  const auto& history = state.editing.history;
  for (std::size_t k = 0; k < history.size(); ++k) {
    if (history[k].id == id && history[k].snapshot) return history[k].snapshot->get();
  }
  return nullptr;
}

void look(State& state, ComparedEntry& compared, const Snapshot& before) {
  compared.problem_revision = state.problem_revision;
  compared.plan_revision = state.plan_revision;
  compared.problem = before.document.problem;
  compared.work.start([old = before.document.problem, old_plan = shown_plan(before.document, before.shown_plan),
                       now = state.document.problem, plan = shown_plan(state.document, state.shown_plan)](
                          const std::stop_token&) { return changes_between(*old, old_plan.get(), *now, plan.get()); });
}

}  // namespace

void compare_with_entry(State& state, std::size_t entry) {
  auto& compared = state.part<ComparedEntry>();
  const auto& history = state.editing.history;
  if (entry >= history.size() || !history[entry].snapshot || history[entry].id == compared.entry) {
    return stop_comparing(state);
  }
  compared.entry = history[entry].id;
  compared.label = history[entry].label;
  compared.load = history[entry].load;
  compared.makespan = history[entry].makespan;
  compared.changes.reset();
  look(state, compared, **history[entry].snapshot);
}

void stop_comparing(State& state) {
  auto& compared = state.part<ComparedEntry>();
  compared.entry = 0;
  compared.changes.reset();
  compared.problem.reset();
  compared.work.cancel();
}

void poll_history_compare(State& state) {
  auto& compared = state.part<ComparedEntry>();
  if (compared.entry == 0) return;
  if (auto changes = compared.work.poll()) {
    compared.changes = std::move(*changes);
    state.settle_frames = 3;
  }
  const bool fresh =
      compared.problem_revision == state.problem_revision && compared.plan_revision == state.plan_revision;
  if (fresh || compared.work.running()) return;
  const Snapshot* before = snapshot_of(state, compared.entry);
  if (before == nullptr) return stop_comparing(state);
  look(state, compared, *before);
}

bool busy_history_compare(const State& state) {
  return state.part<ComparedEntry>().work.running();
}

}  // namespace stowage
