#include "core/chart/boxes_scene.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/label.h"
#include "core/chart/plan_scene.h"
#include "core/chart/plan_shapes.h"

namespace stowage {
namespace {

using State = BoxShape::State;
using Kind = BoxingSet::Kind;

constexpr float kLeastSide = 0.35F;  // pixels; smaller ones are left out
constexpr float kLabelSize = 11;
constexpr float kTitle = 15;           // height of a box's title
constexpr float kTitledHeight = 32;    // from here on there is one
constexpr float kLeastLabel = 16;      // wide
constexpr float kPadding = 2;          // between a box and its contents
constexpr float kPaddedSide = 12;      // from here on
constexpr float kLeastPointSide = 14;  // of a box whose critical points are drawn
constexpr float kLeastHatched = 6;     // side of the box of a strip
constexpr float kDash = 4;

/// A shape in the picture.
struct Placed {
  std::size_t shape = 0;
  Rect rect;
  Rect inner;  // where its contents lie
  bool titled = false;
};

/// Outer boxes lie where their addresses are; contents are fitted into what the title leaves of their box.
class Places {
 public:
  Places(const BoxesSceneInput& input, const Viewport& view) : input_(input), view_(view) {
    const std::vector<BoxShape>& shapes = input.layout->shapes;
    std::vector<std::size_t> around;  // by depth, indices into placed_
    int hidden = kNone;               // whatever is deeper lies in something too small to be seen
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const BoxShape& shape = shapes[k];
      if (shape.depth > hidden) continue;
      hidden = kNone;
      around.resize(static_cast<std::size_t>(shape.depth));
      Placed placed;
      placed.shape = k;
      if (!(around.empty() ? outer(shape, placed.rect) : nested(shape, placed_[around.back()], placed.rect))) {
        hidden = shape.depth;
        continue;
      }
      make_room(shape, placed);
      if (shape.is_box()) around.push_back(placed_.size());
      placed_.push_back(placed);
    }
    thin_out();
  }

  const std::vector<Placed>& all() const { return placed_; }

 private:
  static constexpr int kNone = 1 << 30;

  bool is_visible(const Rect& rect) const {
    return rect.right > view_.area.left && rect.left < view_.area.right && rect.bottom > view_.area.top &&
           rect.top < view_.area.bottom;
  }

  bool outer(const BoxShape& shape, Rect& rect) const {
    const Shape pixels = shape_of(view_, input_.scale, shape.start, shape.end, shape.low, shape.high);
    if (pixels.width() < kLeastSide || pixels.height() < kLeastSide) return false;
    rect = scene_rect(pixels, view_, input_.scale);
    return is_visible(rect);
  }

  bool nested(const BoxShape& shape, const Placed& around, Rect& rect) const {
    const BoxShape& box = input_.layout->shapes[around.shape];
    const Shape pixels = shape_of(view_, input_.scale, shape.start, shape.end, shape.low, shape.high);
    if (pixels.width() < kLeastSide) return false;
    const Rect exact = scene_rect(pixels, view_, input_.scale);
    rect.left = std::clamp(exact.left, around.inner.left, around.inner.right);
    rect.right = std::clamp(exact.right, around.inner.left, around.inner.right);
    rect.top = y_inside(shape.high, box, around.inner);
    rect.bottom = y_inside(shape.low, box, around.inner);
    return rect.width() >= kLeastSide && rect.height() >= kLeastSide && is_visible(rect);
  }

  float y_inside(std::int64_t byte, const BoxShape& box, const Rect& inner) const {
    const double height = static_cast<double>(std::max<std::int64_t>(1, box.high - box.low));
    const double share = static_cast<double>(byte - box.low) / height;
    return snapped(inner.bottom - static_cast<float>(share) * inner.height(), input_.scale);
  }

  void make_room(const BoxShape& shape, Placed& placed) const {
    placed.inner = placed.rect;
    if (!shape.is_box()) return;
    const Rect& rect = placed.rect;
    placed.titled = input_.labels && rect.height() >= kTitledHeight && rect.width() >= kLabelWidth;
    const float across = rect.width() >= kPaddedSide ? kPadding : 0;
    const float down = rect.height() >= kPaddedSide ? kPadding : 0;
    placed.inner =
        Rect{rect.left + across, rect.top + (placed.titled ? kTitle : down), rect.right - across, rect.bottom - down};
  }

  /// The smallest go when there are too many. A box is at least as large as what is in it.
  void thin_out() {
    if (placed_.size() <= input_.most) return;
    const auto side = [](const Placed& placed) {
      return std::min(placed.rect.width(), placed.rect.height());
    };
    std::vector<float> sides;
    for (const Placed& placed : placed_) sides.push_back(side(placed));
    const auto cut = sides.begin() + static_cast<std::ptrdiff_t>(input_.most);
    std::nth_element(sides.begin(), cut, sides.end(), std::greater<>());
    const float least = *cut;
    std::erase_if(placed_, [&](const Placed& placed) { return side(placed) <= least; });
  }

  const BoxesSceneInput& input_;
  const Viewport& view_;
  std::vector<Placed> placed_;
};

Color color_of(std::optional<Kind> origin, const Theme& theme) {
  if (origin == Kind::kInnerVertical) return theme.accent;
  if (origin == Kind::kInnerHorizontal) return theme.good;
  return theme.dim;
}

class BoxesPainter {
 public:
  BoxesPainter(Scene& scene, const BoxesSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure)
      : scene_(scene),
        input_(input),
        layout_(*input.layout),
        view_(view),
        theme_(theme),
        measure_(measure),
        holds_selected_(find_selected()) {}

  void all() {
    outer_rows();
    call();
    const Places places(input_, view_);
    for (const Placed& placed : places.all()) {
      const BoxShape& shape = layout_.shapes[placed.shape];
      if (shape.is_box()) {
        box(shape, placed);
      } else {
        buffer(shape, placed.rect);
      }
    }
    for (const Placed& placed : places.all()) points(layout_.shapes[placed.shape], placed);
    call_points();
    for (const Placed& placed : places.all()) name(layout_.shapes[placed.shape], placed);
  }

 private:
  void box(const BoxShape& shape, const Placed& placed) {
    if (shape.state == State::kAbsent) return;
    const Rect& rect = placed.rect;
    const Color line = shape.state == State::kOpen ? theme_.warn : color_of(shape.origin, theme_);
    scene_.add(draw::Fill{rect, with_alpha(line, 0.10), 2});
    const bool strip = shape.origin == Kind::kInnerVertical || shape.origin == Kind::kInnerHorizontal;
    if (strip && shape.state == State::kDone && rect.width() >= kLeastHatched && rect.height() >= kLeastHatched) {
      scene_.add(draw::Hatch{rect, with_alpha(line, 0.35), 6});
    }
    const bool strong = shape.depth == 0 || shape.state == State::kOpen;
    if (rect.width() >= 3 && rect.height() >= 3) {
      scene_.add(draw::Border{rect, with_alpha(line, strong ? 0.95 : 0.6), strong ? 1.5F : 1.0F, 2});
    }
    if (holds_selected_[placed.shape]) scene_.add(draw::Border{rect, theme_.text, 2, 2});
    rows(shape, placed);
  }

  /// Of each shape, whether a selected buffer is in it.
  std::vector<bool> find_selected() const {
    std::vector<bool> holds(layout_.shapes.size(), false);
    if (input_.selected.empty()) return holds;
    std::vector<bool> selected(input_.problem->size(), false);
    for (const BufferIndex i : input_.selected) {
      if (i < selected.size()) selected[i] = true;
    }
    std::vector<std::size_t> around;  // boxes, by depth
    for (std::size_t k = 0; k < layout_.shapes.size(); ++k) {
      const BoxShape& shape = layout_.shapes[k];
      around.resize(std::min(around.size(), static_cast<std::size_t>(shape.depth)));
      if (shape.is_box()) {
        around.push_back(k);
      } else if (selected[shape.what.buffer]) {
        for (const std::size_t box : around) holds[box] = true;
      }
    }
    return holds;
  }

  /// Over the lines, so that it can be read.
  void name(const BoxShape& shape, const Placed& placed) {
    if (!shape.is_box()) {
      const BufferIndex i = shape.what.buffer;
      if (shape.state == State::kWaiting) return;
      return label(one_line(input_.problem->id(i)), placed.rect, theme_.label(category_of(*input_.problem, i)));
    }
    if (shape.state == State::kAbsent || !placed.titled) return;
    const std::string title = fmt::format("box {}", shape.what.box);
    const std::string full =
        fmt::format("{} · level {} · {} of {}", title, shape.level, format_bytes(shape.high - shape.low, input_.unit),
                    format_bytes(shape.height, input_.unit));
    const bool fits = measure_.width(full, kLabelSize, FontFace::kText) <= placed.rect.width() - 8;
    label(fits ? full : title, placed.rect, theme_.text);
  }

  /// Between the rows of its contents.
  void rows(const BoxShape& shape, const Placed& placed) {
    if (placed.inner.height() < kTitledHeight || placed.inner.width() < kLabelWidth) return;
    for (std::uint32_t k = shape.rows.first; k < shape.rows.last; ++k) {
      const double share = static_cast<double>(layout_.rows[k] - shape.low) /
                           static_cast<double>(std::max<std::int64_t>(1, shape.high - shape.low));
      const float y = snapped(placed.inner.bottom - static_cast<float>(share) * placed.inner.height(), input_.scale);
      scene_.add(draw::Line{
          {placed.inner.left, y}, {placed.inner.right, y}, with_alpha(theme_.text, 0.22), 1 / input_.scale, 2});
    }
  }

  void buffer(const BoxShape& shape, const Rect& rect) {
    const Problem& problem = *input_.problem;
    const BufferIndex i = shape.what.buffer;
    const std::size_t category = category_of(problem, i);
    const bool bordered = rect.width() >= 3 && rect.height() >= 3;
    if (shape.state == State::kWaiting) {
      if (bordered) scene_.add(draw::Border{rect, with_alpha(theme_.border(category), 0.35), 1 / input_.scale, 1});
    } else {
      scene_.add(draw::Fill{rect, theme_.fill(category), 1});
      if (bordered) scene_.add(draw::Border{rect, theme_.border(category), 1 / input_.scale, 1});
    }
    const bool selected = std::find(input_.selected.begin(), input_.selected.end(), i) != input_.selected.end();
    if (selected || i == input_.hovered) scene_.add(draw::Border{rect, theme_.text, selected ? 2.0F : 1.5F, 1});
  }

  /// In the upper left corner, as much of it as there is room for.
  void label(const std::string& words, const Rect& rect, Color color) {
    if (!input_.labels || rect.width() < kLeastLabel || rect.height() < kLabelHeight) return;
    const std::string text = shortened(words, rect.width() - 6, kLabelSize, FontFace::kText, measure_);
    if (text.empty()) return;
    scene_.add(draw::Text{
        {rect.left + 4, rect.top + 1}, text, color, kLabelSize, FontFace::kText, TextAlign::kLeft, rect, false});
  }

  void outer_rows() {
    for (const std::int64_t address : layout_.outer_rows) {
      const float y = snapped(view_.y_of_address(address), input_.scale);
      scene_.add(draw::Line{
          {view_.area.left, y}, {view_.area.right, y}, with_alpha(theme_.text, 0.3), 1 / input_.scale, kDash});
    }
  }

  void points(const BoxShape& shape, const Placed& placed) {
    if (!shape.is_box() || shape.state != State::kDone) return;
    if (placed.inner.width() < kLeastPointSide || placed.inner.height() < kLeastPointSide) return;
    for (std::uint32_t k = shape.points.first; k < shape.points.last; ++k) {
      const float x = snapped(view_.x_of_step(layout_.points[k]), input_.scale);
      if (x <= placed.inner.left || x >= placed.inner.right) continue;
      point(x, placed.inner.top, placed.inner.bottom, theme_.text);
    }
  }

  /// Dashes that can be seen on every fill.
  void point(float x, float top, float bottom, Color color) {
    scene_.add(draw::Line{{x, top}, {x, bottom}, with_alpha(theme_.card, 0.55), 3, 0});
    scene_.add(draw::Line{{x, top}, {x, bottom}, color, 1.5F, kDash});
  }

  /// The time in which boxes are being made.
  void call() {
    if (layout_.call_points.empty()) return;
    const float left = std::max(view_.area.left, view_.x_of_step(layout_.call_start));
    const float right = std::min(view_.area.right, view_.x_of_step(layout_.call_end));
    if (left < right) {
      scene_.add(draw::Fill{{left, view_.area.top, right, view_.area.bottom}, with_alpha(theme_.bad, 0.07), 0});
    }
  }

  void call_points() {
    for (const std::int64_t time : layout_.call_points) {
      const float x = snapped(view_.x_of_step(time), input_.scale);
      if (x >= view_.area.left && x <= view_.area.right) point(x, view_.area.top, view_.area.bottom, theme_.bad);
    }
  }

  Scene& scene_;
  const BoxesSceneInput& input_;
  const BoxesLayout& layout_;
  const Viewport& view_;
  const Theme& theme_;
  const TextMeasure& measure_;
  std::vector<bool> holds_selected_;  // by shape
};

Viewport snapped_view(const Viewport& given, float scale) {
  Viewport view = given;
  view.area = Rect{snapped(given.area.left, scale), snapped(given.area.top, scale), snapped(given.area.right, scale),
                   snapped(given.area.bottom, scale)};
  return view;
}

}  // namespace

void add_boxes(Scene& scene, const BoxesSceneInput& input, const Viewport& given, const Theme& theme,
               const TextMeasure& measure) {
  const Viewport view = snapped_view(given, input.scale);
  const Rect area = view.area;
  if (area.width() < 1 || area.height() < 1) return;
  const Axis times = time_axis(view, input.problem->time_unit(), input.scale, measure);
  const Axis bytes =
      byte_axis(view, "contents of boxes", AddressStyle::kUnits, input.unit, byte_label_room(), input.scale, measure);
  scene.add(draw::PushClip{area});
  add_grid(scene, times, bytes, area, input.scale, theme);
  BoxesPainter(scene, input, view, theme, measure).all();
  scene.add(draw::PopClip{});
  scene.add(draw::Border{area, theme.line, 1, 0});
  add_axes(scene, times, bytes, area, theme, measure);
}

std::optional<std::size_t> shape_at(const BoxesSceneInput& input, const Viewport& given, Point at) {
  const Viewport view = snapped_view(given, input.scale);
  if (!view.area.contains(at)) return std::nullopt;
  std::optional<std::size_t> found;
  const Places places(input, view);
  for (const Placed& placed : places.all()) {
    if (placed.rect.contains(at) && input.layout->shapes[placed.shape].state != State::kAbsent) found = placed.shape;
  }
  return found;
}

std::optional<Rect> rect_of(const BoxesSceneInput& input, const Viewport& given, const BoxMember& what) {
  const Viewport view = snapped_view(given, input.scale);
  const Places places(input, view);
  for (const Placed& placed : places.all()) {
    if (input.layout->shapes[placed.shape].what == what) return placed.rect;
  }
  return std::nullopt;
}

Viewport fit_boxes(const BoxesLayout& layout, Rect area) {
  Viewport view;
  view.area = area;
  if (layout.shapes.empty()) return view;
  return frame(layout.start, layout.end, 0, std::max<std::int64_t>(1, layout.height), area);
}

std::vector<BoxesKey> keys_of(const BoxesLayout& layout, const Theme& theme) {
  const auto occurs = [&](auto&& holds) {
    return std::any_of(layout.shapes.begin(), layout.shapes.end(),
                       [&](const BoxShape& shape) { return shape.is_box() && holds(shape); });
  };
  const auto made_of = [&](Kind kind) {
    return occurs([&](const BoxShape& shape) { return shape.state == State::kDone && shape.origin == kind; });
  };
  std::vector<BoxesKey> keys;
  if (made_of(Kind::kRow)) keys.push_back({"box of rows", color_of(Kind::kRow, theme), false});
  if (made_of(Kind::kInnerVertical)) {
    keys.push_back({"box of a vertical strip", color_of(Kind::kInnerVertical, theme), false});
  }
  if (made_of(Kind::kInnerHorizontal)) {
    keys.push_back({"box of a horizontal strip", color_of(Kind::kInnerHorizontal, theme), false});
  }
  if (occurs([](const BoxShape& shape) { return shape.state == State::kOpen; })) {
    keys.push_back({"open box", theme.warn, false});
  }
  if (!layout.points.empty()) keys.push_back({"critical point", theme.text, true});
  return keys;
}

}  // namespace stowage
