#include <utility>

#include "core/chart/spaces_scene.h"
#include "ui/chart/canvas.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"
#include "ui/comparing.h"
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

const std::vector<bool>* shown_matches(const Workbench::State& state) {
  const std::vector<bool>& explained = state.part<Explaining>().members;
  if (explained.size() == state.problem().size()) return &explained;
  // Rows of another problem or filter may still be on their way.
  const bool current = state.rows.matches != nullptr && state.rows.matches->size() == state.problem().size();
  return current ? state.rows.matches.get() : nullptr;
}

namespace {

/// One space of a plan. Of a step of a replay, which is no plan yet, only the placed buffers are drawn.
PlanSceneInput input_of(Workbench::State& state, const ChartedPlan& charted, std::uint16_t space) {
  PlanSceneInput input;
  const Analysis& analysis = charted.analysis != nullptr ? *charted.analysis : state.analysis;
  input.problem = charted.problem != nullptr ? charted.problem : &state.problem();
  input.index = analysis.indexes[space].get();
  input.facts = space < analysis.spaces.size() ? &analysis.spaces[space] : &analysis.facts;
  input.offsets = charted.offsets;
  const PlanFacts* facts = charted.facts;
  if (space != state.space && state.drawn_instead == nullptr && facts != nullptr && space < facts->offsets.size()) {
    input.offsets = &facts->offsets[space];
  }
  if (facts != nullptr) {
    input.makespan = space < facts->spaces.size() ? facts->spaces[space].makespan : facts->metrics.makespan;
  }
  input.space = space;
  input.objects = charted.plan != nullptr && charted.plan->objects ? &*charted.plan->objects : nullptr;
  input.report = facts != nullptr ? &facts->report : nullptr;
  const bool by_kind = chosen_colouring(state) == ColourBy::kKind;
  if (const PastLook* look = charted.look) {
    input.selected = look->selected;
    input.matches = look->matches.empty() ? nullptr : &look->matches;
    input.colouring = by_kind ? nullptr : &look->colouring;
  } else {
    input.selected = state.selection;
    input.matches = shown_matches(state);
    input.colouring = by_kind ? nullptr : &colouring_of(state);
  }
  input.hatched = chosen_palette(state).hatched;
  input.unit = state.byte_unit();
  input.address_style = state.address_style();
  input.scale = state.ui.scale;
  return input;
}

}  // namespace

Scene make_map_scene(Workbench::State& state, const ChartedPlan& charted, const Viewport& view, float width,
                     float height, SceneStats& stats, bool bare) {
  Scene scene;
  scene.width = width;
  scene.height = height;
  const UiTextMeasure measure(state.ui.fonts, state.ui.scale);
  const Theme theme = coloured_theme(state);
  const std::vector<SpaceLane>& lanes = state.part<ChartSpaces>().lanes;
  if (lanes.empty()) {
    PlanSceneInput input = input_of(state, charted, state.space);
    input.bare = bare;
    input.labels = !bare;
    add_plan(scene, input, view, theme, measure, &stats);
    return scene;
  }
  std::vector<PlanSceneInput> inputs;
  for (const SpaceLane& lane : lanes) {
    inputs.push_back(input_of(state, charted, lane.space));
    inputs.back().bare = bare;
    inputs.back().labels = !bare;
  }
  add_spaces(scene, lanes, std::move(inputs), view, theme, measure, &stats);
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
