#include "ui/watching.h"

#include "ui/services.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool is_due(const State& state, const Watching& watching) {
  return watching.on && !state.gesture.dragging() && !state.loading.running() && !state.writing.running() &&
         state.host.now() - watching.looked_at >= Watching::kPause;
}

}  // namespace

void toggle_watching(State& state) {
  auto& watching = state.part<Watching>();
  watching.on = !watching.on;
  note_file(state);
  const std::string name = printable_utf8(title_of(state.document));
  state.tell(watching.on ? name + " is read again whenever it changes" : name + " is no longer watched");
}

void note_file(State& state) {
  auto& watching = state.part<Watching>();
  watching.watch.restart(state.document.path);
  watching.looked_at = state.host.now();
}

void poll_watching(State& state) {
  auto& watching = state.part<Watching>();
  if (!is_due(state, watching)) return;
  watching.looked_at = state.host.now();
  if (watching.watch.path() != state.document.path) return note_file(state);
  if (!watching.watch.changed()) return;
  if (is_dirty(state)) return ask_about_reload(state);
  start_loading(state, state.document.path, true);
}

bool busy_watching(const State& state) {
  return is_due(state, state.part<Watching>());
}

}  // namespace stowage
