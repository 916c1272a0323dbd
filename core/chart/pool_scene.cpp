#include "core/chart/pool_scene.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/coverage.h"
#include "core/chart/label.h"
#include "core/chart/plan_scene.h"
#include "core/chart/plan_shapes.h"

namespace stowage {
namespace {

constexpr float kNameSize = 12;
constexpr float kGroupSize = 11;
constexpr float kPill = 16;               // height of a group's name
constexpr float kGroupHeight = 30;        // of a segment that has room for it
constexpr float kLeastSlack = 3;          // pixels
constexpr std::size_t kMostGroups = 100;  // names of groups
constexpr std::size_t kMostNames = 2000;
constexpr std::size_t kMostFailures = 12;  // with names

std::uint64_t next_revision() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// A block that can be seen.
struct Seen {
  const BlockSpan* block = nullptr;
  Shape shape;
};

class PoolPainter {
 public:
  PoolPainter(Scene& scene, const PoolSceneInput& input, const Viewport& view, const Theme& theme,
              const TextMeasure& measure)
      : scene_(scene), input_(input), view_(view), theme_(theme), measure_(measure) {}

  void all() {
    collect();
    for (const SegmentSpan& segment : input_.run->segments) {
      if (const Rect rect = rect_of(segment); visible(rect)) {
        scene_.add(draw::Fill{rect, with_alpha(theme_.text, 0.05), 0});
      }
    }
    crowd();
    for (const Seen& seen : vectors_) block(seen);
    for (const SegmentSpan& segment : input_.run->segments) outline(segment);
    failures();
  }

 private:
  std::int64_t place(std::uint32_t event) const { return (*input_.places)[event]; }

  template <typename Span>
  Shape shape_of_span(const Span& span) const {
    return shape_of(view_, input_.scale, place(span.first), place(span.last), span.address, span.address + span.size);
  }
  Rect rect_of(const SegmentSpan& segment) const { return scene_rect(shape_of_span(segment), view_, input_.scale); }
  bool visible(const Rect& rect) const {
    return rect.right > view_.area.left && rect.left < view_.area.right && rect.bottom > view_.area.top &&
           rect.top < view_.area.bottom;
  }

  /// Few blocks are all drawn as they are; of many, those that could carry a name.
  void collect() {
    for (const BlockSpan& block : input_.run->blocks) {
      if (block.owner == kNoBuffer || place(block.first) == place(block.last)) continue;
      Seen seen{&block, shape_of_span(block)};
      if (visible(scene_rect(seen.shape, view_, input_.scale))) vectors_.push_back(std::move(seen));
    }
    if (vectors_.size() <= input_.crowd) return;
    const auto small = std::stable_partition(vectors_.begin(), vectors_.end(), [&](const Seen& seen) {
      return seen.shape.width() >= kLabelWidth * input_.scale && seen.shape.height() >= kLabelHeight * input_.scale;
    });
    crowd_.assign(small, vectors_.end());
    vectors_.erase(small, vectors_.end());
    if (vectors_.size() > input_.crowd) {
      crowd_.insert(crowd_.end(), vectors_.begin() + static_cast<std::ptrdiff_t>(input_.crowd), vectors_.end());
      vectors_.resize(input_.crowd);
    }
  }

  static std::size_t category(const BlockSpan& block) { return block.owner % 8; }

  Color fill_of(const BlockSpan& block) const {
    const Color full = theme_.fill(category(block));
    return block.state == BlockState::kWaiting ? mix(theme_.card, full, 0.35) : full;
  }

  void crowd() {
    if (crowd_.empty()) return;
    draw::Image image;
    image.rect = view_.area;
    image.width = std::max(1, static_cast<int>(std::lround(view_.area.width() * input_.scale)));
    image.height = std::max(1, static_cast<int>(std::lround(view_.area.height() * input_.scale)));
    std::vector<CoverageRect> rects;
    rects.reserve(crowd_.size());
    for (const Seen& seen : crowd_) {
      rects.push_back(CoverageRect{seen.shape.left, seen.shape.top, seen.shape.right, seen.shape.bottom,
                                   fill_of(*seen.block), theme_.border(category(*seen.block)), false});
    }
    image.pixels = std::make_shared<const std::vector<std::uint32_t>>(paint_coverage(rects, image.width, image.height));
    image.revision = next_revision();
    scene_.add(std::move(image));
  }

  void block(const Seen& seen) {
    const BlockSpan& block = *seen.block;
    const Rect rect = scene_rect(seen.shape, view_, input_.scale);
    const Color border = theme_.border(category(block));
    const bool large = rect.width() >= 3 && rect.height() >= 3;
    scene_.add(draw::Fill{rect, fill_of(block), 1});
    Rect used = rect;
    const std::int64_t bytes = input_.trace->allocations()[block.owner].bytes;
    if (block.state == BlockState::kWaiting) {
      if (large) scene_.add(draw::Hatch{rect, with_alpha(theme_.dim, 0.6), 5});
    } else if (bytes < block.size) {
      const Rect slack = scene_rect(shape_of(view_, input_.scale, place(block.first), place(block.last),
                                             block.address + bytes, block.address + block.size),
                                    view_, input_.scale);
      if (slack.height() >= kLeastSlack && slack.width() >= kLeastSlack) {
        scene_.add(draw::Fill{slack, mix(theme_.card, fill_of(block), 0.4), 1});
        scene_.add(draw::Hatch{slack, with_alpha(border, 0.8), 6});
        used.top = slack.bottom;
      }
    }
    if (large) scene_.add(draw::Border{rect, border, 1 / input_.scale, 1});
    if (block.state == BlockState::kUsed) name(block, used);
  }

  void name(const BlockSpan& block, const Rect& rect) {
    if (!input_.labels || names_ >= kMostNames) return;
    if (rect.width() < kLabelWidth || rect.height() < kLabelHeight) return;
    const std::string text =
        shortened(one_line(input_.trace->id(block.owner)), rect.width() - 10, kNameSize, FontFace::kText, measure_);
    if (text.empty()) return;
    ++names_;
    scene_.add(draw::Text{{rect.left + 5, (rect.top + rect.bottom) / 2 - 8},
                          text,
                          theme_.label(category(block)),
                          kNameSize,
                          FontFace::kText,
                          TextAlign::kLeft,
                          rect,
                          false});
  }

  void outline(const SegmentSpan& segment) {
    const Rect rect = rect_of(segment);
    if (!visible(rect) || rect.height() < 2) return;
    scene_.add(draw::Border{rect, with_alpha(theme_.text, 0.6), 1.25F, 0});
    if (!input_.labels || rect.height() < kGroupHeight) return;
    const std::string text =
        fmt::format("{} · {}", input_.run->groups[segment.group], format_bytes(segment.size, input_.unit));
    const float width = measure_.width(text, kGroupSize, FontFace::kText) + 10;
    const float left = std::max(rect.left, view_.area.left) + 4;
    const float right = std::min(rect.right, view_.area.right) - 4;
    const float top = std::max(rect.top, view_.area.top) + 4;
    if (top + kPill > rect.bottom || left + width > right || ++groups_named_ > kMostGroups) return;
    // At the end of the segment or at its beginning, wherever no block lies below.
    for (const float x : {right - width, left}) {
      const Rect pill{x, top, x + width, top + kPill};
      const bool covers = std::any_of(vectors_.begin(), vectors_.end(), [&](const Seen& seen) {
        const Rect block = scene_rect(seen.shape, view_, input_.scale);
        return block.left < pill.right && pill.left < block.right && block.top < pill.bottom && pill.top < block.bottom;
      });
      if (!covers) return pill_text(pill, text, theme_.dim, 0.85);
    }
  }

  void pill_text(const Rect& pill, const std::string& text, Color color, double cover) {
    scene_.add(draw::Fill{pill, with_alpha(theme_.card, cover), 4});
    scene_.add(draw::Text{
        {pill.left + 5, pill.top + 1}, text, color, kGroupSize, FontFace::kText, TextAlign::kLeft, {}, false});
  }

  void failures() {
    float last = -1;
    std::size_t count = 0;
    for (const PoolFailure& failure : input_.run->failures) {
      const float x = snapped(view_.x_of_step(place(failure.event)), input_.scale);
      if (x < view_.area.left || x > view_.area.right || x == last) continue;
      last = x;
      scene_.add(draw::Line{{x, view_.area.top}, {x, view_.area.bottom}, with_alpha(theme_.bad, 0.8), 1.5F, 4});
      if (!input_.labels || ++count > kMostFailures) continue;
      const std::string text = fmt::format("no memory for {}", shortened(one_line(input_.trace->id(failure.allocation)),
                                                                         120, kGroupSize, FontFace::kText, measure_));
      const float width = measure_.width(text, kGroupSize, FontFace::kText) + 10;
      const float left = x + width + 4 > view_.area.right ? x - width - 3 : x + 3;
      const float top = view_.area.top + 4 + static_cast<float>(count - 1) * (kPill + 2);
      const Rect pill{left, top, left + width, top + kPill};
      pill_text(pill, text, theme_.bad, 0.9);
    }
  }

  Scene& scene_;
  const PoolSceneInput& input_;
  const Viewport& view_;
  const Theme& theme_;
  const TextMeasure& measure_;
  std::vector<Seen> vectors_;
  std::vector<Seen> crowd_;
  std::size_t names_ = 0;
  std::size_t groups_named_ = 0;
};

}  // namespace

void add_pool(Scene& scene, const PoolSceneInput& input, const Viewport& given, const Theme& theme,
              const TextMeasure& measure) {
  Viewport view = given;
  view.area = Rect{snapped(given.area.left, input.scale), snapped(given.area.top, input.scale),
                   snapped(given.area.right, input.scale), snapped(given.area.bottom, input.scale)};
  const Rect area = view.area;
  if (area.width() < 1 || area.height() < 1) return;
  const Axis times = time_axis(view, input.time_unit, input.scale, measure);
  const Axis bytes =
      byte_axis(view, "address", AddressStyle::kUnits, input.unit, byte_label_room(), input.scale, measure);
  scene.add(draw::PushClip{area});
  add_grid(scene, times, bytes, area, input.scale, theme);
  PoolPainter(scene, input, view, theme, measure).all();
  scene.add(draw::PopClip{});
  scene.add(draw::Border{area, theme.line, 1, 0});
  add_axes(scene, times, bytes, area, theme, measure);
}

std::int64_t shown_height(const PoolRun& run) {
  std::int64_t reserved = 0;
  for (const SegmentSpan& segment : run.segments) reserved = std::max(reserved, segment.address + segment.size);
  const std::int64_t used = run.highest_address();
  return std::max<std::int64_t>(1, std::min(reserved, used + used / 2));
}

}  // namespace stowage
