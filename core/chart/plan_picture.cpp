#include "core/chart/plan_picture.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/base/integers.h"
#include "core/chart/coverage.h"
#include "core/chart/plan_colors.h"

namespace stowage {

namespace {

constexpr double kMostImagePixels = 0x1p25;
constexpr float kMostStretched = 1e5F;          // pixels to which a picture is stretched; then it shows nothing
constexpr std::size_t kMostRepainted = 50'000;  // buffers; beyond, a picture made anew is not much more work

std::uint64_t next_picture_revision() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Only giant pictures are painted more coarsely than their device pixels.
float shrink_of(const Rect& area, float scale) {
  const double pixels = static_cast<double>(area.width() * scale) * static_cast<double>(area.height() * scale);
  return pixels > kMostImagePixels ? static_cast<float>(std::sqrt(kMostImagePixels / pixels)) : 1.0F;
}

std::vector<CoverageRect> coverage_of(const std::vector<Shape>& shapes, const PlanColors& colors, float shrink) {
  std::vector<CoverageRect> rects;
  rects.reserve(shapes.size());
  for (const Shape& shape : shapes) {
    const PlanColors::Colors& color = colors.of(shape.buffer, shape.kind);
    rects.push_back(CoverageRect{shape.left * shrink, shape.top * shrink, shape.right * shrink, shape.bottom * shrink,
                                 color.fill, color.border, shape.mark});
  }
  return rects;
}

draw::Image paint_crowd(const PlanSceneInput& input, const std::vector<Shape>& shapes, const Viewport& view,
                        const Theme& theme, const std::stop_token& stop) {
  draw::Image image;
  if (shapes.empty()) return image;
  const float shrink = shrink_of(view.area, input.scale);
  image.rect = view.area;
  image.width = std::max(1, static_cast<int>(std::lround(view.area.width() * input.scale * shrink)));
  image.height = std::max(1, static_cast<int>(std::lround(view.area.height() * input.scale * shrink)));
  const std::vector<CoverageRect> rects = coverage_of(shapes, PlanColors(input, theme), shrink);
  image.pixels =
      std::make_shared<const std::vector<std::uint32_t>>(paint_coverage(rects, image.width, image.height, stop));
  image.revision = next_picture_revision();
  return image;
}

/// Pixels that a shape may change: snapping moves an edge by less than one.
PixelRect pixels_of(const Shape& shape) {
  return PixelRect{static_cast<int>(std::floor(shape.left)) - 1, static_cast<int>(std::floor(shape.top)) - 1,
                   static_cast<int>(std::ceil(shape.right)) + 2, static_cast<int>(std::ceil(shape.bottom)) + 2};
}

/// The times that pixels [left, right) of an image show, and a little beyond.
std::pair<double, double> times_of(const PixelRect& part, const Viewport& view, float scale) {
  return {view.time_at(view.area.left + static_cast<float>(part.left - 2) / scale),
          view.time_at(view.area.left + static_cast<float>(part.right + 2) / scale)};
}

double between(std::int64_t from, std::int64_t to) {
  return static_cast<double>(static_cast<Int128>(to) - from);
}

/// Where one view lies in another one.
Rect placed_in(const Viewport& there, const Viewport& view) {
  const double time = between(view.time_origin, there.time_origin) - view.time_low;
  const double byte = between(view.byte_origin, there.byte_origin) - view.byte_low;
  const auto x = [&](double at) {
    return view.area.left + static_cast<float>((time + at) * view.pixels_per_time());
  };
  const auto y = [&](double at) {
    return view.area.bottom - static_cast<float>((byte + at) * view.pixels_per_unit());
  };
  return Rect{x(there.time_low), y(there.byte_high), x(there.time_high), y(there.byte_low)};
}

bool shows_something(const Rect& rect, const Rect& area) {
  const bool near = std::max({std::abs(rect.left), std::abs(rect.top), std::abs(rect.right), std::abs(rect.bottom)}) <
                    kMostStretched;  // false also for what is no number
  return near && rect.right > area.left && rect.left < area.right && rect.bottom > area.top && rect.top < area.bottom;
}

}  // namespace

PlanPicture paint_plan(const PlanSceneInput& input, const Viewport& view, const Theme& theme,
                       const std::stop_token& stop) {
  PlanShapes shapes = collect_shapes(input, view, stop);
  PlanPicture picture;
  picture.view = view;
  picture.stats = SceneStats{shapes.visited, shapes.vectors.size(), shapes.crowd.size()};
  picture.faint = shapes.faint;
  picture.large_crowd = shapes.large_crowd;
  picture.image = paint_crowd(input, shapes.crowd, view, theme, stop);
  picture.vectors = std::move(shapes.vectors);
  return picture;
}

PlanPicture seen_from(const PlanPicture& picture, const PlanSceneInput& input, const Viewport& view) {
  PlanPicture seen;
  seen.view = view;
  std::vector<BufferIndex> buffers;
  for (const Shape& shape : picture.vectors) {
    if (buffers.empty() || buffers.back() != shape.buffer) buffers.push_back(shape.buffer);
  }
  seen.vectors = shapes_of(input, view, buffers);
  seen.stats = SceneStats{buffers.size(), seen.vectors.size(), picture.stats.raster};
  const Rect rect = placed_in(picture.view, view);
  if (picture.image.pixels == nullptr || !shows_something(rect, view.area)) return seen;
  seen.image = picture.image;
  seen.image.rect = rect;
  return seen;
}

std::optional<PlanPicture> repainted(const PlanPicture& picture, const PlanSceneInput& before,
                                     const PlanSceneInput& input, const Theme& theme,
                                     std::span<const BufferIndex> moved) {
  const Viewport& view = picture.view;
  const draw::Image& image = picture.image;
  if (image.pixels == nullptr || picture.large_crowd || shrink_of(view.area, input.scale) != 1.0F) return std::nullopt;
  const std::vector<Shape> old_shapes = shapes_of(before, view, moved);
  const std::vector<Shape> new_shapes = shapes_of(input, view, moved);
  PlanPicture after = picture;
  std::vector<PixelRect> parts;
  std::size_t looked_at = 0;
  const auto note = [&](const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      if (is_large(shape, input.scale)) return false;
      parts.push_back(pixels_of(shape));
      const auto [low, high] = times_of(parts.back(), view, input.scale);
      looked_at += input.index->at_most(low, high);
    }
    return looked_at <= kMostRepainted;
  };
  if (!note(old_shapes) || !note(new_shapes)) return std::nullopt;
  // Whether few enough are faint to be marks, and many enough visible to be a crowd, depends on all of them.
  after.stats.raster = picture.stats.raster - old_shapes.size() + new_shapes.size();
  const auto faint_in = [](const std::vector<Shape>& shapes) {
    return static_cast<std::size_t>(std::count_if(shapes.begin(), shapes.end(), is_faint));
  };
  after.faint = picture.faint - faint_in(old_shapes) + faint_in(new_shapes);
  if (are_marks(after.faint) != are_marks(picture.faint)) return std::nullopt;
  if (after.stats.raster + after.stats.vectors <= input.crowd) return std::nullopt;
  if (parts.empty()) return after;
  auto pixels = std::make_shared<std::vector<std::uint32_t>>(*image.pixels);
  const PlanColors colors(input, theme);
  for (const PixelRect& part : parts) {
    const auto [low, high] = times_of(part, view, input.scale);
    const std::vector<Shape> shapes = crowd_between(input, view, low, high, are_marks(after.faint));
    repaint_coverage(*pixels, image.width, image.height, part, coverage_of(shapes, colors, 1));
  }
  after.image.pixels = std::move(pixels);
  after.image.revision = next_picture_revision();
  return after;
}

}  // namespace stowage
