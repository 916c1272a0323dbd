#include "ui/hand_moves.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "ui/easing.h"
#include "ui/key_series.h"
#include "ui/neighbours.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostPlacesTried = 2'000;

/// Presses that place, apart from those that change lifetimes.
struct PlacingSeries {
  KeySeries keys;
};

/// The place that each of them gets; nothing when one has none, or would lie below 0 or beyond every address.
std::optional<Places> places_at(const State& state, const std::vector<BufferIndex>& moved, std::int64_t by) {
  Places places;
  for (const BufferIndex i : moved) {
    const std::int64_t offset = state.offsets()[i];
    if (offset == kNoOffset) return std::nullopt;
    const auto to = checked_add(offset, by);
    if (!to || *to < 0 || !checked_add(*to, state.problem()[i].size)) return std::nullopt;
    places.emplace_back(i, *to);
  }
  return places;
}

bool collides(const State& state, const Places& places, const std::vector<bool>& along) {
  MovedCollision search;
  look_for_collision(state, places, along, std::numeric_limits<double>::infinity(), search);
  return search.found();
}

/// Where the chosen buffer may come to rest, the nearest first: address 0 and the upper ends of what it lies beside.
std::vector<std::int64_t> resting_places(const State& state, const std::vector<BufferIndex>& moved, bool up) {
  const BufferIndex chosen = moved.front();
  const std::int64_t now = state.offsets()[chosen];
  const Grid grid = state.problem().grid(chosen);
  std::vector<std::int64_t> places;
  const auto add = [&](std::int64_t from) {
    const std::int64_t at = grid.up(from);
    if (at != kMaxInt64 && (up ? at > now : at < now)) places.push_back(at);
  };
  add(0);
  for (const BufferIndex i : conflicts_near(state.problem(), state.analysis, chosen)) {
    const bool along = std::find(moved.begin(), moved.end(), i) != moved.end();
    if (!along && state.offsets()[i] != kNoOffset) add(state.offsets()[i] + state.problem()[i].size);
  }
  std::sort(places.begin(), places.end());
  if (!up) std::reverse(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (places.size() > kMostPlacesTried) places.resize(kMostPlacesTried);
  return places;
}

/// Fixed ones: the offset that they are fixed at. A plan by hand or of the file is not made again: who is fixed
/// elsewhere now is put there as well.
void fix_at(State& state, const std::vector<BufferIndex>& moved, const Places& places) {
  EditRequest request;
  request.label = moved.size() == 1 ? "Fixed offset of " + printable_utf8(state.problem().id(moved.front()))
                                    : fmt::format("Fixed offset of {} buffers", moved.size());
  request.drag = true;
  for (const auto& [buffer, offset] : places) request.edits.emplace_back(edit::Pin{buffer, offset});
  edit_problem(state, std::move(request));
  const bool remade = find_allocator(state.shown_plan) != nullptr;
  if (!remade && state.problem().size() <= Editing::kAtOnce) place_by_hand(state, places, true);
}

void put(State& state, const std::vector<BufferIndex>& moved, const Places& places) {
  KeySeries& series = state.part<PlacingSeries>().keys;
  go_on(state, series, moved);
  if (state.problem()[moved.front()].is_fixed()) {
    fix_at(state, moved, places);
  } else {
    place_by_hand(state, places, true);
  }
  say_what_came_of_it(state, series, places, buffers_in(places, state.problem().size()));
}

}  // namespace

std::vector<BufferIndex> moved_along(const State& state, BufferIndex grabbed) {
  const Problem& problem = state.problem();
  const bool fixed = problem[grabbed].is_fixed();
  std::vector<BufferIndex> moved = {grabbed};
  std::vector<bool> along(problem.size(), false);
  along[grabbed] = true;
  const auto add = [&](BufferIndex i) {
    if (!along[i]) moved.push_back(i);
    along[i] = true;
  };
  for (const BufferIndex i : state.selection) {
    if (problem[i].is_fixed() == fixed) add(i);
  }
  if (fixed) return moved;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const std::uint32_t body = problem.bodies().of(moved[k]);
    if (body == Bodies::kNone) continue;
    for (const Body::Member& tied : problem.bodies()[body].members) add(tied.buffer);
  }
  return moved;
}

void place_one_step(State& state, bool up) {
  const std::vector<BufferIndex> moved = moved_along(state, state.chosen());
  Grid common{1, 0};
  for (const BufferIndex i : moved) {
    const auto both = intersect(common, Grid{state.problem().grid(i).step, 0});
    if (!both) return state.complain("The selected buffers have no step in common");
    common = *both;
  }
  std::int64_t by = up ? common.step : -common.step;
  if (moved.size() == 1) {
    // One that lies askew goes to the grid.
    const Grid grid = state.problem().grid(moved.front());
    const std::int64_t now = state.offsets()[moved.front()];
    if (now != kNoOffset && !grid.holds(now)) by = grid.up(now) - now - (up ? 0 : grid.step);
  }
  const auto places = places_at(state, moved, by);
  if (places) put(state, moved, *places);
}

void place_in_next_gap(State& state, bool up) {
  const std::vector<BufferIndex> moved = moved_along(state, state.chosen());
  std::optional<std::vector<bool>> along;
  for (const std::int64_t at : resting_places(state, moved, up)) {
    const auto places = places_at(state, moved, at - state.offsets()[moved.front()]);
    if (!along && places) along = buffers_in(*places, state.problem().size());
    if (places && !collides(state, *places, *along)) return put(state, moved, *places);
  }
  state.tell(up ? "There is no free place above" : "There is no free place below");
}

const char* why_not_placed(const State& state) {
  if (!state.editing.mode) return "the edit mode is off";
  if (state.selection.empty()) return "nothing is selected";
  if (state.plan() == nullptr || !shows_plan_itself(state)) return "no plan is shown";
  return state.offsets()[state.chosen()] == kNoOffset ? "it is not placed" : "";
}

}  // namespace stowage
