#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "core/chart/geometry.h"
#include "ui/state.h"

namespace stowage {

/// The chart's canvas in this frame: scene coordinates are logical pixels from `origin`.
struct Canvas {
  ImVec2 origin;
  float width = 0;   // logical
  float height = 0;  // logical
  float scale = 1;
  Point mouse;  // logical
  bool hovered = false;

  ImVec2 device(float x, float y) const { return ImVec2(origin.x + x * scale, origin.y + y * scale); }
};

/// Logical pixels beside thin buffers that still hit them.
inline constexpr float kPickTolerance = 3;

/// The key of a scene of this size, from everything that the charts depend on.
MapKey scene_key(const Workbench::State& state, float width, float height);
struct PastLook;
/// A plan with the offsets that are drawn of it.
struct ChartedPlan {
  const Plan* plan = nullptr;
  const PlanFacts* facts = nullptr;
  const std::vector<std::int64_t>* offsets = nullptr;
  // Of an entry of the history, which has a problem of its own; null: the open one.
  std::shared_ptr<const Problem> problem = {};
  const Analysis* analysis = nullptr;
  const PastLook* look = nullptr;
};
/// Makes the scene of one plan with the selection, filter and colours of the moment when something has changed; `view`
/// is that of the key. A crowd may be a coarse picture of an earlier moment; then it is made again in the next frame.
/// `chart` names what it is drawn on, `bare`: rectangles only. True when it was made.
bool renew_scene(Workbench::State& state, std::string_view chart, CachedScene& scene, MapKey key,
                 const ChartedPlan& charted, bool bare = false);
/// Which buffers are not dimmed: what the filter finds, or what an explanation speaks of. Null: nothing is dimmed, or
/// they are still being looked for.
const std::vector<bool>* shown_matches(const Workbench::State& state);
/// Makes the scene of the memory map again when something that it shows has changed.
void rebuild_map(Workbench::State& state, const Canvas& canvas);
/// The crowd of the memory map is a picture of an earlier moment; the exact one is on its way.
bool shows_coarse_picture(const Workbench::State& state);

/// The view after this frame's turn of the wheel: both axes about the cursor; over an axis or with Shift or Ctrl only
/// one. Nothing while the wheel rests.
std::optional<Viewport> zoomed_by_wheel(const Viewport& view, const Canvas& canvas);
/// A double click: the buffer is selected, if it is one, and its place framed; without a place everything is shown.
void frame_clicked(Workbench::State& state, BufferIndex buffer, std::uint16_t space, const std::optional<Hull>& place);
/// The release of the button ends a double click: the view has moved, and what lies under the pointer was not clicked.
bool ends_double_click();

/// What the mouse does on the canvas: zooming by the wheel; a press that becomes a pan, a box, a measurement or a
/// click. `hit` is the buffer under the pointer.
void zoom_with_wheel(Workbench::State& state, const Canvas& canvas);
void drive_gesture(Workbench::State& state, const Canvas& canvas, BufferIndex hit);

/// What is drawn over the scene, fresh in each frame: the cursor's line, the running drag, the hovered buffer.
void draw_cursor_line(const Workbench::State& state, const Canvas& canvas);
void draw_drag(Workbench::State& state, const Canvas& canvas);
void draw_hover(Workbench::State& state, const Canvas& canvas);

}  // namespace stowage
