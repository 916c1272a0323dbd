#include "core/chart/plan_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/integers.h"
#include "core/chart/address_map.h"
#include "core/model/lifetime.h"

namespace stowage {

namespace {

/// Below this share of a pixel a rectangle would be invisible; so few as kMostMarks are drawn as whole pixels instead.
constexpr float kFaint = 0.2F;
constexpr std::size_t kMostMarks = 4096;
constexpr double kBeyond = 16;  // device pixels outside the area to which shapes reach at most

/// Times and addresses to device pixels, with the camera subtracted in integers and doubles.
class Projection {
 public:
  Projection(const Viewport& view, float scale)
      : view_(view),
        width_(static_cast<double>(view.area.width() * scale)),
        height_(static_cast<double>(view.area.height() * scale)),
        per_time_(width_ / (view.time_high - view.time_low)),
        per_byte_(height_ / (view.byte_high - view.byte_low)),
        near_(view.time_origin == 0 && view.byte_origin == 0),
        map_(view.map.get()) {}

  float x(std::int64_t time) const {
    const double t = near_ ? static_cast<double>(time) : difference(time, view_.time_origin);
    return static_cast<float>(std::clamp((t - view_.time_low) * per_time_, -kBeyond, width_ + kBeyond));
  }
  /// `offset` + `above`, which may pass int64 in a plan that is wrong.
  float y(std::int64_t offset, std::int64_t above) const {
    const double b = map_ != nullptr ? map_->drawn(static_cast<Int128>(offset) + above, view_.byte_origin)
                     : near_         ? static_cast<double>(offset) + static_cast<double>(above)
                                     : difference(static_cast<Int128>(offset) + above, view_.byte_origin);
    return static_cast<float>(std::clamp(height_ - (b - view_.byte_low) * per_byte_, -kBeyond, height_ + kBeyond));
  }
  bool visible(const Shape& shape) const {
    return shape.right >= 0 && shape.bottom >= 0 && static_cast<double>(shape.left) <= width_ &&
           static_cast<double>(shape.top) <= height_;
  }

 private:
  static double difference(Int128 value, std::int64_t origin) { return static_cast<double>(value - origin); }

  const Viewport& view_;
  double width_;
  double height_;
  double per_time_;
  double per_byte_;
  bool near_;              // the usual case: no origins, doubles are exact enough
  const AddressMap* map_;  // null: addresses are drawn where they are
};

bool larger(const Shape& a, const Shape& b) {
  const float first = a.width() * a.height();
  const float second = b.width() * b.height();
  if (first != second) return first > second;
  return a.buffer != b.buffer ? a.buffer < b.buffer : a.left < b.left;
}

class Collector {
 public:
  Collector(const PlanSceneInput& input, const Viewport& view) : input_(input), projection_(view, input.scale) {}

  void expect(std::size_t count) { small_.reserve(count); }

  void add(const ChartEntry& entry) {
    ++shapes_.visited;
    const BufferIndex i = entry.buffer;
    if (i >= input_.offsets->size() || (*input_.offsets)[i] == kNoOffset) return;
    const Piece whole{entry.start, entry.end, 0, entry.size};
    const bool takes_memory = entry.size > 0 && entry.start < entry.end;
    if (!entry.has_details || !takes_memory) {
      add_piece(entry, whole, !takes_memory, false);
      return;
    }
    const std::span<const Gap> gaps = input_.problem->gaps(i);
    for_each_piece((*input_.problem)[i], gaps,
                   [&](const Piece& piece) { add_piece(entry, piece, false, !gaps.empty()); });
  }

  PlanShapes finish() {
    if (!crowded_) {
      shapes_.vectors = std::move(large_);
      shapes_.vectors.insert(shapes_.vectors.end(), small_.begin(), small_.end());
    } else {
      keep_largest();
      shapes_.vectors = std::move(large_);
      shapes_.crowd = std::move(small_);
    }
    // What is tied may lie on top of each other: the smaller, such as a view into a buffer, must be seen.
    const Bodies& bodies = input_.problem->bodies();
    const auto tied = [&](const Shape& shape) {
      return bodies.of(shape.buffer) != Bodies::kNone;
    };
    std::stable_sort(shapes_.vectors.begin(), shapes_.vectors.end(), [&](const Shape& a, const Shape& b) {
      if (a.mark != b.mark) return b.mark;
      if (tied(a) != tied(b)) return tied(b);
      if (tied(a)) return a.width() * a.height() > b.width() * b.height();
      return a.left < b.left;
    });
    mark_faint();
    return std::move(shapes_);
  }

  /// What is not large, in the order in which it came.
  std::vector<Shape> small(bool marks) {
    for (Shape& shape : small_) shape.mark = shape.mark || (marks && is_faint(shape));
    return std::move(small_);
  }
  std::vector<Shape> all() {
    small_.insert(small_.end(), large_.begin(), large_.end());
    return std::move(small_);
  }

 private:
  void add_piece(const ChartEntry& entry, const Piece& piece, bool mark, bool is_piece) {
    const std::int64_t offset = (*input_.offsets)[entry.buffer];
    Shape shape;
    shape.buffer = entry.buffer;
    shape.left = projection_.x(piece.start);
    shape.top = projection_.y(offset, piece.high);
    shape.right = projection_.x(piece.end);
    shape.bottom = projection_.y(offset, piece.low);
    shape.mark = mark;
    shape.piece = is_piece;
    shape.kind = entry.kind;
    if (!projection_.visible(shape)) return;
    (is_large(shape, input_.scale) ? large_ : small_).push_back(shape);
    crowded_ = crowded_ || large_.size() + small_.size() > input_.crowd;
  }

  void keep_largest() {
    if (large_.size() <= input_.crowd) return;
    shapes_.large_crowd = true;
    const auto middle = large_.begin() + static_cast<std::ptrdiff_t>(input_.crowd);
    std::nth_element(large_.begin(), middle, large_.end(), larger);
    small_.insert(small_.end(), middle, large_.end());
    large_.erase(middle, large_.end());
  }

  void mark_faint() {
    shapes_.faint = static_cast<std::size_t>(std::count_if(shapes_.crowd.begin(), shapes_.crowd.end(), is_faint));
    if (!are_marks(shapes_.faint)) return;
    for (Shape& shape : shapes_.crowd) shape.mark = shape.mark || is_faint(shape);
  }

  const PlanSceneInput& input_;
  Projection projection_;
  std::vector<Shape> large_;
  std::vector<Shape> small_;
  bool crowded_ = false;
  PlanShapes shapes_;
};

constexpr std::size_t kBuffersBetweenLooks = std::size_t{1} << 15U;  // buffers

void visit_between(Collector& collector, const PlanSceneInput& input, double low, double high,
                   const std::stop_token& stop) {
  // The offsets lie in the order of rows: each is asked for some buffers ahead, or every one would be waited for.
  std::array<const ChartEntry*, 32> waiting{};
  std::size_t count = 0;
  bool stopped = false;
  input.index->visit_entries(low, high, [&](const ChartEntry& entry) {
    if (count % kBuffersBetweenLooks == 0) stopped = stop.stop_requested();
    if (stopped) return;
    if (entry.buffer < input.offsets->size()) __builtin_prefetch(&(*input.offsets)[entry.buffer]);
    const ChartEntry*& slot = waiting[count++ % waiting.size()];
    if (slot != nullptr) collector.add(*slot);
    slot = &entry;
  });
  for (std::size_t k = 0; k < waiting.size(); ++k) {
    const ChartEntry* entry = waiting[(count + k) % waiting.size()];
    if (entry != nullptr) collector.add(*entry);
  }
}

}  // namespace

bool is_faint(const Shape& shape) {
  return shape.width() < kFaint || shape.height() < kFaint;
}

bool are_marks(std::size_t faint) {
  return faint <= kMostMarks;
}

bool is_large(const Shape& shape, float scale) {
  return shape.width() >= kLabelWidth * scale && shape.height() >= kLabelHeight * scale;
}

PlanShapes collect_shapes(const PlanSceneInput& input, const Viewport& view, const std::stop_token& stop) {
  Collector collector(input, view);
  const auto origin = static_cast<double>(view.time_origin);
  const double low = origin + view.time_low;
  const double high = origin + view.time_high;
  collector.expect(input.index->at_most(low, high));
  visit_between(collector, input, low, high, stop);
  return collector.finish();
}

std::vector<Shape> shapes_of(const PlanSceneInput& input, const Viewport& view, std::span<const BufferIndex> buffers) {
  Collector collector(input, view);
  for (const BufferIndex i : buffers) {
    if (i < input.problem->size()) collector.add(chart_entry(*input.problem, i));
  }
  return collector.all();
}

std::vector<Shape> crowd_between(const PlanSceneInput& input, const Viewport& view, double low, double high,
                                 bool marks) {
  Collector collector(input, view);
  visit_between(collector, input, low, high, {});
  return collector.small(marks);
}

Shape shape_of(const Viewport& view, float scale, std::int64_t start, std::int64_t end, std::int64_t low,
               std::int64_t high) {
  const Projection projection(view, scale);
  return Shape{kNoBuffer, projection.x(start), projection.y(high, 0), projection.x(end), projection.y(low, 0), false,
               false};
}

Rect scene_rect(const Shape& shape, const Viewport& view, float scale) {
  // One free pixel to the right and above; where there is no room for it, a quarter of the rectangle.
  const auto gap = [](float extent) {
    return extent >= 4 ? 1.0F : std::max(0.0F, (extent - 1) / 4);
  };
  const float left = std::round(shape.left);
  const float bottom = std::round(shape.bottom);
  const float width = std::max(1.0F, std::round(shape.right) - left - gap(shape.width()));
  const float height = std::max(1.0F, bottom - std::round(shape.top) - gap(shape.height()));
  return Rect{view.area.left + left / scale, view.area.top + (bottom - height) / scale,
              view.area.left + (left + width) / scale, view.area.top + bottom / scale};
}

}  // namespace stowage
