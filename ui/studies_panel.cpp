#include "ui/studies_panel.h"

#include <utility>

#include "ui/services.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

}  // namespace

void start_study(State& state, std::string kind, std::string network) {
  auto& panel = state.part<StudiesPanel>();
  panel.kind = std::move(kind);
  panel.network = std::move(network);
  panel.study.reset();
  panel.failure.clear();
  StudyOptions options;
  options.network = panel.network;
  panel.work.start([id = panel.kind, options](const std::stop_token& stop) {
    RunContext context;
    context.stop = stop;
    return run_study(id, options, context);
  });
}

void cancel_study(State& state) {
  auto& panel = state.part<StudiesPanel>();
  panel.work.cancel();
  panel.kind.clear();
}

void poll_studies(State& state) {
  auto& panel = state.part<StudiesPanel>();
  auto study = panel.work.poll();
  if (!study) return;
  state.settle_frames = 3;
  ++panel.revision;
  if (*study) {
    panel.study = std::make_shared<const Study>(std::move(**study));
  } else if (study->error().kind != Error::Kind::kCancelled) {
    panel.failure = study->error().message;
  }
}

bool busy_studies(const State& state) {
  return state.part<StudiesPanel>().work.running();
}

}  // namespace stowage
