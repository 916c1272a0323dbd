#include "core/chart/step_marks.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/chart/plan_shapes.h"

namespace stowage {
namespace {

constexpr float kDash = 5;
constexpr float kFloorWidth = 1.5F;

/// Raises ranges of numbers to at least a value, all at once at the end: each range is two entries of a power of two.
class Raising {
 public:
  explicit Raising(std::size_t size) : levels_(std::bit_width(size), std::vector<std::int64_t>(size, 0)) {}

  /// [first, last), not empty.
  void raise(std::size_t first, std::size_t last, std::int64_t value) {
    const auto level = static_cast<std::size_t>(std::bit_width(last - first)) - 1;
    std::vector<std::int64_t>& at = levels_[level];
    at[first] = std::max(at[first], value);
    const std::size_t second = last - (std::size_t{1} << level);
    at[second] = std::max(at[second], value);
  }

  std::vector<std::int64_t> values() && {
    for (std::size_t level = levels_.size() - 1; level > 0; --level) {
      const std::size_t half = std::size_t{1} << (level - 1);
      for (std::size_t i = 0; i < levels_[level].size(); ++i) {
        const std::int64_t value = levels_[level][i];
        if (value == 0) continue;
        levels_[level - 1][i] = std::max(levels_[level - 1][i], value);
        levels_[level - 1][i + half] = std::max(levels_[level - 1][i + half], value);
      }
    }
    return std::move(levels_.front());
  }

 private:
  std::vector<std::vector<std::int64_t>> levels_;
};

class MarksPainter {
 public:
  MarksPainter(Scene& scene, const StepMarks& marks, const Viewport& view, const Theme& theme)
      : scene_(scene), marks_(marks), view_(view), theme_(theme) {}

  void all() {
    const bool busy = marks_.buffer < marks_.problem->size();
    if (busy) lifetime((*marks_.problem)[marks_.buffer]);
    points();
    if (marks_.floor) floor();
    if (busy && marks_.failed) failed((*marks_.problem)[marks_.buffer], *marks_.failed);
    for (const BufferIndex i : marks_.outlined) outline_placed(i, theme_.accent);
    if (busy && marks_.place) outline((*marks_.problem)[marks_.buffer], *marks_.place, theme_.accent);
  }

 private:
  void vertical(float x, Color color, float dash) {
    if (x < view_.area.left || x > view_.area.right) return;
    scene_.add(draw::Line{{x, view_.area.top}, {x, view_.area.bottom}, color, 1, dash});
  }

  void lifetime(const Buffer& buffer) {
    const float left = std::max(view_.area.left, view_.x_of_step(buffer.start));
    const float right = std::min(view_.area.right, view_.x_of_step(buffer.end));
    if (right <= left) return;
    scene_.add(draw::Fill{{left, view_.area.top, right, view_.area.bottom}, with_alpha(theme_.accent, 0.09), 0});
    vertical(view_.x_of_step(buffer.start), with_alpha(theme_.accent, 0.6), 0);
    vertical(view_.x_of_step(buffer.end), with_alpha(theme_.accent, 0.6), 0);
  }

  /// Nothing when it lies outside of the view.
  std::optional<Rect> rect_of(const Buffer& buffer, std::int64_t offset) const {
    const Shape shape = shape_of(view_, marks_.scale, buffer.start, buffer.end, offset, offset + buffer.size);
    const Rect rect = scene_rect(shape, view_, marks_.scale);
    const Rect& area = view_.area;
    if (rect.right < area.left || rect.left > area.right || rect.bottom < area.top || rect.top > area.bottom) {
      return std::nullopt;
    }
    return rect;
  }

  void outline(const Buffer& buffer, std::int64_t offset, Color color) {
    const std::optional<Rect> rect = rect_of(buffer, offset);
    if (!rect) return;
    const Rect around{rect->left - 2, rect->top - 2, rect->right + 2, rect->bottom + 2};
    scene_.add(draw::Border{around, theme_.card, 4, 3});
    scene_.add(draw::Border{around, color, 2.5F, 3});
  }

  void failed(const Buffer& buffer, const step::Reject& reject) {
    if (const std::optional<Rect> rect = rect_of(buffer, reject.offset)) {
      scene_.add(draw::Hatch{*rect, with_alpha(theme_.warn, 0.75), 7});
      scene_.add(draw::Border{*rect, theme_.warn, 1.5F, 2});
    }
    outline_placed(reject.blocker, theme_.bad);
  }

  void outline_placed(BufferIndex i, Color color) {
    if (i >= marks_.offsets->size()) return;
    const std::int64_t offset = (*marks_.offsets)[i];
    if (offset != kNoOffset) outline((*marks_.problem)[i], offset, color);
  }

  void points() {
    for (const std::int64_t time : marks_.points) vertical(view_.x_of_step(time), theme_.bad, kDash);
  }

  void floor() {
    const auto columns = static_cast<std::size_t>(std::max(1.0F, view_.area.width() * marks_.scale));
    const std::vector<std::int64_t> heights = floor_line(marks_, view_, columns);
    if (std::all_of(heights.begin(), heights.end(), [](std::int64_t height) { return height == 0; })) return;
    draw::Polyline line;
    line.color = with_alpha(theme_.text, 0.85);
    line.width = kFloorWidth;
    for (std::size_t k = 0; k < columns; ++k) {
      const bool corner = k == 0 || k + 1 == columns || heights[k] != heights[k - 1] || heights[k] != heights[k + 1];
      if (!corner) continue;
      const float y = std::clamp(view_.y_of_address(heights[k]), view_.area.top - 10, view_.area.bottom + 10);
      const float left = view_.area.left + static_cast<float>(k) / marks_.scale;
      line.points.push_back({left, y});
      line.points.push_back({left + 1 / marks_.scale, y});
    }
    scene_.add(std::move(line));
  }

  Scene& scene_;
  const StepMarks& marks_;
  const Viewport& view_;
  const Theme& theme_;
};

}  // namespace

void mark_step(StepMarks& marks, const Step& step, const Moment& moment) {
  marks.buffer = moment.buffer;
  marks.place = moment.place;
  if (const auto* reject = std::get_if<step::Reject>(&step.fact)) marks.failed = *reject;
}

std::vector<std::int64_t> floor_line(const StepMarks& marks, const Viewport& view, std::size_t columns) {
  Raising heights(columns);
  const double per_pixel = static_cast<double>(columns) / static_cast<double>(std::max(1.0F, view.area.width()));
  const auto column_of = [&](std::int64_t time) {
    const double x = static_cast<double>(view.x_of_step(time) - view.area.left) * per_pixel;
    return static_cast<std::size_t>(std::clamp(std::round(x), 0.0, static_cast<double>(columns)));
  };
  marks.index->visit_entries(view.time_at(view.area.left), view.time_at(view.area.right), [&](const ChartEntry& entry) {
    const std::int64_t offset = (*marks.offsets)[entry.buffer];
    if (offset == kNoOffset || entry.size == 0 || entry.end <= entry.start) return;
    std::size_t first = column_of(entry.start);
    std::size_t last = column_of(entry.end);
    if (first == columns || last == 0) return;
    last = std::max(last, first + 1);
    heights.raise(first, last, offset + entry.size);
  });
  return std::move(heights).values();
}

void add_step_marks(Scene& scene, const StepMarks& marks, const Viewport& view, const Theme& theme) {
  if (view.area.width() < 1 || view.area.height() < 1) return;
  scene.add(draw::PushClip{view.area});
  MarksPainter(scene, marks, view, theme).all();
  scene.add(draw::PopClip{});
}

}  // namespace stowage
