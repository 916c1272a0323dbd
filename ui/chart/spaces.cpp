#include "ui/chart/spaces.h"

#include <algorithm>
#include <utility>

#include "ui/board.h"
#include "ui/comparing.h"
#include "ui/replay.h"
#include "ui/services.h"

namespace stowage {
namespace {

using State = Workbench::State;

ChartSpaces::Key layout_key(const State& state) {
  ChartSpaces::Key key;
  key.problem_revision = state.problem_revision;
  key.plan_revision = state.plan_revision;
  key.stacked = switched_on(state, kStackSetting, false) && state.problem().spaces().size() > 1 && state.plan();
  key.space = key.stacked ? 0 : state.space;
  key.shorten = switched_on(state, kShortenSetting, true);
  key.plans = charted_plans(state);
  return key;
}

/// A space as its chart must have room for it: as high as the highest of the plans beside each other.
SpacePlan space_plan(const State& state, std::uint16_t space) {
  SpacePlan plan;
  plan.facts = space < state.analysis.spaces.size() ? &state.analysis.spaces[space] : &state.analysis.facts;
  plan.index = space < state.analysis.indexes.size() ? state.analysis.indexes[space].get() : nullptr;
  const PlanFacts* shown = state.shown_facts();
  plan.offsets = shown != nullptr && space < shown->offsets.size() ? &shown->offsets[space] : &state.offsets();
  for (const std::string& key : charted_plans(state)) {
    const auto side = side_of_key(state, key);
    if (!side || side->facts == nullptr) continue;
    const PlanFacts& facts = *side->facts;
    const PlanMetrics& metrics = space < facts.spaces.size() ? facts.spaces[space] : facts.metrics;
    plan.makespan = std::max(plan.makespan, metrics.makespan);
  }
  return plan;
}

std::shared_ptr<const AddressMap> map_of_shown(const State& state, const ChartSpaces::Key& key) {
  if (key.stacked || !key.shorten || !state.has_problem()) return nullptr;
  return shortening_map(space_plan(state, key.space));
}

bool same(const std::shared_ptr<const AddressMap>& a, const std::shared_ptr<const AddressMap>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace

bool switched_on(const State& state, const char* name, bool usually) {
  const auto found = state.settings.layout.find(name);
  return found == state.settings.layout.end() ? usually : found->second != 0;
}

void switch_over(State& state, const char* name, bool usually) {
  Settings to = state.settings;
  to.layout[name] = switched_on(state, name, usually) ? 0 : 1;
  apply(state, action::ChangeSettings{std::move(to)});
}

bool draws_all_spaces(const State& state) {
  return !state.part<ChartSpaces>().lanes.empty();
}

Viewport view_of_space(const State& state, std::uint16_t space, const Viewport& camera) {
  const std::vector<SpaceLane>& lanes = state.part<ChartSpaces>().lanes;
  return space < lanes.size() ? lane_view(camera, lanes[space]) : camera;
}

Viewport chart_view(const State& state) {
  return view_of_space(state, state.space, state.camera);
}

std::uint16_t space_of_buffer(const State& state, BufferIndex buffer) {
  if (!draws_all_spaces(state) || state.plan() == nullptr || buffer >= state.problem().size()) return state.space;
  return space_of(state.problem(), *state.plan(), buffer);
}

const std::vector<std::int64_t>& offsets_in_space(const State& state, std::uint16_t space) {
  if (space == state.space) return state.drawn_offsets();
  if (state.drawn_instead != nullptr && state.part<Replay>().places()) return *state.drawn_instead;
  const PlanFacts* facts = state.shown_facts();
  return facts != nullptr && space < facts->offsets.size() ? facts->offsets[space] : state.offsets();
}

std::uint16_t space_at(const State& state, const Viewport& camera, Point at) {
  const SpaceLane* lane = lane_at(camera, state.part<ChartSpaces>().lanes, at.y);
  return lane != nullptr ? lane->space : state.space;
}

Viewport view_of_everything(const State& state) {
  const Rect area = state.camera.area;
  if (!state.has_problem()) return board_view(area);
  const ChartSpaces& spaces = state.part<ChartSpaces>();
  if (!spaces.lanes.empty()) return fit_lanes(state.analysis.facts, spaces.lanes, area);
  return fit_all(state.space_facts(), space_plan(state, state.space).makespan, area, spaces.map);
}

Viewport view_of_range(const State& state, std::uint16_t space, const Hull& range) {
  const ChartSpaces& spaces = state.part<ChartSpaces>();
  const bool stacked = space < spaces.lanes.size();
  Viewport view = frame(range.start, range.end, range.low, range.high, state.camera.area,
                        stacked ? spaces.lanes[space].map : spaces.map);
  if (stacked) view.map = nullptr;  // the axis of all lanes
  return view;
}

void poll_spaces(State& state) {
  ChartSpaces& spaces = state.part<ChartSpaces>();
  // Nothing is moved about under a hand that drags.
  const bool fits = spaces.lanes.empty() || spaces.lanes.size() == state.problem().spaces().size();
  if (state.gesture.kind() == GestureKind::kEdit && fits) return;
  ChartSpaces::Key key = layout_key(state);
  if (key == spaces.key) {
    if (state.camera.map != spaces.map) state.camera = remapped(state.camera, spaces.map);
    return;
  }
  const bool other_axis = key.stacked != spaces.key.stacked;
  std::vector<SpaceLane> lanes;
  if (key.stacked) {
    std::vector<SpacePlan> plans;
    const auto count = static_cast<std::uint16_t>(state.problem().spaces().size());
    for (std::uint16_t k = 0; k < count; ++k) plans.push_back(space_plan(state, k));
    lanes = stack_lanes(state.problem(), plans, key.shorten);
  }
  std::shared_ptr<const AddressMap> map = map_of_shown(state, key);
  if (!same(map, spaces.map)) spaces.map = std::move(map);
  spaces.lanes = std::move(lanes);
  spaces.key = std::move(key);
  ++state.look_revision;
  if (state.camera.map != spaces.map) state.camera = remapped(state.camera, spaces.map);
  if (other_axis) {
    state.history.back.clear();
    state.history.forward.clear();
  }
  if (other_axis || state.camera_home) show_everything(state, false);
}

bool busy_spaces(const State&) {
  return false;
}

}  // namespace stowage
