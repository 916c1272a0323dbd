#include "core/model/max_flow.h"

#include <algorithm>

#include "core/base/integers.h"

namespace stowage {

void MaxFlow::add(std::size_t from, std::size_t to, std::int64_t capacity) {
  edges_of_[from].push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back({to, capacity});
  edges_of_[to].push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back({from, 0});
}

std::int64_t MaxFlow::run(std::size_t source, std::size_t sink) {
  std::int64_t total = 0;
  while (find_levels(source, sink)) {
    std::fill(next_.begin(), next_.end(), 0);
    while (const std::int64_t pushed = push(source, sink, kMaxInt64)) total += pushed;
  }
  return total;
}

bool MaxFlow::find_levels(std::size_t source, std::size_t sink) {
  std::fill(level_.begin(), level_.end(), -1);
  level_[source] = 0;
  std::vector<std::size_t> queue = {source};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const std::uint32_t e : edges_of_[queue[k]]) {
      if (edges_[e].left == 0 || level_[edges_[e].to] >= 0) continue;
      level_[edges_[e].to] = level_[queue[k]] + 1;
      queue.push_back(edges_[e].to);
    }
  }
  return level_[sink] >= 0;
}

/// As deep as there are levels; in the networks here at most twice the buffers of one chain.
std::int64_t MaxFlow::push(std::size_t node, std::size_t sink, std::int64_t most) {
  if (node == sink) return most;
  for (; next_[node] < edges_of_[node].size(); ++next_[node]) {
    const std::uint32_t e = edges_of_[node][next_[node]];
    if (edges_[e].left == 0 || level_[edges_[e].to] != level_[node] + 1) continue;
    const std::int64_t pushed = push(edges_[e].to, sink, std::min(most, edges_[e].left));
    if (pushed == 0) continue;
    edges_[e].left -= pushed;
    edges_[e ^ 1U].left += pushed;
    return pushed;
  }
  return 0;
}

}  // namespace stowage
