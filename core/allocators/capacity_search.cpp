#include "core/allocators/capacity_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/allocators/tells.h"

namespace stowage {

CapacitySearch::CapacitySearch(const Problem& problem, const SearchRules& rules)
    : problem_(problem), rules_(rules), state_(problem, rules) {
  for (const std::string& letters : rules.orders) orders_.emplace_back(problem, letters);
}

bool CapacitySearch::proves() const {
  return !state_.tables().has_windows_at_odds && (rules_.dynamic_ordering || !rules_.hatless_pruning);
}

SearchEnd CapacitySearch::run(std::uint16_t space, std::int64_t capacity, std::int64_t nodes,
                              const RunContext& context) {
  context_ = &context;
  const auto buffers = std::count_if(problem_.buffers().begin(), problem_.buffers().end(),
                                     [&](const Buffer& b) { return b.space == space; });
  std::int64_t limit = orders_.size() > 1 ? 2 * std::int64_t{buffers} : nodes;
  while (true) {
    for (const OrderKeys& keys : orders_) {
      keys_ = &keys;
      nodes_left_ = std::min(limit, nodes);
      nodes -= nodes_left_;
      if (tells(*context_)) {
        const auto order = static_cast<std::size_t>(&keys - orders_.data());
        context_->say(Step{step::Note{fmt::format("ranks by {}", rules_.orders[order])},
                           fmt::format("at most {} nodes to fit under {} bytes", nodes_left_, capacity)});
      }
      state_.reset(space, capacity, context);
      const SearchEnd end = solve_all(space);
      if (end != SearchEnd::kOutOfNodes || nodes == 0) return end;
    }
    limit = limit > nodes / 2 ? nodes : 2 * limit;
  }
}

SearchEnd CapacitySearch::solve_all(std::uint16_t space) {
  const std::int32_t first = problem_.sections().first_of_space(space);
  const std::int32_t last = problem_.sections().first_of_space(space + std::size_t{1});
  for (const Partition& partition : state_.tables().partitions) {
    if (partition.first < first || partition.first >= last) continue;
    const SearchEnd end = solve(partition);
    if (end == SearchEnd::kExhausted) exhausted_ = partition.buffers;
    if (end != SearchEnd::kFound) return end;
  }
  return SearchEnd::kFound;
}

SearchEnd CapacitySearch::solve(const Partition& partition) {
  frames_.clear();
  entries_.clear();
  candidates_.clear();
  parts_.clear();
  Turn turn = open_part(partition.buffers, {partition.first, partition.last});
  while (true) {
    switch (turn) {
      case Turn::kOpened:
        turn = try_candidates();
        break;
      case Turn::kSolved:
        if (!back_to_split()) return SearchEnd::kFound;
        turn = open_next_part();
        break;
      case Turn::kFailed:
        if (!back_to_choice()) return SearchEnd::kExhausted;
        turn = try_candidates();
        break;
      case Turn::kOutOfNodes:
        return SearchEnd::kOutOfNodes;
      case Turn::kStopped:
        return SearchEnd::kStopped;
    }
  }
}

/// A partition of its own: its buffers get ranks anew, by the bytes that wait now.
CapacitySearch::Turn CapacitySearch::open_part(std::span<const BufferIndex> buffers, SectionRange sections) {
  ranked_.clear();
  for (const BufferIndex i : buffers) {
    const std::int64_t load = keys_->by_load ? state_.heaviest(i) : 0;
    ranked_.push_back({keys_->before[i], keys_->after[i], load, i});
  }
  if (rules_.static_preordering) {
    std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
      if (a.before != b.before) return a.before < b.before;
      return a.load != b.load ? a.load > b.load : a.after < b.after;
    });
  }
  const Slice entries{entries_.size(), entries_.size() + ranked_.size()};
  for (std::uint32_t k = 0; k < ranked_.size(); ++k) entries_.push_back({ranked_[k].buffer, k});
  return open(entries, sections, Candidate{}, state_.heaviest(sections));
}

/// A new node: gathers the buffers that may come next. Solved when nothing waits any more.
CapacitySearch::Turn CapacitySearch::open(Slice entries, SectionRange sections, const Candidate& parent,
                                          std::int64_t heaviest) {
  if (nodes_left_ <= 0) return Turn::kOutOfNodes;
  --nodes_left_;
  if (++visited_ % 256 == 0 && context_->should_stop()) return Turn::kStopped;

  Frame frame;
  frame.before = marks();
  std::size_t waiting = 0;
  std::int64_t lowest_top = kMaxInt64;
  for (std::size_t k = entries.begin; k < entries.end; ++k) {
    const Entry entry = entries_[k];
    if (!state_.waits(entry.buffer)) continue;
    ++waiting;
    lowest_top = std::min(lowest_top, state_.top(entry.buffer));
    const std::int64_t offset = state_.lowest(entry.buffer);
    if (rules_.check_dominance && offset >= lowest_top) continue;  // keep_allowed has the final word
    candidates_.push_back({offset, entry});
  }
  if (waiting == 0) return Turn::kSolved;
  keep_allowed(frame.before.candidates, parent, lowest_top);
  frame.items = {frame.before.candidates, candidates_.size()};
  frame.entries = 2 * waiting < entries.end - entries.begin ? without_placed(entries) : entries;
  frame.sections = sections;
  frame.heaviest = heaviest;
  frames_.push_back(frame);
  return Turn::kOpened;
}

/// A copy of the entries for the nodes below, which then need not look at those that are placed.
CapacitySearch::Slice CapacitySearch::without_placed(Slice entries) {
  const std::size_t begin = entries_.size();
  for (std::size_t k = entries.begin; k < entries.end; ++k) {
    const Entry entry = entries_[k];
    if (state_.waits(entry.buffer)) entries_.push_back(entry);
  }
  return {begin, entries_.size()};
}

/// Leaves the candidates from `begin` on that the rules allow, in the order in which they are tried.
void CapacitySearch::keep_allowed(std::size_t begin, const Candidate& parent, std::int64_t lowest_top) {
  const auto forbidden = [&](const Candidate& c) {
    if (rules_.check_dominance && c.offset >= lowest_top) return true;
    if (rules_.canonical_only) {
      if (c.offset < parent.offset) return true;
      if (c.offset == parent.offset && c.entry.rank < parent.entry.rank) return true;
    }
    const Buffer& buffer = problem_[c.entry.buffer];
    return buffer.is_fixed() && c.offset > buffer.fixed;
  };
  const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(begin);
  candidates_.erase(std::remove_if(first, candidates_.end(), forbidden), candidates_.end());
  if (!rules_.dynamic_ordering) return;
  std::sort(first, candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.entry.rank < b.entry.rank;
  });
}

/// Places the next candidate of the top node that passes all checks, and goes on below it.
CapacitySearch::Turn CapacitySearch::try_candidates() {
  Frame& frame = frames_.back();
  while (frame.items.begin < frame.items.end) {
    frame.placed = candidates_[frame.items.begin++];
    const BufferIndex buffer = frame.placed.entry.buffer;
    if (tells(*context_)) context_->say(Step{step::Consider{buffer}, {}});
    if (too_heavy(frame)) {
      if (rules_.dynamic_ordering) break;  // the others would lie no lower
    } else if (state_.place(buffer, frame.placed.offset)) {
      return descend();
    }
    if (rules_.hatless_pruning && !state_.has_hat(buffer)) break;
  }
  ++backtracks_;
  pop();
  return Turn::kFailed;
}

/// The heaviest section of the partition has no room above the candidate; nothing goes below it any more.
bool CapacitySearch::too_heavy(Frame& frame) const {
  if (!rules_.section_inference) return false;
  const std::int64_t floor = rules_.monotonic_floor ? frame.placed.offset : 0;
  if (frame.heaviest <= state_.capacity() - floor) return false;
  if (!frame.heaviest_known) {
    frame.heaviest = state_.heaviest(frame.sections);
    frame.heaviest_known = true;
  }
  if (frame.heaviest <= state_.capacity() - floor) return false;
  if (tells(*context_)) {
    const std::int64_t free = std::max<std::int64_t>(0, state_.capacity() - floor);
    context_->say(Step{step::Note{fmt::format("from offset {} on {} bytes are free, {} needed at one time", floor, free,
                                              frame.heaviest)},
                       "from now on nothing is placed lower"});
  }
  return true;
}

/// Goes on below the placement of the top node: with the rest as one, or in the parts into which it has fallen.
CapacitySearch::Turn CapacitySearch::descend() {
  const Frame top = frames_.back();
  const std::size_t parts = parts_.size();
  if (rules_.dynamic_decomposition) {
    std::int32_t begin = top.sections.first;
    Frame split;
    split.split = true;
    split.before = marks();
    state_.cut([&](std::int32_t s) {
      parts_.push_back({begin, s + 1});
      begin = s + 1;
    });
    if (parts_.size() > parts) {
      parts_.push_back({begin, top.sections.last});
      split.entries = top.entries;
      split.items = {parts, parts_.size()};
      frames_.push_back(split);
      if (tells(*context_)) {
        context_->say(Step{step::Note{fmt::format("what waits falls into {} parts", parts_.size() - parts)},
                           "no waiting buffer lives across the times between them"});
      }
      return open_next_part();
    }
  }
  return open(top.entries, top.sections, top.placed, top.heaviest);
}

/// Opens the next part of the split on top in which something waits; the split is solved when there is none.
CapacitySearch::Turn CapacitySearch::open_next_part() {
  Frame& split = frames_.back();
  while (split.items.begin < split.items.end) {
    const SectionRange part = parts_[split.items.begin++];
    gathered_.clear();
    for (std::size_t k = split.entries.begin; k < split.entries.end; ++k) {
      const BufferIndex i = entries_[k].buffer;
      if (state_.waits(i) && problem_.sections().range(i).overlaps(part)) gathered_.push_back(i);
    }
    if (!gathered_.empty()) return open_part(gathered_, part);
  }
  return Turn::kSolved;
}

/// What is on top is solved for good: nothing in it is tried again, its placements stay. False when no split has more
/// parts.
bool CapacitySearch::back_to_split() {
  while (!frames_.empty()) {
    const Frame& frame = frames_.back();
    if (frame.split && frame.items.begin < frame.items.end) return true;
    frames_.pop_back();
  }
  return false;
}

/// What followed the placement of a node has failed: takes it back. False when there is no such node.
bool CapacitySearch::back_to_choice() {
  while (!frames_.empty() && frames_.back().split) pop();
  if (frames_.empty()) return false;
  Frame& frame = frames_.back();
  state_.take_back(frame.before.placements, "nothing that could follow fits");
  if (rules_.hatless_pruning && !state_.has_hat(frame.placed.entry.buffer)) frame.items.begin = frame.items.end;
  return true;
}

void CapacitySearch::pop() {
  const Marks before = frames_.back().before;
  entries_.resize(before.entries);
  candidates_.resize(before.candidates);
  parts_.resize(before.parts);
  frames_.pop_back();
}

CapacitySearch::Marks CapacitySearch::marks() const {
  return {entries_.size(), candidates_.size(), parts_.size(), state_.placements()};
}

}  // namespace stowage
