#include <utility>

#include "ui/chart/canvas.h"
#include "ui/colours.h"
#include "ui/explaining.h"
#include "ui/painter.h"
#include "ui/replay.h"

namespace stowage {

MapKey scene_key(const Workbench::State& state, float width, float height) {
  MapKey key;
  key.problem_revision = state.problem_revision;
  key.plan_revision = state.plan_revision;
  key.selection_revision = state.selection_revision;
  key.rows_revision = state.rows_revision;
  key.font_revision = state.font_revision;
  key.look_revision = state.look_revision;
  key.space = state.space;
  key.view = state.camera;
  key.width = width;
  key.height = height;
  key.scale = state.ui.scale;
  key.dark = state.ui.theme->dark;
  key.unit = state.settings.byte_unit;
  key.hex = state.settings.hex_addresses;
  return key;
}

Scene make_map_scene(Workbench::State& state, const ChartedPlan& charted, const Viewport& view, float width,
                     float height, SceneStats& stats) {
  PlanSceneInput input;
  input.problem = &state.problem();
  input.index = state.index();
  input.facts = &state.space_facts();
  input.offsets = charted.offsets;
  input.makespan = charted.facts != nullptr ? state.space_metrics(*charted.facts).makespan : 0;
  input.space = state.space;
  input.objects = charted.plan != nullptr && charted.plan->objects ? &*charted.plan->objects : nullptr;
  input.report = charted.facts != nullptr ? &charted.facts->report : nullptr;
  input.selected = state.selection;
  // Rows of another problem or filter may still be on their way.
  const bool current = state.rows.matches != nullptr && state.rows.matches->size() == state.problem().size();
  input.matches = current ? state.rows.matches.get() : nullptr;
  const std::vector<bool>& explained = state.part<Explaining>().members;
  if (explained.size() == state.problem().size()) input.matches = &explained;
  const bool by_kind = chosen_colouring(state) == ColourBy::kKind;
  input.colouring = by_kind ? nullptr : &colouring_of(state);
  input.hatched = chosen_palette(state).hatched;
  input.unit = state.byte_unit();
  input.address_style = state.address_style();
  input.scale = state.ui.scale;
  Scene scene;
  scene.width = width;
  scene.height = height;
  add_plan(scene, input, view, coloured_theme(state), UiTextMeasure(state.ui.fonts, state.ui.scale), &stats);
  return scene;
}

void rebuild_map(Workbench::State& state, const Canvas& canvas) {
  MapKey key = scene_key(state, canvas.width, canvas.height);
  if (state.map.built > 0 && state.map.key == key) return;
  SceneStats stats;
  // A step of a replay is no plan yet: nothing of the finished one is drawn beside it.
  const bool step = state.part<Replay>().ready();
  const ChartedPlan shown{step ? nullptr : state.plan(), step ? nullptr : state.shown_facts(), &state.drawn_offsets()};
  Scene scene = make_map_scene(state, shown, state.camera, canvas.width, canvas.height, stats);
  add_replay_marks(state, scene);
  state.map = CachedScene{std::move(key), std::move(scene), stats, state.map.built + 1};
}

}  // namespace stowage
