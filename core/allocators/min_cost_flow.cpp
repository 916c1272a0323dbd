#include "core/allocators/min_cost_flow.h"

#include <algorithm>

#include "core/base/integers.h"

namespace stowage {

MinCostFlow::MinCostFlow(std::size_t vertices)
    : edges_(vertices), cost_(vertices), arrivals_(vertices), in_next_(vertices, 0) {}

void MinCostFlow::add(std::uint32_t from, std::uint32_t to, std::int64_t cost) {
  const auto there = static_cast<std::uint32_t>(edges_[from].size());
  const auto back = static_cast<std::uint32_t>(edges_[to].size());
  edges_[from].push_back(Edge{to, back, cost, true, true});
  edges_[to].push_back(Edge{from, there, -cost, false, false});
}

void MinCostFlow::find_paths(std::uint32_t source) {
  std::fill(cost_.begin(), cost_.end(), kMaxInt64);
  cost_[source] = 0;
  queue_.assign(1, source);
  while (!queue_.empty()) {
    next_queue_.clear();
    for (const std::uint32_t vertex : queue_) {
      const std::vector<Edge>& edges = edges_[vertex];
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        const Edge& edge = edges[k];
        if (!edge.free || cost_[vertex] + edge.cost >= cost_[edge.to]) continue;
        cost_[edge.to] = cost_[vertex] + edge.cost;
        arrivals_[edge.to] = Arrival{vertex, k};
        if (in_next_[edge.to] == 0) next_queue_.push_back(edge.to);
        in_next_[edge.to] = 1;
      }
    }
    for (const std::uint32_t vertex : next_queue_) in_next_[vertex] = 0;
    queue_.swap(next_queue_);
  }
}

bool MinCostFlow::augment(std::uint32_t source, std::uint32_t sink) {
  find_paths(source);
  if (cost_[sink] == kMaxInt64) return false;
  for (std::uint32_t at = sink; at != source; at = arrivals_[at].from) {
    Edge& edge = edges_[arrivals_[at].from][arrivals_[at].edge];
    edge.free = false;
    edges_[at][edge.twin].free = true;
  }
  return true;
}

}  // namespace stowage
