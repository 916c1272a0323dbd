#include "core/chart/boxes_scene.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/chart/axis.h"
#include "core/chart/label.h"
#include "core/chart/plan_scene.h"
#include "core/chart/plan_shapes.h"
#include "core/model/unboxing.h"

namespace stowage {
namespace {

constexpr float kLeastSide = 0.35F;  // pixels; smaller ones are left out
constexpr float kLabelSize = 11;

/// Boxes as a tree of items, and back.
class Forest {
 public:
  explicit Forest(const Problem& problem) : problem_(problem), item_of_buffer_(problem.size(), kNone) {}

  /// All members must be added before the first box.
  void add_buffer(BufferIndex i) {
    if (item_of_buffer_[i] != kNone || !problem_[i].takes_memory()) return;
    item_of_buffer_[i] = size();
    Item item;
    item.start = problem_[i].start;
    item.end = problem_[i].end;
    item.size = problem_[i].size;
    add(item, BoxMember{i, BoxMember::kNone});
  }

  /// Its members come before it. Without members it is left out.
  void add_box(std::uint32_t number, std::span<const BoxMember> members, std::int64_t height, bool open) {
    std::vector<ItemIndex> items;
    for (const BoxMember& member : members) {
      const ItemIndex item = item_of(member);
      if (item == kNone || held_[item]) continue;
      items.push_back(item);
      held_[item] = true;
    }
    if (items.empty()) return;
    if (item_of_box_.size() <= number) item_of_box_.resize(number + 1, kNone);
    item_of_box_[number] = size();
    if (open) height = height_of(items);
    tree_.box(items, height);
    what_.push_back(BoxMember{kNoBuffer, number});
    held_.push_back(false);
    open_.push_back(open);
  }

  BoxesLayout layout() const;

 private:
  static constexpr ItemIndex kNone = BoxMember::kNone;

  ItemIndex size() const { return static_cast<ItemIndex>(tree_.items.size()); }
  void add(const Item& item, BoxMember what) {
    tree_.items.push_back(item);
    what_.push_back(what);
    held_.push_back(false);
    open_.push_back(false);
  }
  ItemIndex item_of(const BoxMember& member) const {
    if (member.box != BoxMember::kNone) return member.box < item_of_box_.size() ? item_of_box_[member.box] : kNone;
    return member.buffer < item_of_buffer_.size() ? item_of_buffer_[member.buffer] : kNone;
  }
  /// Of rows as high as the highest of the items.
  std::int64_t height_of(const std::vector<ItemIndex>& items) const {
    std::int64_t highest = 0;
    for (const ItemIndex item : items) highest = std::max(highest, tree_[item].size);
    const Int128 height = Int128{highest} * static_cast<std::int64_t>(interval_colouring(tree_, items).count());
    return static_cast<std::int64_t>(std::min(height, Int128{kMaxInt64 / 2}));
  }
  void lay_out(ItemIndex item, double low, double scale, int depth, const Unboxed& unboxed, BoxesLayout& layout) const;

  const Problem& problem_;
  BoxTree tree_;
  std::vector<BoxMember> what_;  // by item
  std::vector<bool> held_;       // by item: inside a box
  std::vector<bool> open_;
  std::vector<ItemIndex> item_of_buffer_;
  std::vector<ItemIndex> item_of_box_;
};

void Forest::lay_out(ItemIndex item, double low, double scale, int depth, const Unboxed& unboxed,
                     BoxesLayout& layout) const {
  const Item& is = tree_[item];
  BoxShape shape;
  shape.what = what_[item];
  shape.start = is.start;
  shape.end = is.end;
  shape.low = static_cast<std::int64_t>(low);
  shape.high = static_cast<std::int64_t>(low + static_cast<double>(is.size) * scale);
  shape.depth = depth;
  shape.open = open_[item];
  layout.shapes.push_back(shape);
  layout.start = std::min(layout.start, shape.start);
  layout.end = std::max(layout.end, shape.end);
  layout.height = std::max(layout.height, shape.high);
  const std::int64_t bottom = unboxed.offsets[item];
  std::int64_t inside = 0;
  for (const ItemIndex member : tree_.contents_of(item)) {
    inside = std::max(inside, unboxed.offsets[member] - bottom + tree_[member].size);
  }
  const double squeezed = inside > is.size ? static_cast<double>(is.size) / static_cast<double>(inside) : 1;
  for (const ItemIndex member : tree_.contents_of(item)) {
    const auto above = static_cast<double>(unboxed.offsets[member] - bottom);
    lay_out(member, low + above * scale * squeezed, scale * squeezed, depth + 1, unboxed, layout);
  }
}

BoxesLayout Forest::layout() const {
  BoxesLayout layout;
  std::vector<ItemIndex> roots;
  for (ItemIndex item = 0; item < size(); ++item) {
    if (tree_[item].is_box() && !held_[item]) roots.push_back(item);
  }
  if (roots.empty()) return layout;
  layout.start = kMaxInt64;
  layout.end = kMinInt64;
  const Unboxed unboxed = unbox(tree_, roots);
  for (const ItemIndex root : roots) {
    lay_out(root, static_cast<double>(unboxed.offsets[root]), 1, 0, unboxed, layout);
  }
  return layout;
}

class BoxesPainter {
 public:
  BoxesPainter(Scene& scene, const BoxesSceneInput& input, const Viewport& view, const Theme& theme,
               const TextMeasure& measure)
      : scene_(scene), input_(input), view_(view), theme_(theme), measure_(measure) {}

  void all() {
    for (const BoxShape& shape : input_.layout->shapes) {
      const Shape pixels = shape_of(view_, input_.scale, shape.start, shape.end, shape.low, shape.high);
      if (pixels.width() < kLeastSide || pixels.height() < kLeastSide) continue;
      const Rect rect = scene_rect(pixels, view_, input_.scale);
      if (rect.right <= view_.area.left || rect.left >= view_.area.right || rect.bottom <= view_.area.top ||
          rect.top >= view_.area.bottom) {
        continue;
      }
      if (shape.what.box != BoxMember::kNone) {
        box(shape, rect);
      } else {
        buffer(shape.what.buffer, rect);
      }
    }
  }

 private:
  void box(const BoxShape& shape, const Rect& rect) {
    const Color line = shape.open ? theme_.warn : theme_.accent;
    scene_.add(draw::Fill{rect, with_alpha(line, 0.10), 2});
    scene_.add(draw::Border{rect, with_alpha(line, shape.depth == 0 ? 0.9 : 0.55), shape.depth == 0 ? 1.5F : 1.0F, 2});
    // Below the contents, which lie from the bottom up, the upper left corner is mostly free.
    label(fmt::format("box {}", shape.what.box), rect, theme_.dim);
  }

  void buffer(BufferIndex i, const Rect& rect) {
    const Problem& problem = *input_.problem;
    const std::size_t category = category_of(problem, i);
    scene_.add(draw::Fill{rect, theme_.fill(category), 2});
    if (rect.width() >= 3 && rect.height() >= 3) scene_.add(draw::Border{rect, theme_.border(category), 1, 2});
    if (i == input_.hovered) scene_.add(draw::Border{rect, theme_.text, 2, 2});
    label(one_line(problem.id(i)), rect, theme_.label(category));
  }

  void label(const std::string& name, const Rect& rect, Color color) {
    if (!input_.labels || rect.width() < kLabelWidth || rect.height() < kLabelHeight) return;
    const std::string text = shortened(name, rect.width() - 8, kLabelSize, FontFace::kText, measure_);
    if (text.empty()) return;
    scene_.add(draw::Text{
        {rect.left + 4, rect.top + 1}, text, color, kLabelSize, FontFace::kText, TextAlign::kLeft, rect, false});
  }

  Scene& scene_;
  const BoxesSceneInput& input_;
  const Viewport& view_;
  const Theme& theme_;
  const TextMeasure& measure_;
};

}  // namespace

BoxesLayout layout_boxes(const Problem& problem, std::span<const Box> boxes, std::uint32_t first_box) {
  Forest forest(problem);
  for (const Box& box : boxes) {
    for (const BoxMember& member : box.members) {
      if (member.buffer != kNoBuffer) forest.add_buffer(member.buffer);
    }
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    forest.add_box(first_box + static_cast<std::uint32_t>(k), boxes[k].members, boxes[k].height, false);
  }
  return forest.layout();
}

BoxesLayout layout_boxes(const Problem& problem, std::span<const ReplayBox> boxes, std::uint16_t space) {
  const auto is_here = [&](const ReplayBox& box) {
    return std::none_of(box.members.begin(), box.members.end(), [&](const BoxMember& member) {
      return member.buffer < problem.size() && problem[member.buffer].space != space;
    });
  };
  Forest forest(problem);
  for (const ReplayBox& box : boxes) {
    if (!is_here(box)) continue;
    for (const BoxMember& member : box.members) {
      if (member.buffer < problem.size()) forest.add_buffer(member.buffer);
    }
  }
  for (const ReplayBox& box : boxes) {
    if (is_here(box)) forest.add_box(box.box, box.members, box.height, !box.closed);
  }
  return forest.layout();
}

void add_boxes(Scene& scene, const BoxesSceneInput& input, const Viewport& given, const Theme& theme,
               const TextMeasure& measure) {
  Viewport view = given;
  view.area = Rect{snapped(given.area.left, input.scale), snapped(given.area.top, input.scale),
                   snapped(given.area.right, input.scale), snapped(given.area.bottom, input.scale)};
  const Rect area = view.area;
  if (area.width() < 1 || area.height() < 1) return;
  const Margins margins = chart_margins();
  const Axis times = time_axis(view, input.problem->time_unit(), input.scale, measure);
  const Axis bytes =
      byte_axis(view, "height", AddressStyle::kUnits, input.unit, margins.left - 30, input.scale, measure);

  scene.add(draw::PushClip{area});
  for (const AxisTick& tick : bytes.ticks) {
    scene.add(draw::Line{{area.left, tick.at - 0.5F}, {area.right, tick.at - 0.5F}, theme.grid, 1, 0});
  }
  BoxesPainter(scene, input, view, theme, measure).all();
  scene.add(draw::PopClip{});

  scene.add(draw::Border{area, theme.line, 1, 0});
  const auto tick_label = [&](Point at, const std::string& text, TextAlign align) {
    scene.add(draw::Text{at, text, theme.dim, kTickSize, FontFace::kText, align, {}, false});
  };
  for (const AxisTick& tick : bytes.ticks) tick_label({area.left - 8, tick.at - 7}, tick.label, TextAlign::kRight);
  for (const AxisTick& tick : times.ticks) tick_label({tick.at, area.bottom + 6}, tick.label, TextAlign::kCenter);
  tick_label({(area.left + area.right) / 2, area.bottom + 23}, times.title, TextAlign::kCenter);
}

Viewport fit_boxes(const BoxesLayout& layout, Rect area) {
  Viewport view;
  view.area = area;
  if (layout.shapes.empty()) return view;
  return frame(layout.start, layout.end, 0, std::max<std::int64_t>(1, layout.height), area);
}

}  // namespace stowage
