#include "core/chart/figure_frame.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/class_hatch.h"
#include "core/chart/colouring.h"
#include "core/chart/label.h"
#include "core/chart/load_scene.h"
#include "core/chart/plan_scene.h"
#include "core/chart/transform.h"
#include "core/model/load_curve.h"

namespace stowage {
namespace {

constexpr float kTitle = 21;
constexpr float kSubtitle = 13;
constexpr float kSmall = 12;
constexpr float kLegendGap = 16;
constexpr float kLegendName = 150;  // pixels of a name
constexpr float kSwatch = 10;

}  // namespace

FigureFrame::FigureFrame(float width, float height, float scale, ByteUnit unit, const Theme& theme,
                         const TextMeasure& measure)
    : theme_(theme), measure_(measure), unit_(unit) {
  const float factor = std::min(width / 1600, height / 1000);
  zoom_ = factor > 1 ? std::sqrt(factor) : 1.0F;
  scene_.width = width / zoom_;
  scene_.height = height / zoom_;
  scale_ = scale * zoom_;
  pad_ = scene_.width < 900 || scene_.height < 560 ? 14.0F : 24.0F;
  scene_.add(draw::Fill{{0, 0, scene_.width, scene_.height}, theme_.card, 0});
}

Scene FigureFrame::take() {
  return zoomed(std::move(scene_), zoom_);
}

void FigureFrame::text(Point at, std::string words, Color color, float size, FontFace face) {
  scene_.add(draw::Text{at, std::move(words), color, size, face, TextAlign::kLeft, {}, false});
}

float FigureFrame::header(const std::string& title, const std::string& subtitle, std::vector<Key> keys) {
  const float room = scene_.width - 2 * pad_;
  const std::string name = shortened(one_line(title), room, kTitle, FontFace::kSemibold, measure_);
  float right = pad_;
  if (!name.empty()) {
    text({pad_, pad_ - 4}, name, theme_.text, kTitle, FontFace::kSemibold);
    right += width_of(name, kTitle, FontFace::kSemibold) + 14;
  }
  const std::string second =
      shortened(one_line(subtitle), scene_.width - pad_ - right, kSubtitle, FontFace::kText, measure_);
  if (!second.empty()) {
    text({right, pad_ + 4}, second, theme_.dim, kSubtitle, FontFace::kText);
    right += width_of(second, kSubtitle, FontFace::kText) + 30;
  }
  const bool has_line = !name.empty() || !second.empty();
  return legend(has_line ? pad_ + 4 : pad_, has_line ? right : pad_, keys) + 8;
}

void FigureFrame::mark(Point at, const Key& key) {
  const Rect swatch{at.x, at.y + 3, at.x + kSwatch, at.y + 3 + kSwatch};
  if (key.kind == Key::Kind::kDashes) {
    const float x = at.x + kSwatch / 2;
    scene_.add(draw::Line{{x, swatch.top - 2}, {x, swatch.bottom + 2}, key.color, 1.5F, 3});
    return;
  }
  if (key.kind == Key::Kind::kHatched) {
    scene_.add(draw::Hatch{swatch, key.color, 4});
    scene_.add(draw::Border{swatch, key.border, 1, 0});
    return;
  }
  const bool filled = key.kind == Key::Kind::kFilled;
  scene_.add(draw::Fill{swatch, filled ? key.color : with_alpha(key.color, 0.10), 3});
  if (key.pattern) {
    for (const draw::Hatch& one : class_hatches(*key.pattern, swatch, key.border, 5)) scene_.add(one);
  }
  scene_.add(draw::Border{swatch, filled ? key.border : key.color, filled ? 1.0F : 1.5F, 3});
}

/// Right-aligned beside the title when it fits there, else in at most two rows below; what is left is counted.
float FigureFrame::legend(float top, float left, const std::vector<Key>& keys) {
  const float below_title = top + 24;
  if (keys.empty()) return below_title;
  std::vector<std::string> names;
  std::vector<float> widths;
  float total = 0;
  for (const Key& key : keys) {
    names.push_back(shortened(one_line(key.name), kLegendName, kSmall, FontFace::kText, measure_));
    widths.push_back(kSwatch + 6 + width_of(names.back(), kSmall, FontFace::kText) + kLegendGap);
    total += widths.back();
  }
  const float right = scene_.width - pad_;
  const bool beside = left + total - kLegendGap <= right;
  float x = beside ? right - total + kLegendGap : pad_;
  float y = beside ? top : below_title;
  int row = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool last = k + 1 == keys.size();
    const float reserve = last ? 0 : 70;  // for "+12 more"
    if (x > pad_ && x + widths[k] - kLegendGap + (row == 1 ? reserve : 0) > right + 0.5F) {
      if (row == 1) {
        text({x, y}, fmt::format("+{} more", keys.size() - k), theme_.dim, kSmall, FontFace::kText);
        break;
      }
      ++row;
      x = pad_;
      y += 20;
    }
    mark({x, y}, keys[k]);
    text({x + kSwatch + 6, y}, names[k], theme_.dim, kSmall, FontFace::kText);
    x += widths[k];
  }
  return std::max(below_title, y + 22);
}

float FigureFrame::fact_width(const Fact& fact) const {
  float width = 0;
  for (const Part& part : fact) width += width_of(part.text, kSmall, part.face) + 6;
  return width;
}

FigureFrame::Fact FigureFrame::bytes(std::string_view name, std::int64_t value) const {
  Fact fact = {Part{std::string(name), theme_.dim, FontFace::kText},
               Part{format_bytes(value, unit_), theme_.text, FontFace::kSemibold}};
  if (format_exact_bytes(value) != fact[1].text) {
    fact.push_back(Part{format_exact_bytes(value), theme_.dim, FontFace::kText});
  }
  return fact;
}

FigureFrame::Fact FigureFrame::words(std::string_view name, std::string value) const {
  return Fact{Part{std::string(name), theme_.dim, FontFace::kText},
              Part{std::move(value), theme_.text, FontFace::kSemibold}};
}

float FigureFrame::footer(const std::vector<Fact>& facts) {
  constexpr float kRow = 20;
  constexpr float kBetween = 26;
  const float right = scene_.width - pad_;
  std::vector<std::pair<std::size_t, float>> places;  // row, x
  std::size_t row = 0;
  float x = pad_;
  for (const Fact& fact : facts) {
    const float width = fact_width(fact);
    if (x > pad_ && x + width - 6 > right) {
      ++row;
      x = pad_;
    }
    places.emplace_back(row, x);
    x += width - 6 + kBetween;
  }
  const float top = scene_.height - pad_ + 6 - kRow * static_cast<float>(row + 1);
  for (std::size_t k = 0; k < facts.size(); ++k) {
    Point at{places[k].second, top + kRow * static_cast<float>(places[k].first)};
    for (const Part& part : facts[k]) {
      text(at, part.text, part.color, kSmall, part.face);
      at.x += width_of(part.text, kSmall, part.face) + 6;
    }
  }
  return top - 8;
}

FigureFrame::Areas FigureFrame::areas(float top, float bottom, bool has_chart) const {
  const Margins margins = chart_margins();
  const float left = snapped(pad_ + margins.left - 8, scale_);
  const float right = snapped(scene_.width - pad_ - margins.right + 8, scale_);
  const float load_bottom = snapped(bottom - 22, scale_);
  const float load_height = has_chart ? std::clamp((bottom - top) * 0.17F, 44.0F, 150.0F) : load_bottom - top - 10;
  const float load_top = snapped(load_bottom - load_height, scale_);
  const float chart_bottom = snapped(load_top - margins.bottom - 8, scale_);
  return Areas{Rect{left, snapped(top + 4, scale_), right, chart_bottom}, Rect{left, load_top, right, load_bottom}};
}

void FigureFrame::load_chart(const Problem& problem, const ProblemMetrics& facts, std::uint16_t space, Rect area,
                             const Viewport& times) {
  if (area.width() < 20 || area.height() < 20) return;
  const std::vector<LoadPoint> curve = load_curve(problem, space);
  LoadSceneInput load;
  load.curve = curve;
  load.facts = &facts;
  load.unit = unit_;
  load.time_unit = problem.time_unit();
  load.scale = scale_;
  Viewport view = times;
  view.area = area;
  view.byte_origin = 0;
  view.byte_low = 0;
  view.byte_high = static_cast<double>(std::max<std::int64_t>(facts.load, 1)) * 1.12;
  add_load(scene_, load, view, theme_, measure_);
  side_title("load", area);
}

void FigureFrame::side_title(const std::string& title, const Rect& area) {
  const float width = width_of(title, 11.5F, FontFace::kText);
  scene_.add(draw::Text{{area.left - chart_margins().left + 4, (area.top + area.bottom + width) / 2},
                        title,
                        theme_.dim,
                        11.5F,
                        FontFace::kText,
                        TextAlign::kLeft,
                        {},
                        true});
}

namespace {

FigureFrame::Key key_of_class(std::string name, std::size_t category, const Theme& theme, bool hatched) {
  return {std::move(name), theme.fill(category), theme.border(category), FigureFrame::Key::Kind::kFilled,
          hatched ? std::optional(category) : std::nullopt};
}

}  // namespace

std::vector<FigureFrame::Key> keys_of_classes(const Colouring& colouring, const Theme& theme, bool hatched) {
  std::vector<FigureFrame::Key> keys;
  for (std::size_t k = 0; k < colouring.legend.size(); ++k) {
    keys.push_back(key_of_class(colouring.legend[k].title, k, theme, hatched));
  }
  return keys;
}

std::vector<FigureFrame::Key> keys_of_kinds(const Problem& problem, std::uint16_t space, const Theme& theme,
                                            bool hatched) {
  if (problem.kinds().size() <= 1) return {};
  std::vector<std::size_t> counts(problem.kinds().size());
  for (const Buffer& buffer : problem.buffers()) {
    if (buffer.space == space) ++counts[buffer.kind];
  }
  std::vector<FigureFrame::Key> keys;
  const auto add = [&](std::uint16_t kind, std::string name) {
    keys.push_back(key_of_class(std::move(name), category_of_kind(problem, kind), theme, hatched));
  };
  for (std::size_t k = 1; k < counts.size(); ++k) {
    if (counts[k] > 0) add(static_cast<std::uint16_t>(k), problem.kinds()[k]);
  }
  if (counts[0] > 0 && !keys.empty()) add(0, "other");
  return keys;
}

}  // namespace stowage
