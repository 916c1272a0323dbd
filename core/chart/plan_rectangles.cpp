#include "core/chart/plan_rectangles.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/base/integers.h"
#include "core/chart/class_hatch.h"
#include "core/chart/label.h"
#include "core/chart/plan_colors.h"

namespace stowage {

namespace {

constexpr std::size_t kMostOutlines = 1000;  // of selected buffers and of collisions
constexpr std::size_t kMostLabels = 2000;
constexpr float kLabelPadding = 6;
constexpr float kNameSize = 12;
constexpr float kDetailSize = 11;
constexpr float kSecondLineWidth = 70;
constexpr float kSecondLineHeight = 34;

using Colors = PlanColors::Colors;

Rect cut(const Rect& rect, const Rect& by) {
  return Rect{std::max(rect.left, by.left), std::max(rect.top, by.top), std::min(rect.right, by.right),
              std::min(rect.bottom, by.bottom)};
}

Rect grown(const Rect& rect, float by) {
  return Rect{rect.left - by, rect.top - by, rect.right + by, rect.bottom + by};
}

/// At least `side` wide and high, about the same centre.
Rect at_least(Rect rect, float side) {
  const float wide = std::max(0.0F, side - rect.width()) / 2;
  const float high = std::max(0.0F, side - rect.height()) / 2;
  return Rect{rect.left - wide, rect.top - high, rect.right + wide, rect.bottom + high};
}

float radius_of(const Rect& rect) {
  return std::clamp(std::min(rect.width(), rect.height()) / 4, 0.0F, 3.0F);
}

class Rectangles {
 public:
  Rectangles(Scene& scene, const PlanSceneInput& input, const Viewport& view, const Theme& theme,
             const TextMeasure& measure)
      : scene_(scene),
        input_(input),
        problem_(*input.problem),
        view_(view),
        theme_(theme),
        measure_(measure),
        colors_(input, theme) {}

  void below(const std::vector<Shape>& shapes);
  void vectors(const std::vector<Shape>& shapes);
  void above_asked(const PlanPicture& picture);
  void collisions();
  void selection();

 private:
  const Colors& colors(BufferIndex i) const { return colors_.of(i); }
  std::int64_t offset(BufferIndex i) const { return (*input_.offsets)[i]; }
  /// It ends above the capacity that is asked about.
  bool is_above_asked(BufferIndex i) const {
    if (!input_.asked_capacity || problem_[i].size == 0) return false;
    const auto end = checked_add(offset(i), problem_[i].size);
    return !end || *end > *input_.asked_capacity;
  }
  bool is_drawn(BufferIndex i) const {
    return i < problem_.size() && i < input_.offsets->size() && offset(i) != kNoOffset &&
           problem_.may_lie_in(i, input_.space);
  }
  Rect rect_of(std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high) const {
    return scene_rect(shape_of(view_, input_.scale, start, end, low, high), view_, input_.scale);
  }
  Rect hull(BufferIndex i) const {
    const Buffer& buffer = problem_[i];
    return rect_of(buffer.start, buffer.end, offset(i), checked_add(offset(i), buffer.size).value_or(kMaxInt64));
  }
  bool visible(const Rect& rect) const {
    return rect.right > view_.area.left && rect.left < view_.area.right && rect.bottom > view_.area.top &&
           rect.top < view_.area.bottom;
  }

  void rectangle(const Shape& shape);
  void padding(BufferIndex i);
  void gaps(BufferIndex i);
  void open_ends(BufferIndex i);
  void tie(const Rect& rect, Color color);
  void mark(Rect rect, Color color);
  void chevron(float x, float y, float direction, Color color);
  void pin(const Rect& rect, Color color);
  void label(BufferIndex i, const Rect& rect, bool pinned);
  std::string detail(BufferIndex i, float width) const;
  void outline(BufferIndex i, Color color, float width, bool halo);

  Scene& scene_;
  const PlanSceneInput& input_;
  const Problem& problem_;
  const Viewport& view_;
  const Theme& theme_;
  const TextMeasure& measure_;
  PlanColors colors_;
  std::size_t labels_ = 0;
  std::unordered_set<BufferIndex> labelled_pieces_;
};

void Rectangles::below(const std::vector<Shape>& shapes) {
  BufferIndex last = kNoBuffer;
  for (const Shape& shape : shapes) {
    if (shape.buffer == last) continue;
    last = shape.buffer;
    if (problem_[last].alignment > 1 && !shape.mark) padding(last);
    if (shape.piece) gaps(last);
    if (problem_.details(last) != nullptr) open_ends(last);
  }
}

/// The bytes up to the next multiple of the alignment: nobody else with this alignment can use them.
void Rectangles::padding(BufferIndex i) {
  const Buffer& buffer = problem_[i];
  const std::int64_t rest = buffer.size % buffer.alignment;
  if (rest == 0) return;
  const auto low = checked_add(offset(i), buffer.size);
  const auto high = low ? checked_add(*low, buffer.alignment - rest) : std::nullopt;
  if (!high) return;
  const Rect rect = rect_of(buffer.start, buffer.end, *low, *high);
  if (rect.height() < 3 || !visible(rect)) return;
  const Color color = colors(i).border;
  scene_.add(draw::Hatch{rect, with_alpha(color, 0.55), 6});
  scene_.add(draw::Border{rect, with_alpha(color, 0.35), 1, 0});
}

void Rectangles::gaps(BufferIndex i) {
  const Rect all = hull(i);
  const Color color = colors(i).border;
  for (const Gap& gap : problem_.gaps(i)) {
    const auto high = checked_add(offset(i), problem_[i].size);
    if (!high) return;
    const Rect rect = rect_of(gap.start, gap.end, offset(i), *high);
    if (rect.width() >= 3 && visible(rect)) scene_.add(draw::Hatch{rect, with_alpha(color, 0.35), 6});
  }
  if (visible(all)) scene_.add(draw::Border{all, with_alpha(color, 0.45), 1, 0});
}

void Rectangles::vectors(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) rectangle(shape);
}

void Rectangles::rectangle(const Shape& shape) {
  const BufferIndex i = shape.buffer;
  const Colors& color = colors(i);
  const Rect rect = scene_rect(shape, view_, input_.scale);
  if (!visible(rect)) return;
  if (shape.mark) return mark(rect, color.border);
  const float radius = radius_of(rect);
  const bool tiny = rect.width() < 3 || rect.height() < 3;
  scene_.add(draw::Fill{rect, tiny ? mix(color.fill, color.border, 0.5) : color.fill, radius});
  if (!tiny) scene_.add(draw::Border{rect, color.border, 1, radius});
  if (input_.hatched && !tiny) {
    const Color stripes = with_alpha(color.border, 0.6);
    for (const draw::Hatch& one : class_hatches(colors_.class_of(i, problem_[i].kind), rect, stripes, 8))
      scene_.add(one);
  }
  if (problem_.bodies().of(i) != Bodies::kNone) tie(rect, color.border);
  const bool pinned = problem_[i].is_fixed() && rect.width() >= 12 && rect.height() >= 12;
  const Rect seen = cut(rect, view_.area);
  if (pinned) pin(seen, color.label);
  const bool room = seen.width() >= kLabelWidth && seen.height() >= kLabelHeight;
  const bool named = shape.piece && labelled_pieces_.count(i) > 0;  // once is enough for a buffer of several pieces
  if (!input_.labels || !room || named || labels_ >= kMostLabels) return;
  if (shape.piece) labelled_pieces_.insert(i);
  label(i, seen, pinned);
}

/// A second frame inside: this one moves together with others, and may share their bytes.
void Rectangles::tie(const Rect& rect, Color color) {
  if (rect.width() >= 9 && rect.height() >= 9)
    scene_.add(draw::Border{grown(rect, -2.5F), with_alpha(color, 0.7), 1, 1});
}

/// A buffer that takes no memory: a thin line that stands out from whatever is below.
void Rectangles::mark(Rect rect, Color color) {
  rect = at_least(rect, 2);
  scene_.add(draw::Fill{grown(rect, 1), theme_.card, 1});
  scene_.add(draw::Fill{rect, color, 0});
}

/// A life that began before the record, or goes on after it: faint up to the border of the chart, with arrows.
void Rectangles::open_ends(BufferIndex i) {
  const Details& details = *problem_.details(i);
  if (!details.open_start && !details.open_end) return;
  const Rect rect = hull(i);
  const Color color = colors(i).border;
  const auto extend = [&](const Rect& beyond, float tip, float direction) {
    if (beyond.width() >= 1) {
      scene_.add(draw::Fill{beyond, with_alpha(color, 0.16), 0});
      scene_.add(draw::Hatch{beyond, with_alpha(color, 0.35), 5});
    }
    if (rect.height() >= 5) chevron(tip, (rect.top + rect.bottom) / 2, direction, theme_.text);
  };
  if (details.open_start && rect.left >= view_.area.left - 1) {
    extend(Rect{view_.area.left, rect.top, rect.left, rect.bottom}, view_.area.left + 3, 1);
  }
  if (details.open_end && rect.right <= view_.area.right + 1) {
    extend(Rect{rect.right, rect.top, view_.area.right, rect.bottom}, view_.area.right - 3, -1);
  }
}

void Rectangles::chevron(float x, float y, float direction, Color color) {
  for (const float shift : {0.0F, 4.0F}) {
    const float tip = x + shift * direction;
    scene_.add(draw::Line{{tip + 3 * direction, y - 3}, {tip, y}, color, 1.5F, 0});
    scene_.add(draw::Line{{tip, y}, {tip + 3 * direction, y + 3}, color, 1.5F, 0});
  }
}

void Rectangles::pin(const Rect& rect, Color color) {
  const float x = rect.right - 7;
  const float y = rect.top + 3;
  scene_.add(draw::Fill{{x - 2.5F, y, x + 2.5F, y + 5}, color, 2.5F});
  scene_.add(draw::Line{{x, y + 4}, {x, y + 8}, color, 1, 0});
}

std::string Rectangles::detail(BufferIndex i, float width) const {
  const std::string size = format_bytes(problem_[i].size, input_.unit);
  const std::string kind = one_line(problem_.kind(i));
  if (!kind.empty()) {
    std::string both = kind + "  " + size;
    if (measure_.width(both, kDetailSize, FontFace::kText) <= width) return both;
  }
  return measure_.width(size, kDetailSize, FontFace::kText) <= width ? size : std::string();
}

/// Name, and below it kind and size; what does not fit is shortened or left out, never cut.
void Rectangles::label(BufferIndex i, const Rect& rect, bool pinned) {
  const float width = rect.width() - 2 * kLabelPadding;
  const float name_width = width - (pinned ? 8.0F : 0.0F);
  const std::string name = shortened(one_line(problem_.id(i)), name_width, kNameSize, FontFace::kSemibold, measure_);
  if (name.empty()) return;
  ++labels_;
  const Color color = colors(i).label;
  const bool second = rect.width() >= kSecondLineWidth && rect.height() >= kSecondLineHeight;
  const float x = rect.left + kLabelPadding;
  const float y = second ? rect.top + 3 : rect.top + std::max(0.0F, std::min(3.0F, (rect.height() - 15) / 2));
  scene_.add(draw::Text{{x, y}, name, color, kNameSize, FontFace::kSemibold, TextAlign::kLeft, {}, false});
  if (!second) return;
  const std::string more = detail(i, width);
  if (!more.empty()) {
    scene_.add(draw::Text{{x, y + 14.5F}, more, color, kDetailSize, FontFace::kText, TextAlign::kLeft, {}, false});
  }
}

/// Outlined, the part above the line hatched; of a crowd the part above the line tinted.
void Rectangles::above_asked(const PlanPicture& picture) {
  if (!input_.asked_capacity) return;
  const float line = view_.y_of_address(*input_.asked_capacity);
  const Rect above = cut(Rect{view_.area.left, view_.area.top, view_.area.right, line}, view_.area);
  if (picture.image.pixels != nullptr && above.height() > 0)
    scene_.add(draw::Fill{above, with_alpha(theme_.bad, 0.2), 0});
  for (const Shape& shape : picture.vectors) {
    if (!is_above_asked(shape.buffer)) continue;
    const Rect rect = scene_rect(shape, view_, input_.scale);
    if (!visible(rect)) continue;
    const Rect part{rect.left, rect.top, rect.right, std::clamp(line, rect.top, rect.bottom)};
    if (part.width() >= 3 && part.height() >= 3) scene_.add(draw::Hatch{part, with_alpha(theme_.bad, 0.6), 5});
    scene_.add(draw::Border{rect, theme_.bad, 1.5F, radius_of(rect)});
  }
}

void Rectangles::collisions() {
  if (input_.report == nullptr) return;
  std::size_t count = 0;
  for (const Issue& issue : input_.report->issues) {
    if (issue.kind != IssueKind::kCollision || !is_drawn(issue.first)) continue;
    const Rect rect = at_least(rect_of(issue.time_low, issue.time_high, issue.byte_low, issue.byte_high), 4);
    if (!visible(rect)) continue;
    if (++count > kMostOutlines) return;
    scene_.add(draw::Fill{rect, with_alpha(theme_.bad, 0.35), 0});
    scene_.add(draw::Hatch{rect, theme_.bad, 5});
    scene_.add(draw::Border{rect, theme_.bad, 2, 0});
    for (const BufferIndex side : {issue.first, issue.second}) {
      if (is_drawn(side)) scene_.add(draw::Border{at_least(hull(side), 4), theme_.bad, 1, 2});
    }
  }
}

void Rectangles::outline(BufferIndex i, Color color, float width, bool halo) {
  if (!is_drawn(i)) return;
  const Rect rect = at_least(hull(i), 5);
  if (!visible(rect)) return;
  if (halo) scene_.add(draw::Border{grown(rect, width + 1.5F), with_alpha(theme_.accent, 0.8), 1.5F, 5});
  scene_.add(draw::Border{grown(rect, halo ? width / 2 : 0), color, width, 3});
}

void Rectangles::selection() {
  const Color bright = theme_.dark ? rgb(0xFFFFFF) : theme_.text;
  const std::size_t count = std::min(input_.selected.size(), kMostOutlines);
  for (std::size_t k = 0; k < count; ++k) outline(input_.selected[k], bright, 2, true);
  const bool selected =
      std::find(input_.selected.begin(), input_.selected.end(), input_.hovered) != input_.selected.end();
  if (input_.hovered != kNoBuffer && !selected) outline(input_.hovered, with_alpha(bright, 0.75), 1.5F, false);
}

}  // namespace

void add_rectangles(Scene& scene, const PlanSceneInput& input, const PlanPicture& picture, const Viewport& view,
                    const Theme& theme, const TextMeasure& measure) {
  Rectangles rectangles(scene, input, view, theme, measure);
  rectangles.below(picture.vectors);
  if (picture.image.pixels != nullptr) scene.add(picture.image);
  rectangles.vectors(picture.vectors);
  rectangles.above_asked(picture);
  rectangles.collisions();
  rectangles.selection();
}

}  // namespace stowage
