#include "core/chart/lanes.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double kLeastShare = 0.35;   // of the tallest lane's height
constexpr double kHeadroom = 0.07;     // above what is highest in a lane
constexpr double kNameRoom = 0.07;     // above that for its name, of all lanes together
constexpr double kBetween = 0.03;      // between two lanes, of the tallest
constexpr double kNearCapacity = 1.5;  // times makespan and load; a farther one would squeeze the plan

std::vector<AddressRange> used_addresses(const SpacePlan& plan) {
  std::vector<AddressRange> used;
  constexpr double kAlways = 0x1p80;
  plan.index->visit_entries(-kAlways, kAlways, [&](const ChartEntry& entry) {
    if (entry.buffer >= plan.offsets->size() || entry.size == 0) return;
    const std::int64_t offset = (*plan.offsets)[entry.buffer];
    if (offset == kNoOffset) return;
    used.push_back(AddressRange{offset, checked_add(offset, entry.size).value_or(kMaxInt64)});
  });
  return used;
}

}  // namespace

std::shared_ptr<const AddressMap> shortening_map(const SpacePlan& plan) {
  if (plan.offsets == nullptr || plan.index == nullptr || plan.facts == nullptr) return nullptr;
  // What is live at once lies side by side, so at least the load is in use.
  const bool may_be_sparse = Int128{plan.makespan} > Int128{plan.facts->load} * (AddressMap::kSparse + 1);
  if (!may_be_sparse) return nullptr;
  AddressMap map = AddressMap::shortening(used_addresses(plan));
  return map.is_identity() ? nullptr : std::make_shared<const AddressMap>(std::move(map));
}

std::int64_t top_of(const Problem& problem, std::uint16_t space, const SpacePlan& plan) {
  const std::int64_t highest = std::max({plan.makespan, plan.facts->load, std::int64_t{1}});
  const auto capacity = problem.capacity(space);
  const bool near = capacity && static_cast<double>(*capacity) <= kNearCapacity * static_cast<double>(highest);
  return near ? std::max(highest, *capacity) : highest;
}

std::vector<SpaceLane> stack_lanes(const Problem& problem, std::span<const SpacePlan> plans, bool shorten) {
  std::vector<std::shared_ptr<const AddressMap>> maps;
  std::vector<double> tops;
  double highest = 1;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    maps.push_back(shorten ? shortening_map(plans[k]) : nullptr);
    const std::int64_t top = top_of(problem, static_cast<std::uint16_t>(k), plans[k]);
    tops.push_back(maps[k] != nullptr ? maps[k]->drawn(top) : static_cast<double>(top));
    highest = std::max(highest, tops[k]);
  }
  std::vector<double> heights;
  double sum = 0;
  for (const double top : tops) {
    heights.push_back(highest * std::max(kLeastShare, std::sqrt(top / highest)));
    sum += heights.back();
  }
  std::vector<SpaceLane> lanes(plans.size());
  double at = 0;
  for (std::size_t k = plans.size(); k-- > 0;) {
    const AddressMap own = maps[k] != nullptr ? *maps[k] : AddressMap();
    lanes[k].space = static_cast<std::uint16_t>(k);
    lanes[k].map = std::make_shared<const AddressMap>(own.placed(at, heights[k] / tops[k]));
    lanes[k].low = at;
    lanes[k].high = at + heights[k] * (1 + kHeadroom) + sum * kNameRoom;
    at = lanes[k].high + highest * kBetween;
  }
  return lanes;
}

Viewport fit_lanes(const ProblemMetrics& facts, const std::vector<SpaceLane>& lanes, Rect area) {
  Viewport view = fit_all(facts, 1, area);
  if (lanes.empty()) return view;
  view.byte_origin = 0;
  view.byte_low = lanes.back().low;
  view.byte_high = lanes.front().high;
  return view;
}

Viewport lane_view(const Viewport& camera, const SpaceLane& lane, float title) {
  Viewport view = camera;
  const float bottom = camera.y_of(lane.low);
  const float top = camera.y_of(lane.high) + title;
  view.area.bottom = std::clamp(bottom, camera.area.top, camera.area.bottom);
  view.area.top = std::clamp(top, camera.area.top + title, std::max(view.area.bottom, camera.area.top + title));
  view.area.bottom = std::max(view.area.bottom, view.area.top);
  view.map = lane.map;
  if (view.area.height() < 1) {
    view.area.bottom = view.area.top;
    return view;
  }
  const double unit = 1 / camera.pixels_per_unit();
  view.byte_low = camera.byte_low + static_cast<double>(camera.area.bottom - view.area.bottom) * unit;
  view.byte_high = camera.byte_low + static_cast<double>(camera.area.bottom - view.area.top) * unit;
  return view;
}

const SpaceLane* lane_at(const Viewport& camera, const std::vector<SpaceLane>& lanes, float y) {
  for (const SpaceLane& lane : lanes) {
    if (y > camera.y_of(lane.high) && y <= camera.y_of(lane.low)) return &lane;
  }
  return nullptr;
}

}  // namespace stowage
