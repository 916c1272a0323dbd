#include <utility>

#include "core/chart/spaces_scene.h"
#include "ui/chart/canvas.h"
#include "ui/chart/crowd_pictures.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/explaining.h"
#include "ui/painter.h"
#include "ui/replay.h"
#include "ui/what_if.h"

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

using State = Workbench::State;

/// One space of a plan. Of a step of a replay, which is no plan yet, only the placed buffers are drawn.
PlanSceneInput input_of(State& state, const ChartedPlan& charted, std::uint16_t space) {
  PlanSceneInput input;
  const Analysis& analysis = charted.analysis != nullptr ? *charted.analysis : state.analysis;
  input.problem = charted.problem != nullptr ? charted.problem.get() : &state.problem();
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
  // Of the plan itself: an entry of the history, or a step of a run, was not asked about.
  if (charted.problem == nullptr && charted.plan != nullptr) {
    input.asked_capacity = charted_capacity(state, space);
  }
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

constexpr const char* kMapChart = "map";

Scene make_map_scene(State& state, std::string_view chart, const MapKey& key, const ChartedPlan& charted, bool bare,
                     SceneStats& stats) {
  Scene scene;
  scene.width = key.width;
  scene.height = key.height;
  const UiTextMeasure measure(state.ui.fonts, state.ui.scale);
  const Theme theme = coloured_theme(state);
  const std::shared_ptr<const Problem>& problem = charted.problem != nullptr ? charted.problem : state.document.problem;
  const Analysis& analysis = charted.analysis != nullptr ? *charted.analysis : state.analysis;
  const auto input_with_picture = [&](std::uint16_t space, const Viewport& view) {
    PlanSceneInput input = input_of(state, charted, space);
    input.bare = bare;
    input.labels = !bare;
    attach_picture(state, chart, key, problem, analysis.indexes[space], view, theme, input);
    return input;
  };
  begin_pictures(state, chart);
  const std::vector<SpaceLane>& lanes = state.part<ChartSpaces>().lanes;
  if (lanes.empty()) {
    add_plan(scene, input_with_picture(state.space, key.view), key.view, theme, measure, &stats);
  } else {
    std::vector<PlanSceneInput> inputs;
    for (const SpaceLane& lane : lanes) {
      inputs.push_back(input_with_picture(lane.space, lane_view(key.view, lane, bare ? 0 : kLaneTitle)));
    }
    add_spaces(scene, lanes, std::move(inputs), key.view, theme, measure, &stats);
  }
  end_pictures(state, chart);
  return scene;
}

}  // namespace

bool renew_scene(State& state, std::string_view chart, CachedScene& scene, MapKey key, const ChartedPlan& charted,
                 bool bare) {
  if (scene.built > 0 && scene.key == key && !shows_coarse_picture(state, chart)) return false;
  SceneStats stats;
  Scene made = make_map_scene(state, chart, key, charted, bare, stats);
  scene = CachedScene{std::move(key), std::move(made), stats, scene.built + 1};
  return true;
}

void rebuild_map(State& state, const Canvas& canvas) {
  // A step of a replay is no plan yet: nothing of the finished one is drawn beside it.
  const bool step = state.part<Replay>().places();
  const ChartedPlan shown{step ? nullptr : state.plan(), step ? nullptr : state.shown_facts(), &state.drawn_offsets()};
  if (renew_scene(state, kMapChart, state.map, scene_key(state, canvas.width, canvas.height), shown)) {
    add_replay_marks(state, state.map.scene);
  }
}

bool shows_coarse_picture(const State& state) {
  return shows_coarse_picture(state, kMapChart);
}

}  // namespace stowage
