#include "ui/chart/crowd_pictures.h"

#include <algorithm>
#include <utility>

#include "core/chart/address_map.h"
#include "ui/services.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool same_view(Viewport a, Viewport b) {
  const bool same_map = a.map == b.map || (a.map != nullptr && b.map != nullptr && *a.map == *b.map);
  a.map = b.map = nullptr;
  return same_map && a == b;
}

bool same_key(MapKey a, MapKey b) {
  const bool view = same_view(a.view, b.view);
  a.view = b.view = Viewport{};
  return view && a == b;
}

/// Selection and fonts are drawn over the picture; rows matter where they dim the others.
MapKey picture_key(MapKey key, const Viewport& view, const PlanSceneInput& input) {
  key.view = view;
  key.space = input.space;
  key.selection_revision = 0;
  key.font_revision = 0;
  if (input.matches == nullptr) key.rows_revision = 0;
  return key;
}

/// The request as an input; `colouring` is what its classes lie in.
PlanSceneInput input_of_request(const CrowdRequest& request, Colouring& colouring) {
  PlanSceneInput input;
  input.problem = request.problem.get();
  input.index = request.index.get();
  input.offsets = &request.offsets;
  input.space = request.space;
  input.crowd = request.crowd;
  input.scale = request.scale;
  input.matches = request.matches ? &*request.matches : nullptr;
  if (request.classes) {
    colouring.classes = *request.classes;
    input.colouring = &colouring;
  }
  return input;
}

bool same_classes(const CrowdRequest& request, const PlanSceneInput& input) {
  if (!request.classes || input.colouring == nullptr) return !request.classes && input.colouring == nullptr;
  return *request.classes == input.colouring->classes;
}

bool same_matches(const CrowdRequest& request, const PlanSceneInput& input) {
  if (!request.matches || input.matches == nullptr) return !request.matches && input.matches == nullptr;
  return *request.matches == *input.matches;
}

/// Which buffers lie elsewhere than in the picture; nothing when something else has changed too, or too many have
/// moved.
std::optional<std::vector<BufferIndex>> moved_since(const CrowdRequest& request, const MapKey& key,
                                                    const PlanSceneInput& input, const Theme& theme) {
  MapKey revised = request.key;
  revised.problem_revision = key.problem_revision;
  revised.plan_revision = key.plan_revision;
  revised.look_revision = key.look_revision;
  revised.rows_revision = key.rows_revision;
  if (!same_key(revised, key) || request.problem.get() != input.problem || request.index.get() != input.index) {
    return std::nullopt;
  }
  const bool same_colours = request.theme.categories == theme.categories && request.theme.card == theme.card &&
                            same_classes(request, input) && same_matches(request, input);
  if (!same_colours || request.offsets.size() != input.offsets->size()) return std::nullopt;
  std::vector<BufferIndex> moved;
  for (std::size_t i = 0; i < request.offsets.size(); ++i) {
    if (request.offsets[i] == (*input.offsets)[i]) continue;
    if (moved.size() == CrowdPictures::kMostMoved) return std::nullopt;
    moved.push_back(static_cast<BufferIndex>(i));
  }
  return moved;
}

/// Brings the picture up to date where it is that of this view but for some moved buffers.
bool follow_moved(State& state, CrowdPicture& held, const MapKey& key, const PlanSceneInput& input,
                  const Theme& theme) {
  const auto moved = moved_since(*held.made_of, key, input, theme);
  if (!moved) return false;
  if (!moved->empty()) {
    Colouring classes;
    auto picture =
        repainted(held.picture, input_of_request(*held.made_of, classes), input, held.made_of->theme, *moved);
    if (!picture) return false;
    held.picture = std::move(*picture);
    for (const BufferIndex i : *moved) held.made_of->offsets[i] = (*input.offsets)[i];
    ++state.part<CrowdPictures>().repainted;
  }
  held.made_of->key = key;
  return true;
}

void begin_painting(CrowdPicture& held, CrowdRequest request) {
  held.running = std::make_shared<CrowdRequest>(std::move(request));
  held.work.start([shared = std::shared_ptr<const CrowdRequest>(held.running)](const std::stop_token& stop) {
    Colouring classes;
    return paint_plan(input_of_request(*shared, classes), shared->view, shared->theme, stop);
  });
}

void end_painting(CrowdPicture& held) {
  held.work.cancel();
  held.running.reset();
}

}  // namespace

void attach_picture(State& state, std::string_view chart, MapKey scene_key,
                    const std::shared_ptr<const Problem>& problem, const std::shared_ptr<const ChartIndex>& index,
                    const Viewport& given, const Theme& theme, PlanSceneInput& input) {
  const Viewport view = on_device_pixels(given, input.scale);
  const auto origin = static_cast<double>(view.time_origin);
  CrowdPicture& held = state.part<CrowdPictures>().charts[std::string(chart)][input.space];
  held.in_use = true;
  if (held.made_of != nullptr && held.made_of->opened != state.editing.opened) held.made_of.reset();
  if (index->at_most(origin + view.time_low, origin + view.time_high) <= CrowdPictures::kAtOnce)
    return end_painting(held);
  const MapKey key = picture_key(std::move(scene_key), view, input);
  const bool rests = same_key(held.wanted, key);
  held.wanted = key;
  if (held.made_of != nullptr && (same_key(held.made_of->key, key) || follow_moved(state, held, key, input, theme))) {
    end_painting(held);
    input.picture = &held.picture;
    return;
  }
  const bool on_its_way = held.running != nullptr && same_key(held.running->key, key);
  if (held.running == nullptr || (rests && !on_its_way)) {
    CrowdRequest request{key, state.editing.opened, problem,     index, *input.offsets, {},
                         {},  input.space,          input.crowd, view,  theme,          input.scale};
    if (input.matches != nullptr) request.matches = *input.matches;
    if (input.colouring != nullptr) request.classes = input.colouring->classes;
    begin_painting(held, std::move(request));
  }
  held.coarse = true;
  held.seen = held.made_of != nullptr ? seen_from(held.picture, input, view) : PlanPicture{};
  input.picture = &held.seen;
}

void begin_pictures(State& state, std::string_view chart) {
  for (auto& [space, held] : state.part<CrowdPictures>().charts[std::string(chart)]) held.in_use = held.coarse = false;
}

void end_pictures(State& state, std::string_view chart) {
  std::erase_if(state.part<CrowdPictures>().charts[std::string(chart)],
                [](const auto& one) { return !one.second.in_use; });
}

bool shows_coarse_picture(const State& state, std::string_view chart) {
  const auto& charts = state.part<CrowdPictures>().charts;
  const auto found = charts.find(chart);
  return found != charts.end() &&
         std::any_of(found->second.begin(), found->second.end(), [](const auto& one) { return one.second.coarse; });
}

void poll_crowd_pictures(State& state) {
  for (auto& chart : state.part<CrowdPictures>().charts) {
    for (auto& [space, held] : chart.second) {
      auto picture = held.work.poll();
      if (!picture) continue;
      held.picture = std::move(*picture);
      held.made_of = std::exchange(held.running, nullptr);
    }
  }
}

bool busy_crowd_pictures(const State& state) {
  const auto running = [](const auto& one) {
    return one.second.work.running();
  };
  const auto& charts = state.part<CrowdPictures>().charts;
  return std::any_of(charts.begin(), charts.end(),
                     [&](const auto& chart) { return std::any_of(chart.second.begin(), chart.second.end(), running); });
}

}  // namespace stowage
