#include "core/allocators/local_queue.h"

#include <algorithm>
#include <bit>

namespace stowage {

LocalQueue::LocalQueue(std::size_t sections, Locality locality)
    : shift_(locality == Locality::kBlocks ? kBlockShift : std::numeric_limits<std::int32_t>::digits),
      leaves_(std::bit_ceil((sections >> shift_) + 1)),
      all_{0, static_cast<std::int32_t>(sections)},
      nodes_(2 * leaves_) {}

void LocalQueue::add(const Waiting& waiting) {
  const std::size_t first = leaf(waiting.range.first);
  const std::size_t last = leaf(waiting.range.last - 1);
  // Two nodes of one level meet as many levels up as their numbers differ in low digits.
  nodes_[first >> std::bit_width(first ^ last)].queue.append(waiting);
}

bool LocalQueue::meets(std::size_t node, SectionRange range) const {
  const auto levels = std::bit_width(leaves_) - std::bit_width(node);  // down to the leaves
  return leaf(range.first) >> levels <= node && node <= leaf(range.last - 1) >> levels;
}

void LocalQueue::update_least(std::size_t node) {
  const MinQueue<Waiting>& queue = nodes_[node].queue;
  Waiting least = queue.empty() ? kNever : queue.top();
  if (!is_leaf(node)) least = std::min({least, nodes_[2 * node].least, nodes_[2 * node + 1].least});
  nodes_[node].least = least;
}

}  // namespace stowage
