#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/chart/address_map.h"
#include "core/chart/chart_index.h"
#include "core/chart/viewport.h"
#include "core/model/metrics.h"
#include "core/model/problem.h"

namespace stowage {

/// A plan in one space, as far as its lane needs it.
struct SpacePlan {
  const ProblemMetrics* facts = nullptr;               // of the space
  const std::vector<std::int64_t>* offsets = nullptr;  // kNoOffset: not in this space
  const ChartIndex* index = nullptr;                   // of the space
  std::int64_t makespan = 0;                           // of the space
};

/// One space's part of the address axis, when all spaces are drawn at once.
struct SpaceLane {
  std::uint16_t space = 0;
  double low = 0;  // on the axis, where the lane's addresses begin and where it ends
  double high = 0;
  std::shared_ptr<const AddressMap> map;  // never null
};

/// Where the addresses of a plan are drawn when far-apart ranges come together; null: where they are. Quick for every
/// plan that is not sparse.
std::shared_ptr<const AddressMap> shortening_map(const SpacePlan& plan);

/// How high a chart of one space must be: makespan and load, and a capacity that is not much above them.
std::int64_t top_of(const Problem& problem, std::uint16_t space, const SpacePlan& plan);

/// Lanes one above the other, the first space on top. The tallest has one unit of the axis a byte; a lower one is drawn
/// larger, as the root of its share, so that a small memory beside a large one can be read. `shorten`: each lane with
/// its shortening_map().
std::vector<SpaceLane> stack_lanes(const Problem& problem, std::span<const SpacePlan> plans, bool shorten);

/// The horizon and all lanes.
Viewport fit_lanes(const ProblemMetrics& facts, const std::vector<SpaceLane>& lanes, Rect area);

inline constexpr float kLaneTitle = 20;  // logical pixels above a lane's area for its name

/// The part of a camera over all lanes that shows one of them, with an area of its own: it speaks of the addresses of
/// that space. The area has no height when the lane is out of sight; above it `title` pixels of the lane are left free.
Viewport lane_view(const Viewport& camera, const SpaceLane& lane, float title = kLaneTitle);

/// The lane at a height of the scene; null between two of them.
const SpaceLane* lane_at(const Viewport& camera, const std::vector<SpaceLane>& lanes, float y);

}  // namespace stowage
