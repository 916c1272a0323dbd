#include "core/search/live_plan.h"

#include <algorithm>

namespace stowage {

LivePlan::LivePlan(const Problem& problem, std::span<const std::int64_t> offsets) : size_before_(problem.size()) {
  for (const Space& space : problem.spaces()) bases_.push_back(space.base);
  buffers_.reserve(problem.size());
  std::vector<std::vector<BufferIndex>> own(bases_.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    buffers_.push_back(made_of(problem[i]));
    buffers_.back().offset = offsets[i];
    if (buffers_.back().takes_memory()) own[problem[i].space].push_back(i);
  }
  spaces_.reserve(own.size());
  for (const std::vector<BufferIndex>& these : own) spaces_.emplace_back(buffers_, these);
}

LiveBuffer LivePlan::made_of(const Buffer& buffer) const {
  LiveBuffer live;
  live.life = {buffer.start, buffer.end};
  live.size = buffer.size;
  live.grid = grid_above(bases_[buffer.space], buffer.alignment);
  live.fixed = buffer.fixed;
  live.space = buffer.space;
  return live;
}

std::vector<std::int64_t> LivePlan::offsets() const {
  std::vector<std::int64_t> offsets;
  offsets.reserve(buffers_.size());
  for (const LiveBuffer& b : buffers_) offsets.push_back(b.offset);
  return offsets;
}

std::optional<Replanned> LivePlan::change(std::span<const LiveEdit> edits, const ReplanLimits& limits,
                                          const RunContext& context) {
  size_before_ = buffers_.size();
  edited_.clear();
  for (LiveSpace& space : spaces_) space.forget_past();
  std::vector<std::vector<Homeless>> homeless(spaces_.size());
  for (const LiveEdit& one : edits) edit(one, homeless);
  Replanned done;
  bool sound = clear_pins(homeless);
  for (std::size_t s = 0; sound && s < spaces_.size(); ++s) {
    const std::optional<ReplanTier> tier = ReplanSpace(spaces_[s], limits).run(std::move(homeless[s]), context);
    sound = tier.has_value();
    done.tier = std::max(done.tier, tier.value_or(ReplanTier::kStay));
    done.bound = std::max(done.bound, spaces_[s].bound());
    done.makespan = std::max(done.makespan, spaces_[s].makespan());
  }
  if (!sound) {
    take_back();
    return std::nullopt;
  }
  done.moved = moved();
  return done;
}

/// Makes one buffer what it is to be; then it has no place, except where there is only one.
void LivePlan::edit(const LiveEdit& edit, std::vector<std::vector<Homeless>>& homeless) {
  if (edit.buffer == buffers_.size()) buffers_.emplace_back();
  LiveBuffer& b = buffers_[edit.buffer];
  if (b.takes_memory()) spaces_[b.space].remove(edit.buffer);
  const std::int64_t wish = b.offset != kNoOffset ? b.offset : edit.wish;
  edited_.push_back({edit.buffer, b, wish});
  b = made_of(edit.now);
  if (b.is_fixed()) b.offset = b.fixed;
  if (!b.takes_memory()) {
    if (!b.is_fixed()) b.offset = b.grid.up(0);
    return;
  }
  spaces_[b.space].add(edit.buffer);
  if (!b.is_fixed()) homeless[b.space].push_back({edit.buffer, wish});
}

bool LivePlan::clear_pins(std::vector<std::vector<Homeless>>& homeless) {
  return std::all_of(edited_.begin(), edited_.end(), [&](const Edited& one) {
    const LiveBuffer& b = buffers_[one.buffer];
    return !b.is_fixed() || !b.takes_memory() || clear_pin(one.buffer, homeless[b.space]);
  });
}

/// What collides with a pin looks for a place as well. False when that is a pin too.
bool LivePlan::clear_pin(BufferIndex pin, std::vector<Homeless>& homeless) {
  const LiveBuffer& b = buffers_[pin];
  std::vector<Homeless> hit;
  spaces_[b.space].visit_living(b.life, [&](const LiveSpace::Rectangle& one) {
    const bool meets = one.is_placed() && one.low < b.end() && one.high > b.offset;
    if (meets && one.buffer != pin) hit.push_back({one.buffer, one.low});
  });
  std::sort(hit.begin(), hit.end(), [](const Homeless& x, const Homeless& y) { return x.buffer < y.buffer; });
  for (const Homeless& one : hit) {
    if (buffers_[one.buffer].is_fixed()) return false;
    spaces_[b.space].put(one.buffer, kNoOffset);
    homeless.push_back(one);
  }
  return true;
}

void LivePlan::take_back() {
  for (LiveSpace& space : spaces_) {
    const std::vector<LiveSpace::Past> past(space.past().begin(), space.past().end());
    for (auto one = past.rbegin(); one != past.rend(); ++one) space.put(one->buffer, one->offset);
    space.forget_past();
  }
  for (auto one = edited_.rbegin(); one != edited_.rend(); ++one) {
    LiveBuffer& b = buffers_[one->buffer];
    if (b.takes_memory()) spaces_[b.space].remove(one->buffer);
    b = one->before;
    if (b.takes_memory()) spaces_[b.space].add(one->buffer);
  }
  edited_.clear();
  buffers_.resize(size_before_);
}

std::vector<BufferIndex> LivePlan::moved() const {
  std::vector<LiveSpace::Past> was;
  for (const Edited& one : edited_) was.push_back({one.buffer, one.wish});
  for (const LiveSpace& space : spaces_) was.insert(was.end(), space.past().begin(), space.past().end());
  // The first that is known of each is where it was.
  std::stable_sort(was.begin(), was.end(),
                   [](const LiveSpace::Past& a, const LiveSpace::Past& b) { return a.buffer < b.buffer; });
  std::vector<BufferIndex> moved;
  BufferIndex last = kNoBuffer;
  for (const LiveSpace::Past& one : was) {
    if (one.buffer != last && buffers_[one.buffer].offset != one.offset) moved.push_back(one.buffer);
    last = one.buffer;
  }
  return moved;
}

}  // namespace stowage
