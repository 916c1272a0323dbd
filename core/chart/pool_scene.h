#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/pools/pool_run.h"
#include "core/pools/trace.h"

namespace stowage {

/// A pool over time. All pointers must be set.
struct PoolSceneInput {
  const PoolRun* run = nullptr;
  const Trace* trace = nullptr;
  const std::vector<std::int64_t>* places = nullptr;  // of the events and of the end: places_of
  std::string time_unit = "event";
  bool labels = true;
  ByteUnit unit = ByteUnit::kAuto;
  std::size_t crowd = 20'000;  // above so many visible blocks, those without room for a name are painted into one image
  float scale = 1;             // device pixels per logical pixel
};

/// Segments as outlined regions over time with their groups, in them blocks with the ids of their allocations; bytes in
/// a block that nobody asked for are hatched, waiting blocks are pale and hatched, requests that failed are red lines.
void add_pool(Scene& scene, const PoolSceneInput& input, const Viewport& view, const Theme& theme,
              const TextMeasure& measure);

/// How high the blocks of a pool reach, and a part of what lies free above; pools may reserve far more than they use.
std::int64_t shown_height(const PoolRun& run);

}  // namespace stowage
