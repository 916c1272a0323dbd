#include "ui/painter.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "ui/widgets.h"

namespace stowage {
namespace {

struct ItemPainter {
  ImDrawList& list;
  const PaintTarget& target;
  const Fonts& fonts;
  Host& host;
  int image = 0;

  float at_x(float x) const { return target.origin.x + x * target.scale; }
  float at_y(float y) const { return target.origin.y + y * target.scale; }
  ImVec2 exact(Point p) const { return ImVec2(at_x(p.x), at_y(p.y)); }
  ImVec2 snapped(float x, float y) const { return ImVec2(std::round(at_x(x)), std::round(at_y(y))); }
  ImVec2 low(const Rect& r) const { return snapped(r.left, r.top); }
  /// At least one pixel from `low`, so that nothing vanishes.
  ImVec2 high(const Rect& r) const {
    const ImVec2 from = low(r);
    const ImVec2 to = snapped(r.right, r.bottom);
    return ImVec2(std::max(to.x, from.x + 1), std::max(to.y, from.y + 1));
  }

  void operator()(const draw::Fill& item) {
    list.AddRectFilled(low(item.rect), high(item.rect), u32(item.color), item.radius * target.scale);
  }

  void operator()(const draw::Border& item) {
    // AddRect strokes about the line half a pixel inside; the stroke has to lie within the rectangle.
    const float width = std::max(1.0F, std::round(item.width * target.scale));
    const float inset = width / 2 - 0.5F;
    const ImVec2 from = low(item.rect);
    const ImVec2 to = high(item.rect);
    if (to.x - from.x <= 2 * inset + 1 || to.y - from.y <= 2 * inset + 1) {
      list.AddRectFilled(from, to, u32(item.color));
      return;
    }
    list.AddRect(ImVec2(from.x + inset, from.y + inset), ImVec2(to.x - inset, to.y - inset), u32(item.color),
                 item.radius * target.scale, 0, width);
  }

  void operator()(const draw::Hatch& item) {
    draw_hatch(list, low(item.rect), high(item.rect), item.color, item.spacing * target.scale, item.lines);
  }

  void operator()(const draw::Line& item) {
    const float width = std::max(1.0F, item.width * target.scale);
    ImVec2 from = exact(item.from);
    ImVec2 to = exact(item.to);
    // Upright and level lines sit on whole pixels; others keep their place.
    if (from.x == to.x) from.x = to.x = std::round(from.x - 0.5F);
    if (from.y == to.y) from.y = to.y = std::round(from.y - 0.5F);
    if (item.dash <= 0) return list.AddLine(from, to, u32(item.color), width);
    const float dash = item.dash * target.scale;
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0) || length / dash > 20'000) return;
    const ImVec2 along((to.x - from.x) / length, (to.y - from.y) / length);
    for (float begin = 0; begin < length; begin += 2 * dash) {
      const float end = std::min(begin + dash, length);
      list.AddLine(ImVec2(from.x + along.x * begin, from.y + along.y * begin),
                   ImVec2(from.x + along.x * end, from.y + along.y * end), u32(item.color), width);
    }
  }

  void fill_below(const draw::Polyline& item) {
    const ImU32 color = u32(item.fill);
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    const float base = at_y(item.base_y);
    for (std::size_t k = 0; k + 1 < item.points.size(); ++k) {
      const ImVec2 a = exact(item.points[k]);
      const ImVec2 b = exact(item.points[k + 1]);
      if (a.x == b.x) continue;
      // Without smoothed edges, which would show as seams between neighbours.
      list.PrimReserve(6, 4);
      list.PrimQuadUV(a, b, ImVec2(b.x, base), ImVec2(a.x, base), uv, uv, uv, uv, color);
    }
  }

  void operator()(const draw::Polyline& item) {
    if (item.filled) fill_below(item);
    if (item.color.a == 0) return;
    // Segment by segment: where a dense curve turns back on itself, a joined stroke comes out with holes.
    const float width = std::max(1.0F, item.width * target.scale);
    for (std::size_t k = 0; k + 1 < item.points.size(); ++k) {
      list.AddLine(exact(item.points[k]), exact(item.points[k + 1]), u32(item.color), width);
    }
  }

  void operator()(const draw::Text& item) {
    const SizedFont font = font_for(fonts, item.face, item.size, target.scale);
    const char* begin = item.text.data();
    const char* end = begin + item.text.size();
    const float width = font.font->CalcTextSizeA(font.size, 1e9F, 0, begin, end).x;
    const float shift = item.align == TextAlign::kLeft ? 0 : item.align == TextAlign::kCenter ? width / 2 : width;
    if (item.vertical) return turned_text(item, font, shift);
    const ImVec2 at(std::floor(at_x(item.at.x) - shift), std::floor(at_y(item.at.y)));
    const bool clipped = item.clip.width() > 0 && item.clip.height() > 0;
    ImVec4 clip;
    if (clipped)
      clip = ImVec4(at_x(item.clip.left), at_y(item.clip.top), at_x(item.clip.right), at_y(item.clip.bottom));
    list.AddText(font.font, font.size, at, u32(item.color), begin, end, 0, clipped ? &clip : nullptr);
  }

  /// Draws a line of text, then turns its vertices a quarter counter-clockwise about its start.
  void turned_text(const draw::Text& item, const SizedFont& font, float shift) {
    const ImVec2 pivot(std::floor(at_x(item.at.x)), std::floor(at_y(item.at.y)));
    list.PushClipRect(ImVec2(-8192, -8192), ImVec2(16384, 16384));
    const int first = list.VtxBuffer.Size;
    list.AddText(font.font, font.size, ImVec2(pivot.x - shift, pivot.y), u32(item.color), item.text.data(),
                 item.text.data() + item.text.size());
    for (int k = first; k < list.VtxBuffer.Size; ++k) {
      ImVec2& p = list.VtxBuffer[k].pos;
      p = ImVec2(pivot.x + (p.y - pivot.y), pivot.y - (p.x - pivot.x));
    }
    list.PopClipRect();
  }

  void operator()(const draw::Image& item) {
    if (item.width <= 0 || item.height <= 0 || item.pixels == nullptr) return;
    const std::string slot = std::string(target.slot) + "." + std::to_string(image++);
    list.AddImage(host.texture(slot, item), low(item.rect), high(item.rect));
  }

  void operator()(const draw::PushClip& item) { list.PushClipRect(low(item.rect), high(item.rect), true); }
  void operator()(const draw::PopClip&) { list.PopClipRect(); }
};

}  // namespace

namespace {

/// Stripes x + y = c, or x - y = c, anchored at the origin of the plane so that neighbouring rectangles line up.
void slanted_stripes(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float step, float sign) {
  const float low = std::min(sign * from.y, sign * to.y);
  const float high = std::max(sign * from.y, sign * to.y);
  const float first = std::floor((from.x + low) / step) * step;
  const int count = static_cast<int>(std::min(4000.0F, (to.x - from.x + high - low) / step + 1));
  for (int k = 1; k <= count; ++k) {
    const float c = first + step * static_cast<float>(k);
    const float x_low = std::max(from.x, c - high);
    const float x_high = std::min(to.x, c - low);
    if (x_low >= x_high) continue;
    list.AddLine(ImVec2(x_low, sign * (c - x_low)), ImVec2(x_high, sign * (c - x_high)), color);
  }
}

void straight_stripes(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float step, bool upright) {
  const float low = upright ? from.x : from.y;
  const float high = upright ? to.x : to.y;
  const float first = std::ceil(low / step) * step;
  const int count = static_cast<int>(std::min(4000.0F, (high - low) / step + 1));
  for (int k = 0; k < count; ++k) {
    const float at = std::round(first + step * static_cast<float>(k));
    if (at >= high) return;
    list.AddLine(upright ? ImVec2(at, from.y) : ImVec2(from.x, at), upright ? ImVec2(at, to.y) : ImVec2(to.x, at),
                 color);
  }
}

}  // namespace

void draw_hatch(ImDrawList& list, ImVec2 from, ImVec2 to, Color color, float spacing, HatchLines lines) {
  const float step = std::max(2.0F, spacing);
  if (lines == HatchLines::kRising || lines == HatchLines::kFalling) {
    slanted_stripes(list, from, to, u32(color), step, lines == HatchLines::kRising ? 1.0F : -1.0F);
  } else {
    straight_stripes(list, from, to, u32(color), step, lines == HatchLines::kUpright);
  }
}

float UiTextMeasure::width(std::string_view text, float size, FontFace face) const {
  const SizedFont font = font_for(fonts_, face, size, scale_);
  return font.font->CalcTextSizeA(font.size, 1e9F, 0, text.data(), text.data() + text.size()).x / scale_;
}

void paint_scene(ImDrawList& list, const Scene& scene, const PaintTarget& target, const Fonts& fonts, Host& host) {
  ItemPainter painter{list, target, fonts, host};
  for (const DrawItem& item : scene.items) std::visit(painter, item);
}

}  // namespace stowage
