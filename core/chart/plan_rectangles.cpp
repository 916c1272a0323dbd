#include "core/chart/plan_rectangles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <unordered_set>

#include "core/base/integers.h"
#include "core/chart/class_hatch.h"
#include "core/chart/colouring.h"
#include "core/chart/coverage.h"
#include "core/chart/label.h"

namespace stowage {

namespace {

constexpr double kDimmed = 0.30;
constexpr std::size_t kMostOutlines = 1000;  // of selected buffers and of collisions
constexpr std::size_t kMostLabels = 2000;
constexpr float kLabelPadding = 6;
constexpr float kNameSize = 12;
constexpr float kDetailSize = 11;
constexpr float kSecondLineWidth = 70;
constexpr float kSecondLineHeight = 34;
constexpr double kMostImagePixels = 0x1p25;

struct Colors {
  Color fill;
  Color border;
  Color label;
};

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

std::uint64_t next_revision() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

class Rectangles {
 public:
  Rectangles(Scene& scene, const PlanSceneInput& input, const Viewport& view, const Theme& theme,
             const TextMeasure& measure)
      : scene_(scene), input_(input), problem_(*input.problem), view_(view), theme_(theme), measure_(measure) {
    for (std::size_t k = 0; k < palette_.size(); ++k) {
      palette_[k] = Colors{theme.fill(k), theme.border(k), theme.label(k)};
      dimmed_[k] = Colors{mix(theme.card, theme.fill(k), kDimmed), mix(theme.card, theme.border(k), kDimmed),
                          mix(theme.card, theme.text, 0.45)};
    }
  }

  void below(const std::vector<Shape>& shapes);
  void crowd(const std::vector<Shape>& shapes);
  void vectors(const std::vector<Shape>& shapes);
  void collisions();
  void selection();

 private:
  bool dim(BufferIndex i) const {
    return input_.matches != nullptr && i < input_.matches->size() && !(*input_.matches)[i];
  }
  const Colors& colors(BufferIndex i) const { return colors(i, problem_[i].kind); }
  const Colors& colors(BufferIndex i, std::uint16_t kind) const {
    const std::size_t k = class_of(i, kind);
    return dim(i) ? dimmed_[k] : palette_[k];
  }
  std::size_t class_of(BufferIndex i, std::uint16_t kind) const {
    if (input_.colouring != nullptr && i < input_.colouring->classes.size()) return input_.colouring->classes[i];
    return category_of(problem_, i, kind) % palette_.size();
  }
  std::int64_t offset(BufferIndex i) const { return (*input_.offsets)[i]; }
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
  std::array<Colors, 8> palette_;
  std::array<Colors, 8> dimmed_;
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

void Rectangles::crowd(const std::vector<Shape>& shapes) {
  if (shapes.empty()) return;
  const Rect area = view_.area;
  const double pixels =
      static_cast<double>(area.width() * input_.scale) * static_cast<double>(area.height() * input_.scale);
  // Only giant pictures are painted more coarsely than their device pixels.
  const float shrink = pixels > kMostImagePixels ? static_cast<float>(std::sqrt(kMostImagePixels / pixels)) : 1.0F;
  draw::Image image;
  image.rect = area;
  image.width = std::max(1, static_cast<int>(std::lround(area.width() * input_.scale * shrink)));
  image.height = std::max(1, static_cast<int>(std::lround(area.height() * input_.scale * shrink)));
  std::vector<CoverageRect> rects;
  rects.reserve(shapes.size());
  for (const Shape& shape : shapes) {
    const Colors& color = colors(shape.buffer, shape.kind);
    rects.push_back(CoverageRect{shape.left * shrink, shape.top * shrink, shape.right * shrink, shape.bottom * shrink,
                                 color.fill, color.border, shape.mark});
  }
  image.pixels = std::make_shared<const std::vector<std::uint32_t>>(paint_coverage(rects, image.width, image.height));
  image.revision = next_revision();
  scene_.add(std::move(image));
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
    for (const draw::Hatch& one : class_hatches(class_of(i, problem_[i].kind), rect, stripes, 8)) scene_.add(one);
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

void add_rectangles(Scene& scene, const PlanSceneInput& input, const PlanShapes& shapes, const Viewport& view,
                    const Theme& theme, const TextMeasure& measure) {
  Rectangles rectangles(scene, input, view, theme, measure);
  rectangles.below(shapes.vectors);
  rectangles.crowd(shapes.crowd);
  rectangles.vectors(shapes.vectors);
  rectangles.collisions();
  rectangles.selection();
}

}  // namespace stowage
