#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/chart/geometry.h"

namespace stowage {

enum class FontFace { kText, kSemibold, kMono };
enum class TextAlign { kLeft, kCenter, kRight };
/// Rising like a slash, falling like a backslash.
enum class HatchLines { kRising, kFalling, kUpright, kLevel };

/// What a painter must be able to draw. Coordinates are logical pixels of the scene, origin top left.
namespace draw {
struct Fill {
  Rect rect;
  Color color;
  float radius = 0;
};
/// The stroke lies inside the rectangle.
struct Border {
  Rect rect;
  Color color;
  float width = 1;
  float radius = 0;
};
/// Stripes inside a rectangle: padding, gaps, patterns of classes.
struct Hatch {
  Rect rect;
  Color color;
  float spacing = 6;
  HatchLines lines = HatchLines::kRising;
};
struct Line {
  Point from;
  Point to;
  Color color;
  float width = 1;
  float dash = 0;  // length of dashes and of the blanks between; 0: solid
};
/// At most two points for each pixel column; with `fill`, the area down to `base_y` is filled too.
struct Polyline {
  std::vector<Point> points;
  Color color;
  float width = 1;
  bool filled = false;
  Color fill;
  float base_y = 0;
};
/// One line of text; `at` is the left/centre/right end of the baseline box's top. Clipped to `clip` when it has an
/// area.
struct Text {
  Point at;
  std::string text;  // valid UTF-8
  Color color;
  float size = 13;  // pixels
  FontFace face = FontFace::kText;
  TextAlign align = TextAlign::kLeft;
  Rect clip;
  bool vertical = false;  // rotated 90 degrees counter-clockwise, reading upwards; `at` is then the start of the line
};
/// RGBA, straight alpha, rows from the top; stretched over `rect`. Shared, so that copies of a scene are cheap.
struct Image {
  Rect rect;
  int width = 0;
  int height = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> pixels;  // 0xAABBGGRR in memory order R,G,B,A
  std::uint64_t revision = 0;                                // changes whenever the pixels do
};
/// Everything until PopClip is cut to this rectangle.
struct PushClip {
  Rect rect;
};
struct PopClip {};
}  // namespace draw

using DrawItem = std::variant<draw::Fill, draw::Border, draw::Hatch, draw::Line, draw::Polyline, draw::Text,
                              draw::Image, draw::PushClip, draw::PopClip>;

/// A display list: the same one is painted by the window and by Cairo, so the pictures agree.
struct Scene {
  float width = 0;
  float height = 0;
  std::vector<DrawItem> items;

  template <typename Item>
  void add(Item item) {
    items.emplace_back(std::move(item));
  }
};

/// The width of a text in logical pixels; painters and headless tests give their own.
class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  virtual float width(std::string_view text, float size, FontFace face) const = 0;
};

}  // namespace stowage
