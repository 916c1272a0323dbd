#include "ui/saved_look.h"

#include "ui/chart/spaces.h"
#include "ui/state.h"

namespace stowage {
namespace {

using State = Workbench::State;

void restore_space(State& state, const std::string& id) {
  const auto spaces = state.problem().spaces();
  for (std::size_t k = 0; k < spaces.size() && k < state.analysis.indexes.size(); ++k) {
    if (spaces[k].id == id) state.space = static_cast<std::uint16_t>(k);
  }
}

}  // namespace

SavedView look_of(const State& state) {
  SavedView look;
  if (!state.camera_home && !draws_all_spaces(state)) {
    const Viewport camera = remapped(state.camera, nullptr);  // addresses, whatever the file is drawn with next time
    look.camera = SavedView::Camera{camera.time_low,  camera.time_high,   camera.byte_low,
                                    camera.byte_high, camera.time_origin, camera.byte_origin};
  }
  look.filter = state.query;
  look.plan = state.shown_plan;
  if (state.space > 0) look.space = state.problem().spaces()[state.space].id;
  look.selection = state.selection;
  return look;
}

void restore_look(State& state) {
  if (state.document.view.empty()) return;
  const SavedView look = read_view(state.document.view, state.problem());
  restore_space(state, look.space);
  if (state.document.find_plan(look.plan) != nullptr) show_plan(state, look.plan, true);
  if (!look.filter.empty()) apply(state, action::SetQuery{look.filter});
  if (!look.selection.empty()) apply(state, action::Select{look.selection, SelectMode::kReplace});
  const bool stacked = switched_on(state, kStackSetting, false) && state.problem().spaces().size() > 1;
  if (!look.camera || stacked) return show_everything(state, false);
  Viewport camera = state.camera;
  camera.time_low = look.camera->time_low;
  camera.time_high = look.camera->time_high;
  camera.byte_low = look.camera->byte_low;
  camera.byte_high = look.camera->byte_high;
  camera.time_origin = look.camera->time_origin;
  camera.byte_origin = look.camera->byte_origin;
  camera.map = nullptr;
  move_camera(state, camera, false);
}

}  // namespace stowage
