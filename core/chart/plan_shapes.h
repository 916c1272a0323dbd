#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/chart/geometry.h"
#include "core/chart/plan_scene.h"

namespace stowage {

/// One visible rectangle of a buffer in device pixels from the area's upper left corner, not snapped, at most a little
/// beyond the area.
struct Shape {
  BufferIndex buffer = kNoBuffer;
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
  bool mark = false;   // takes no memory, or is far below a pixel: drawn as a thin mark
  bool piece = false;  // of a buffer with gaps
  std::uint16_t kind = 0;
  float width() const { return right - left; }
  float height() const { return bottom - top; }
};

/// What is drawn how: a few large rectangles as vectors, all others in one image.
struct PlanShapes {
  std::vector<Shape> vectors;  // in order of start; tied ones after them, the small on top; marks last
  std::vector<Shape> crowd;
  std::size_t visited = 0;
  std::size_t faint = 0;     // of the crowd: far below a pixel; of few of them each is a mark
  bool large_crowd = false;  // some of the crowd could carry a label
};

/// Collects the visible rectangles. Up to `input.crowd` of them are all vectors; of more, only the largest of those
/// that could carry a label.
PlanShapes collect_shapes(const PlanSceneInput& input, const Viewport& view, const std::stop_token& stop = {});
/// The same of these buffers only, as vectors.
std::vector<Shape> shapes_of(const PlanSceneInput& input, const Viewport& view, std::span<const BufferIndex> buffers);
/// What of the crowd is live between two times, in the order of collect_shapes(). Nothing in it is large; `marks`:
/// faint ones are marks.
std::vector<Shape> crowd_between(const PlanSceneInput& input, const Viewport& view, double low, double high,
                                 bool marks);
bool is_faint(const Shape& shape);
bool are_marks(std::size_t faint);
/// It could carry a label.
bool is_large(const Shape& shape, float scale);

/// The part of the plane [start, end) x [low, high) in device pixels from the area's corner, as a shape is.
Shape shape_of(const Viewport& view, float scale, std::int64_t start, std::int64_t end, std::int64_t low,
               std::int64_t high);

/// Back to the scene's pixels, edges snapped, at least one device pixel wide and high.
Rect scene_rect(const Shape& shape, const Viewport& view, float scale);

inline constexpr float kLabelWidth = 46;
inline constexpr float kLabelHeight = 15;

}  // namespace stowage
