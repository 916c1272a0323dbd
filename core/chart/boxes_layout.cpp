#include "core/chart/boxes_layout.h"

#include <algorithm>
#include <utility>

#include "core/base/integers.h"
#include "core/model/box_tree.h"

namespace stowage {
namespace {

using State = BoxShape::State;

template <typename List>
std::uint32_t end_of(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

/// Boxes as a tree of items, and back.
class Forest {
 public:
  explicit Forest(const Problem& problem) : problem_(problem), item_of_buffer_(problem.size(), kNone) {}

  /// All members must be added before the first box.
  void add_buffer(BufferIndex i) {
    if (i >= item_of_buffer_.size() || item_of_buffer_[i] != kNone || !problem_[i].takes_memory()) return;
    item_of_buffer_[i] = size();
    Item item;
    item.start = problem_[i].start;
    item.end = problem_[i].end;
    item.size = problem_[i].size;
    tree_.items.push_back(item);
    what_.push_back(What{BoxMember{i, BoxMember::kNone}, 0, item.size, false});
  }

  /// Its members come before it. Without members it is left out; without a height it is as high as its rows.
  void add_box(std::uint32_t number, int level, std::span<const BoxMember> members,
               std::optional<std::int64_t> height) {
    std::vector<ItemIndex> items;
    for (const BoxMember& member : members) {
      const ItemIndex item = item_of(member);
      if (item == kNone || what_[item].held) continue;
      items.push_back(item);
      what_[item].held = true;
    }
    if (items.empty()) return;
    if (item_of_box_.size() <= number) item_of_box_.resize(number + std::size_t{1}, kNone);
    item_of_box_[number] = size();
    const std::int64_t rows = Stacked(tree_, items).height();
    tree_.box(items, rows);
    what_.push_back(What{BoxMember{kNoBuffer, number}, level, height.value_or(rows), false});
  }

  BoxesLayout layout() const {
    BoxesLayout layout;
    std::vector<ItemIndex> roots;
    for (ItemIndex item = 0; item < size(); ++item) {
      if (tree_[item].is_box() && !what_[item].held) roots.push_back(item);
    }
    if (roots.empty()) return layout;
    const Stacked rows(tree_, roots);
    layout.start = kMaxInt64;
    layout.end = kMinInt64;
    layout.height = rows.height();
    for (std::size_t row = 0; row < rows.count(); ++row) {
      if (row > 0) layout.outer_rows.push_back(rows.low(row));
      for (const ItemIndex root : rows[row]) lay_out(root, rows.low(row), 0, layout);
    }
    return layout;
  }

 private:
  static constexpr ItemIndex kNone = BoxMember::kNone;

  struct What {
    BoxMember what;
    int level = 0;
    std::int64_t height = 0;
    bool held = false;  // inside a box
  };

  /// Rows of an interval colouring, one on the other. All sizes together fit in int64, so their sums do.
  class Stacked {
   public:
    Stacked(const BoxTree& tree, std::span<const ItemIndex> items) : rows_(interval_colouring(tree, items)) {
      for (std::size_t row = 0; row < rows_.count(); ++row) {
        std::int64_t highest = 0;
        for (const ItemIndex item : rows_[row]) highest = std::max(highest, tree[item].size);
        lows_.push_back(height_);
        height_ += highest;
      }
    }
    std::size_t count() const { return rows_.count(); }
    std::span<const ItemIndex> operator[](std::size_t row) const { return rows_[row]; }
    std::int64_t low(std::size_t row) const { return lows_[row]; }
    std::int64_t height() const { return height_; }

   private:
    Rows rows_;
    std::vector<std::int64_t> lows_;
    std::int64_t height_ = 0;
  };

  ItemIndex size() const { return static_cast<ItemIndex>(tree_.items.size()); }

  ItemIndex item_of(const BoxMember& member) const {
    if (member.box != BoxMember::kNone) return member.box < item_of_box_.size() ? item_of_box_[member.box] : kNone;
    return member.buffer < item_of_buffer_.size() ? item_of_buffer_[member.buffer] : kNone;
  }

  void lay_out(ItemIndex item, std::int64_t low, int depth, BoxesLayout& layout) const {
    const Item& is = tree_[item];
    BoxShape shape;
    shape.what = what_[item].what;
    shape.level = what_[item].level;
    shape.height = what_[item].height;
    shape.start = is.start;
    shape.end = is.end;
    shape.low = low;
    shape.high = low + is.size;
    shape.depth = depth;
    layout.start = std::min(layout.start, shape.start);
    layout.end = std::max(layout.end, shape.end);
    if (!is.is_box()) {
      layout.shapes.push_back(shape);
      return;
    }
    const Stacked rows(tree_, tree_.contents_of(item));
    shape.rows.first = end_of(layout.rows);
    for (std::size_t row = 1; row < rows.count(); ++row) layout.rows.push_back(low + rows.low(row));
    shape.rows.last = end_of(layout.rows);
    layout.shapes.push_back(shape);
    for (std::size_t row = 0; row < rows.count(); ++row) {
      for (const ItemIndex member : rows[row]) lay_out(member, low + rows.low(row), depth + 1, layout);
    }
  }

  const Problem& problem_;
  BoxTree tree_;            // sizes of boxes are those of their rows
  std::vector<What> what_;  // by item
  std::vector<ItemIndex> item_of_buffer_;
  std::vector<ItemIndex> item_of_box_;
};

/// Where a box comes from.
struct Origin {
  std::uint32_t call = 0;
  BoxingSet::Kind kind = BoxingSet::Kind::kRow;
  std::int64_t time = 0;  // of a strip: the critical point of its group
};

/// By number of the box, less the report's first one.
std::vector<Origin> origins_of(const BoxingReport& report) {
  std::vector<Origin> origins(report.boxes);
  for (std::uint32_t call = 0; call < report.calls.size(); ++call) {
    std::int64_t time = 0;
    for (std::uint32_t s = report.calls[call].sets.first; s < report.calls[call].sets.last; ++s) {
      const BoxingSet& set = report.sets[s];
      if (set.kind == BoxingSet::Kind::kGroup) time = set.time;
      for (std::uint32_t box = set.boxes.first; box < set.boxes.last; ++box) {
        if (box - report.first_box < origins.size()) origins[box - report.first_box] = Origin{call, set.kind, time};
      }
    }
  }
  return origins;
}

std::span<const std::int64_t> points_of(const BoxingReport& report, const BoxingCall& call) {
  return std::span(report.points).subspan(call.points.first, call.points.size());
}

/// What there is by now of a complete layout.
void mark(BoxesLayout& layout, std::span<const ReplayBox> now, std::size_t buffers) {
  std::vector<bool> put(buffers, false);
  std::vector<State> boxes;
  for (const ReplayBox& box : now) {
    if (boxes.size() <= box.box) boxes.resize(box.box + std::size_t{1}, State::kAbsent);
    boxes[box.box] = box.closed ? State::kDone : State::kOpen;
    for (const BoxMember& member : box.members) {
      if (member.buffer < buffers) put[member.buffer] = true;
    }
  }
  for (BoxShape& shape : layout.shapes) {
    if (!shape.is_box()) {
      shape.state = put[shape.what.buffer] ? State::kDone : State::kWaiting;
    } else {
      shape.state = shape.what.box < boxes.size() ? boxes[shape.what.box] : State::kAbsent;
    }
  }
}

}  // namespace

std::size_t BoxesLayout::count(State state) const {
  return static_cast<std::size_t>(std::count_if(
      shapes.begin(), shapes.end(), [&](const BoxShape& shape) { return shape.is_box() && shape.state == state; }));
}

BoxesLayout layout_boxes(const Problem& problem, std::span<const Box> boxes, std::uint16_t space) {
  Forest forest(problem);
  for (const Box& box : boxes) {
    if (box.space != space) continue;
    for (const BoxMember& member : box.members) forest.add_buffer(member.buffer);
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const Box& box = boxes[k];
    if (box.space == space) forest.add_box(static_cast<std::uint32_t>(k), box.level, box.members, box.height);
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
    for (const BoxMember& member : box.members) forest.add_buffer(member.buffer);
  }
  for (const ReplayBox& box : boxes) {
    if (!is_here(box)) continue;
    forest.add_box(box.box, box.level, box.members, box.closed ? std::optional(box.height) : std::nullopt);
  }
  return forest.layout();
}

void add_origins(BoxesLayout& layout, const BoxingReport& report) {
  const std::vector<Origin> origins = origins_of(report);
  for (BoxShape& shape : layout.shapes) {
    if (!shape.is_box() || shape.what.box - report.first_box >= origins.size()) continue;
    const Origin& origin = origins[shape.what.box - report.first_box];
    shape.origin = origin.kind;
    shape.points = BoxingRange{end_of(layout.points), end_of(layout.points)};
    if (origin.kind == BoxingSet::Kind::kRow) {
      for (const std::int64_t point : points_of(report, report.calls[origin.call])) {
        if (shape.start < point && point < shape.end) layout.points.push_back(point);
      }
    } else {
      layout.points.push_back(origin.time);
    }
    shape.points.last = end_of(layout.points);
  }
}

BoxesStory::BoxesStory(const Problem& problem, std::span<const Step> steps, std::span<const Box> boxes,
                       std::span<const BoxingReport> reports, std::uint16_t space)
    : problem_(problem),
      steps_(steps),
      boxes_(boxes),
      reports_(reports),
      space_(space),
      player_(steps, problem.size()) {
  std::int64_t highest = -1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* open = std::get_if<step::OpenBox>(&steps[i].fact);
    if (open == nullptr) continue;
    if (open->box <= highest) attempts_.push_back(i);
    highest = open->box;
  }
  attempts_.push_back(steps.size());
}

std::size_t BoxesStory::end_of_attempt(std::size_t position) const {
  const auto end = std::lower_bound(attempts_.begin(), attempts_.end(), position);
  return end == attempts_.end() ? steps_.size() : *end;
}

/// The run ends with these boxes, so its report tells how they came to be.
bool BoxesStory::is_of(const BoxingReport& report, std::span<const ReplayBox> boxes) const {
  const std::size_t end = std::size_t{report.first_box} + report.boxes;
  if (report.space != space_ || boxes.size() < end || boxes_.size() < end) return false;
  for (std::size_t k = report.first_box; k < end; ++k) {
    const bool same = boxes[k].box == k && std::equal(boxes[k].members.begin(), boxes[k].members.end(),
                                                      boxes_[k].members.begin(), boxes_[k].members.end());
    if (!same) return false;
  }
  return true;
}

void BoxesStory::lay_out_attempt(std::size_t end) {
  if (laid_out_ == end) return;
  laid_out_ = end;
  player_.seek(end);
  const std::vector<ReplayBox> boxes = player_.boxes();
  complete_ = layout_boxes(problem_, boxes, space_);
  report_ = nullptr;
  for (const BoxingReport& report : reports_) {
    if (is_of(report, boxes)) report_ = &report;
  }
  if (report_ != nullptr) add_origins(complete_, *report_);
}

BoxesLayout BoxesStory::at(std::size_t position) {
  position = std::min(position, steps_.size());
  lay_out_attempt(end_of_attempt(position));
  player_.seek(position);
  const std::vector<ReplayBox> now = player_.boxes();
  BoxesLayout layout = complete_;
  mark(layout, now, problem_.size());
  add_call(layout, position);
  return layout;
}

/// The box that is being made; what is said between two boxes leads to the next one, if that comes in the same phase.
std::uint32_t BoxesStory::current_box(std::size_t position) const {
  if (position == 0) return BoxMember::kNone;
  const auto& last = steps_[position - 1].fact;
  if (const auto* open = std::get_if<step::OpenBox>(&last)) return open->box;
  if (const auto* put = std::get_if<step::PutInBox>(&last)) return put->box;
  if (const auto* close = std::get_if<step::CloseBox>(&last)) return close->box;
  if (!std::holds_alternative<step::Note>(last) && !std::holds_alternative<step::OpenRow>(last))
    return BoxMember::kNone;
  for (std::size_t i = position; i < steps_.size(); ++i) {
    if (const auto* open = std::get_if<step::OpenBox>(&steps_[i].fact)) return open->box;
    if (std::holds_alternative<step::Phase>(steps_[i].fact)) break;
  }
  return BoxMember::kNone;
}

void BoxesStory::add_call(BoxesLayout& layout, std::size_t position) const {
  if (report_ == nullptr) return;
  const std::uint32_t box = current_box(position);
  if (box < report_->first_box || box - report_->first_box >= report_->boxes) return;
  const BoxingCall& call = report_->calls[origins_of(*report_)[box - report_->first_box].call];
  layout.call_start = call.start;
  layout.call_end = call.end;
  const auto points = points_of(*report_, call);
  layout.call_points.assign(points.begin(), points.end());
}

}  // namespace stowage
