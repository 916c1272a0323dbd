#include "core/io/sharing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

constexpr std::size_t kMostPairs = 4'000'000;

struct Placed {
  std::int64_t low = 0;
  std::int64_t high = 0;
  BufferIndex buffer = kNoBuffer;
};

/// Shown for its whole life, but in nobody's way (see need_nothing).
bool needs_nothing(const ProblemInput& input, BufferIndex i) {
  const Buffer& buffer = input.buffers[i];
  if (buffer.details == Buffer::kNoDetails) return false;
  const std::vector<Gap>& gaps = input.details[buffer.details].gaps;
  return gaps.size() == 1 && gaps[0] == Gap{buffer.start, buffer.end, std::nullopt};
}

/// The buffers that take memory at a known place, by space and start.
std::vector<BufferIndex> placed_by_start(const ProblemInput& input, std::span<const std::int64_t> offsets) {
  std::vector<BufferIndex> order;
  for (BufferIndex i = 0; i < input.buffers.size(); ++i) {
    const Buffer& buffer = input.buffers[i];
    if (!buffer.takes_memory() || offsets[i] == kNoOffset || needs_nothing(input, i)) continue;
    if (checked_add(offsets[i], buffer.size)) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    const Buffer& x = input.buffers[a];
    const Buffer& y = input.buffers[b];
    if (x.space != y.space) return x.space < y.space;
    return x.start != y.start ? x.start < y.start : a < b;
  });
  return order;
}

Details& details_of(ProblemInput& input, BufferIndex i) {
  Buffer& buffer = input.buffers[i];
  if (buffer.details == Buffer::kNoDetails) {
    buffer.details = static_cast<std::uint32_t>(input.details.size());
    input.details.emplace_back();
  }
  return input.details[buffer.details];
}

class Sets {
 public:
  explicit Sets(std::size_t count) : root_(count) { std::iota(root_.begin(), root_.end(), BufferIndex{0}); }
  BufferIndex root(BufferIndex i) {
    while (root_[i] != i) {
      root_[i] = root_[root_[i]];
      i = root_[i];
    }
    return i;
  }
  void join(BufferIndex a, BufferIndex b) { root_[root(b)] = root(a); }

 private:
  std::vector<BufferIndex> root_;
};

bool lies_inside(const ProblemInput& input, std::span<const std::int64_t> offsets, BufferIndex inner,
                 BufferIndex outer) {
  return offsets[inner] >= offsets[outer] &&
         offsets[inner] + input.buffers[inner].size <= offsets[outer] + input.buffers[outer].size;
}

void tie(ProblemInput& input, std::span<const std::int64_t> offsets, const SharedBytes& pair) {
  const auto [a, b] = std::pair(pair.first, pair.second);
  if (offsets[a] == offsets[b]) {
    input.constraints.colocations.push_back({a, b});
  } else if (lies_inside(input, offsets, a, b)) {
    input.constraints.aliases.push_back({a, b, offsets[a] - offsets[b]});
  } else {
    input.constraints.aliases.push_back({b, a, offsets[b] - offsets[a]});
  }
}

}  // namespace

void for_each_shared(const ProblemInput& input, std::span<const std::int64_t> offsets,
                     const std::function<void(const SharedBytes&)>& visit) {
  std::multimap<std::int64_t, Placed> live;                    // by low
  std::multimap<std::int64_t, decltype(live)::iterator> ends;  // by end of life
  std::int64_t largest = 0;
  std::size_t pairs = 0;
  const Buffer* before = nullptr;
  for (const BufferIndex i : placed_by_start(input, offsets)) {
    const Buffer& buffer = input.buffers[i];
    if (before != nullptr && before->space != buffer.space) {
      live.clear();
      ends.clear();
      largest = 0;
    }
    before = &buffer;
    while (!ends.empty() && ends.begin()->first <= buffer.start) {
      live.erase(ends.begin()->second);
      ends.erase(ends.begin());
    }
    const Placed placed{offsets[i], offsets[i] + buffer.size, i};
    const std::int64_t from = checked_sub(placed.low, largest).value_or(kMinInt64);
    for (auto other = live.upper_bound(from); other != live.end() && other->first < placed.high; ++other) {
      if (other->second.high <= placed.low) continue;
      if (++pairs > kMostPairs) return;
      visit({other->second.buffer, i});
    }
    largest = std::max(largest, buffer.size);
    ends.emplace(buffer.end, live.emplace(placed.low, placed));
  }
}

std::size_t tie_shared(ProblemInput& input, std::span<const std::int64_t> offsets,
                       const std::function<bool(const SharedBytes&)>& meant) {
  std::vector<SharedBytes> ties;
  std::vector<SharedBytes> collisions;
  std::vector<BufferIndex> cut;  // need nothing in their last step
  Sets sets(input.buffers.size());
  for_each_shared(input, offsets, [&](const SharedBytes& pair) {
    if (!meant(pair)) {
      collisions.push_back(pair);
    } else if (lies_inside(input, offsets, pair.first, pair.second) ||
               lies_inside(input, offsets, pair.second, pair.first)) {
      ties.push_back(pair);
      sets.join(pair.first, pair.second);
    } else {
      cut.push_back(pair.first);
    }
  });
  std::vector<bool> hides(input.buffers.size(), false);  // by root
  for (const SharedBytes& pair : collisions) {
    if (sets.root(pair.first) == sets.root(pair.second)) hides[sets.root(pair.first)] = true;
  }
  std::size_t tied = 0;
  for (const SharedBytes& pair : ties) {
    if (hides[sets.root(pair.first)]) continue;
    tie(input, offsets, pair);
    ++tied;
  }
  for (const BufferIndex i : cut) {
    Details& details = details_of(input, i);
    const std::int64_t end = input.buffers[i].end;
    if (!details.gaps.empty() && details.gaps.back().end == end) continue;
    details.gaps.push_back({end - 1, end, std::nullopt});
    ++tied;
  }
  return tied;
}

bool touch_at_one_step(const ProblemInput& input, const SharedBytes& pair) {
  return input.buffers[pair.first].end - 1 == input.buffers[pair.second].start;
}

void share_bytes_once(ProblemInput& input, std::span<const std::int64_t> offsets, std::vector<BufferIndex> which) {
  std::erase_if(which, [&](BufferIndex i) {
    return !input.buffers[i].takes_memory() || offsets[i] == kNoOffset ||
           !checked_add(offsets[i], input.buffers[i].size);
  });
  std::stable_sort(which.begin(), which.end(), [&](BufferIndex a, BufferIndex b) {
    const Buffer& x = input.buffers[a];
    const Buffer& y = input.buffers[b];
    if (x.space != y.space) return x.space < y.space;
    return offsets[a] != offsets[b] ? offsets[a] < offsets[b] : x.size > y.size;
  });
  std::int64_t covered = kMinInt64;
  const Buffer* before = nullptr;
  for (const BufferIndex i : which) {
    const Buffer& buffer = input.buffers[i];
    if (before == nullptr || before->space != buffer.space) covered = kMinInt64;
    before = &buffer;
    const std::int64_t low = offsets[i];
    const std::int64_t high = low + buffer.size;
    if (covered > low) {
      const std::int64_t own = std::min(covered, high);
      details_of(input, i).gaps = {{buffer.start, buffer.end, Window{own - low, buffer.size}}};
    }
    covered = std::max(covered, high);
  }
}

void need_nothing(Details& details, const Buffer& buffer) {
  if (buffer.start < buffer.end) details.gaps = {{buffer.start, buffer.end, std::nullopt}};
}

}  // namespace stowage
