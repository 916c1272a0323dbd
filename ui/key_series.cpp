#include "ui/key_series.h"

#include <utility>

namespace stowage {

bool go_on(Workbench::State& state, KeySeries& series, const std::vector<BufferIndex>& moved) {
  const Editing& editing = state.editing;
  const double now = state.host.now();
  const bool entry_is_here = editing.drag_entry != 0 && editing.drag_entry == editing.history.present_id();
  const bool goes_on = series.moved == moved && now - series.last <= KeySeries::kSeconds &&
                       series.drag == editing.drag && (editing.busy() || entry_is_here);
  if (!goes_on) begin_edit_drag(state);
  series.moved = moved;
  series.drag = editing.drag;
  series.last = now;
  return goes_on;
}

void say_instead(Workbench::State& state, KeySeries& series, std::string words, bool error) {
  std::erase_if(state.notices, [&](const Notice& notice) { return notice.id == series.notice; });
  series.notice = 0;
  if (words.empty()) return;
  series.notice = state.next_notice;
  if (error) return state.complain(std::move(words));
  state.tell(std::move(words));
}

void say_what_came_of_it(Workbench::State& state, KeySeries& series, const Places& places,
                         const std::vector<bool>& along) {
  if (!state.editing.busy() && !state.editing.impossible.empty()) {
    return say_instead(state, series, state.editing.impossible, true);
  }
  MovedCollision collision;
  // A plan of the problem before says nothing of this one.
  const PlanFacts* facts = state.shown_facts();
  const bool current = facts != nullptr && !facts->stale && !state.editing.busy();
  if (current) look_for_collision(state, places, along, kCollisionSeconds, collision);
  say_instead(state, series, collision.found() ? collision_words(state.problem(), collision) : std::string());
}

}  // namespace stowage
