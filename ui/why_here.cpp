#include "ui/why_here.h"

#include <utility>

#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool is_fresh(const State& state, const WhyView& view) {
  return view.buffer == state.chosen() && view.problem_revision == state.problem_revision &&
         view.plan_revision == state.plan_revision;
}

}  // namespace

bool WhyView::panel_shown() const {
  return ImGui::GetFrameCount() - shown_in_frame <= 1;
}

const WhyHere* why_here(const State& state) {
  const auto& view = state.part<WhyView>();
  return view.here && is_fresh(state, view) ? &*view.here : nullptr;
}

void poll_why_here(State& state) {
  auto& view = state.part<WhyView>();
  if (auto found = view.work.poll()) {
    view.here.reset();
    view.unknown.clear();
    if (*found) {
      view.here = std::move(**found);
    } else {
      view.unknown = found->error().message;
    }
    state.settle_frames = 3;
  }
  if (!view.panel_shown() || is_fresh(state, view) || view.work.running()) return;
  const Plan* plan = state.plan();
  if (plan == nullptr || state.chosen() == kNoBuffer) return;
  view.here.reset();  // what it says of another problem must not be taken for the answer
  view.unknown.clear();
  view.buffer = state.chosen();
  view.problem_revision = state.problem_revision;
  view.plan_revision = state.plan_revision;
  view.work.start([problem = state.document.problem, plan = *plan, buffer = view.buffer](const std::stop_token&) {
    return why(*problem, plan, buffer);
  });
}

bool busy_why_here(const State& state) {
  return state.part<WhyView>().work.running();
}

}  // namespace stowage
