#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/chart/address_map.h"
#include "core/chart/lanes.h"
#include "ui/chart/canvas.h"
#include "ui/state.h"

namespace stowage {

/// Where the chart draws addresses. While all spaces are drawn at once, State::camera looks at the axis of all lanes,
/// and each lane has a view of its own; else the camera carries the map of the one space that is shown.
struct ChartSpaces {
  std::vector<SpaceLane> lanes;           // empty: one space at a time
  std::shared_ptr<const AddressMap> map;  // of that space; null: addresses are drawn where they are

  // What they were made for.
  struct Key {
    std::uint64_t problem_revision = ~std::uint64_t{0};
    std::uint64_t plan_revision = 0;
    std::uint16_t space = 0;
    bool stacked = false;
    bool shorten = true;
    std::vector<std::string> plans;  // the shown one, and those beside it
    bool operator==(const Key&) const = default;
  };
  Key key;
};

/// Settings keep these under their names in `layout`.
inline constexpr const char* kStackSetting = "stack_spaces";    // 1: all spaces at once
inline constexpr const char* kShortenSetting = "shorten_gaps";  // 0: far-apart ranges are drawn far apart
/// A switch in Settings::layout.
bool switched_on(const Workbench::State& state, const char* name, bool usually);
void switch_over(Workbench::State& state, const char* name, bool usually);

bool draws_all_spaces(const Workbench::State& state);
/// What the chart shows of a space; the camera itself unless all are drawn at once.
Viewport view_of_space(const Workbench::State& state, std::uint16_t space, const Viewport& camera);
/// The same of the space that edits and measurements speak of.
Viewport chart_view(const Workbench::State& state);
/// The space that a buffer lies in.
std::uint16_t space_of_buffer(const Workbench::State& state, BufferIndex buffer);
/// The offsets that are drawn in a space.
const std::vector<std::int64_t>& offsets_in_space(const Workbench::State& state, std::uint16_t space);
/// The space at a point of the chart.
std::uint16_t space_at(const Workbench::State& state, const Viewport& camera, Point at);

/// A camera that shows everything of the shown plan, and of those beside it.
Viewport view_of_everything(const Workbench::State& state);
/// One range of one space.
Viewport view_of_range(const Workbench::State& state, std::uint16_t space, const Hull& range);

}  // namespace stowage
