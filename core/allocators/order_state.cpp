#include "core/allocators/order_state.h"

#include <algorithm>

#include "core/model/conflicts.h"

namespace stowage {
namespace {

constexpr std::int32_t kFixed = -1;
constexpr std::int32_t kNowhere = -2;

/// The largest whole number that is at most the limit.
Int128 whole(double limit) {
  constexpr double kEndless = 1e37;  // beyond any sum of excess
  return static_cast<Int128>(std::min(limit, kEndless));
}

}  // namespace

OrderState::OrderState(const Problem& problem, std::span<const BufferIndex> order)
    : position_(problem.size(), kNowhere),
      offset_(problem.size(), 0),
      over_(problem.size(), 0),
      touched_(problem.size(), 0) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    size_.push_back(problem[i].size);
    grid_.push_back(problem.grid(i));
    if (problem[i].is_fixed() && problem[i].takes_memory()) {
      position_[i] = kFixed;
      offset_[i] = problem[i].fixed;
    }
  }
  for (const BufferIndex i : order) {
    if (problem[i].takes_memory() && !problem[i].is_fixed()) order_.push_back(i);
  }
  link_conflicts(problem);
  place_all();
}

void OrderState::link_conflicts(const Problem& problem) {
  const std::vector<std::vector<Overlap>> overlaps = all_overlaps(problem);
  const auto needs_below = [&](BufferIndex lower, BufferIndex upper) {
    const std::vector<Overlap>& list = overlaps[lower];
    return std::lower_bound(list.begin(), list.end(), upper,
                            [](const Overlap& overlap, BufferIndex b) { return overlap.other < b; })
        ->effective_size;
  };
  links_begin_.push_back(0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    for (const Overlap& overlap : overlaps[i]) {
      links_.push_back({overlap.other, overlap.effective_size, needs_below(overlap.other, i)});
    }
    links_begin_.push_back(links_.size());
  }
}

void OrderState::place_all() {
  fits_ = true;
  changes_.clear();
  for (std::size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<std::int32_t>(k);
  excess_ = 0;
  for (BufferIndex i = 0; i < over_.size(); ++i) {
    over_[i] = position_[i] == kFixed ? over(i, offset_[i]) : 0;
    excess_ += over_[i];
  }
  for (const BufferIndex i : order_) settle(i, place(i));
}

void OrderState::take(std::span<const BufferIndex> order) {
  order_.assign(order.begin(), order.end());
  place_all();
}

void OrderState::aim_at(std::int64_t target, int sixteenths) {
  target_ = Int128{target} * sixteenths;
  excess_ = 0;
  for (BufferIndex i = 0; i < over_.size(); ++i) {
    over_[i] = position_[i] == kNowhere ? 0 : over(i, offset_[i]);
    excess_ += over_[i];
  }
}

std::int64_t OrderState::makespan() const {
  std::int64_t highest = 0;
  for (BufferIndex i = 0; i < offset_.size(); ++i) {
    if (position_[i] != kNowhere) highest = std::max(highest, offset_[i] + size_[i]);
  }
  return highest;
}

Int128 OrderState::over(BufferIndex i, std::int64_t offset) const {
  const Int128 beyond = (Int128{offset} + size_[i]) * 16 - target_;
  return beyond > 0 ? beyond : 0;
}

/// Brings the links of a buffer into rising order of where they begin to matter. They nearly are already.
void OrderState::sort_links(std::span<Link> links) {
  const auto low_of = [&](const Link& link) {
    return offset_[link.other] - link.below;
  };
  std::int64_t highest = kMinInt64;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::int64_t low = low_of(links[k]);
    if (low >= highest) {
      highest = low;
      continue;
    }
    const Link link = links[k];
    std::size_t at = k;
    do {
      links[at] = links[at - 1];
      --at;
    } while (at > 0 && low_of(links[at - 1]) > low);
    links[at] = link;
  }
}

/// The lowest place among the conflicting buffers that come before it.
std::int64_t OrderState::place(BufferIndex i) {
  const std::span<Link> links(links_.data() + links_begin_[i], conflicts(i));
  sort_links(links);
  const Grid grid = grid_[i];
  const std::int32_t position = position_[i];
  const std::int32_t* positions = position_.data();
  const std::int64_t* offsets = offset_.data();
  std::int64_t at = grid.up(0);
  for (const Link& link : links) {
    const bool before = positions[link.other] < position;  // no branch: nobody could predict it
    const std::int64_t offset = offsets[link.other];
    if (before & (at <= offset - link.below)) break;
    const std::int64_t high = before ? offset + link.above : 0;
    at = std::max(at, high);
    if (grid.step != 1) at = grid.up(at);
  }
  if (at <= kMaxInt64 - size_[i]) return at;
  fits_ = false;
  return kMaxInt64 - size_[i];
}

void OrderState::settle(BufferIndex i, std::int64_t offset) {
  offset_[i] = offset;
  const Int128 now = over(i, offset);
  excess_ += now - over_[i];
  over_[i] = now;
}

void OrderState::rotate(OrderMove move) {
  const BufferIndex moved = order_[move.from];
  const auto put = [&](std::size_t at, BufferIndex i) {
    order_[at] = i;
    position_[i] = static_cast<std::int32_t>(at);
  };
  for (std::size_t k = move.from; k > move.to; --k) put(k, order_[k - 1]);
  for (std::size_t k = move.from; k < move.to; ++k) put(k, order_[k + 1]);
  put(move.to, moved);
}

void OrderState::touch(BufferIndex i) {
  touched_[i] = 1;
  last_touched_ = std::max(last_touched_, position(i));
}

/// Buffers later in the order for which the change of `i` (offset `before` until now) matters.
void OrderState::touch_after(BufferIndex i, std::int64_t before, OrderMove move) {
  const std::int64_t now = offset_[i];
  const auto at = position_[i];
  const bool promoted = i == order_[move.to] && move.to < move.from;
  for (std::size_t k = links_begin_[i]; k < links_begin_[i + 1]; ++k) {
    const Link& link = links_[k];
    if (position_[link.other] <= at) continue;
    const std::int64_t there = offset_[link.other];
    const bool met = !promoted || position(link.other) > move.from;  // it came after `i` before, too
    if (met && now == before) continue;
    const bool left = met && before - link.above < there;
    const bool across = now - link.above < there && there < now + link.below;
    if (left || across) touch(link.other);
  }
}

bool OrderState::move(OrderMove move, double limit) {
  const Int128 most = whole(limit);
  const BufferIndex moved = order_[move.from];
  changes_.clear();
  rotate(move);
  last_move_ = move;
  last_touched_ = 0;
  for (std::size_t k = links_begin_[moved]; move.to > move.from && k < links_begin_[moved + 1]; ++k) {
    const Link& link = links_[k];
    const std::int32_t at = position_[link.other];
    const bool overtook = at >= static_cast<std::int32_t>(move.from) && at < static_cast<std::int32_t>(move.to);
    if (overtook && offset_[moved] - link.above < offset_[link.other]) touch(link.other);
  }
  touch(moved);

  const std::size_t first = std::min(move.from, move.to);
  Int128 open = 0;  // the part of the excess that may still fall
  for (std::size_t k = first; k < order_.size(); ++k) open += over_[order_[k]];
  for (std::size_t k = first; k <= last_touched_; ++k) {
    const BufferIndex i = order_[k];
    open -= over_[i];
    if (touched_[i] == 0) continue;
    touched_[i] = 0;
    const std::int64_t before = offset_[i];
    const std::int64_t now = place(i);
    if (now != before) {
      changes_.push_back({i, before});
      settle(i, now);
    }
    if (now != before || i == moved) touch_after(i, before, move);
    if (fits_ && excess_ - open <= most) continue;
    for (std::size_t rest = k + 1; rest <= last_touched_; ++rest) touched_[order_[rest]] = 0;
    undo();
    fits_ = true;
    return false;
  }
  if (excess_ <= most) return true;
  undo();
  return false;
}

void OrderState::undo() {
  for (std::size_t k = changes_.size(); k-- > 0;) settle(changes_[k].buffer, changes_[k].offset);
  changes_.clear();
  rotate({last_move_.to, last_move_.from});
}

}  // namespace stowage
