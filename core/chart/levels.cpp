#include "core/chart/levels.h"

#include <algorithm>

#include "core/chart/axis.h"

namespace stowage {

namespace {

constexpr float kTagSize = 11;
constexpr float kTagHeight = 18;
constexpr float kTagGap = 3;
constexpr float kTagPadding = 7;
constexpr float kInset = 4;  // from the right border

struct Tag {
  std::string text;
  Color color;
  float top = 0;
};

/// Pushes tags apart, downwards in their order, then back up from the lower border.
void spread(std::vector<Tag>& tags, float top, float bottom) {
  float least = top;
  for (Tag& tag : tags) {
    tag.top = std::max(tag.top, least);
    least = tag.top + kTagHeight + kTagGap;
  }
  float most = bottom - kTagHeight;
  for (std::size_t i = tags.size(); i-- > 0;) {
    tags[i].top = std::min(tags[i].top, most);
    most = tags[i].top - kTagHeight - kTagGap;
  }
}

void add_tag(Scene& scene, const Tag& tag, float right, const Theme& theme, const TextMeasure& measure) {
  const float width = measure.width(tag.text, kTagSize, FontFace::kSemibold) + 2 * kTagPadding;
  const Rect pill{right - width, tag.top, right, tag.top + kTagHeight};
  scene.add(draw::Fill{pill, tag.color, 4});
  scene.add(draw::Border{pill, with_alpha(theme.card, 0.55), 1, 4});
  const Color dark = rgb(0x0B0E13);
  const Color light = rgb(0xFFFFFF);
  const Color ink = contrast(dark, tag.color) >= contrast(light, tag.color) ? dark : light;
  scene.add(draw::Text{{pill.left + kTagPadding, pill.top + 2.5F},
                       tag.text,
                       ink,
                       kTagSize,
                       FontFace::kSemibold,
                       TextAlign::kLeft,
                       {},
                       false});
}

}  // namespace

std::vector<Level> joined(std::vector<Level> levels) {
  std::vector<Level> result;
  for (Level& level : levels) {
    const auto same =
        std::find_if(result.begin(), result.end(), [&](const Level& other) { return other.bytes == level.bytes; });
    if (same == result.end()) {
      result.push_back(std::move(level));
    } else {
      same->name += " = " + level.name;
      same->color = level.color;
    }
  }
  return result;
}

void add_levels(Scene& scene, const std::vector<Level>& levels, const Viewport& view, float scale, const Theme& theme,
                const TextMeasure& measure, ByteUnit unit) {
  const Rect area = view.area;
  std::vector<Tag> tags;
  for (const Level& level : joined(levels)) {
    const float y = snapped(view.y_of_address(level.bytes), scale);
    if (y > area.bottom) continue;
    const bool above = y < area.top;
    std::string text = level.name + " " + format_bytes(level.bytes, unit) + (above ? ", above" : "");
    if (measure.width(text, kTagSize, FontFace::kSemibold) + 2 * kTagPadding + kInset <= area.width() * 0.7F) {
      tags.push_back(Tag{std::move(text), level.color, y - kTagHeight / 2});
    }
    if (above) continue;
    const float middle = y - 0.5F / scale;
    scene.add(draw::Line{{area.left, middle}, {area.right, middle}, level.color, 1.5F, 5});
  }
  std::stable_sort(tags.begin(), tags.end(), [](const Tag& a, const Tag& b) { return a.top < b.top; });
  const auto room = static_cast<std::size_t>(std::max(0.0F, (area.height() - 2) / (kTagHeight + kTagGap)));
  if (tags.size() > room) tags.resize(room);
  spread(tags, area.top + 2, area.bottom - 2);
  for (const Tag& tag : tags) add_tag(scene, tag, area.right - kInset, theme, measure);
}

}  // namespace stowage
