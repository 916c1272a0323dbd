#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// Components of evicted neighbours with their cost. A storage that comes back takes its cost away, not its part.
class EvictedComponents {
 public:
  explicit EvictedComponents(std::size_t count) : node_(count, kNowhere) {}

  void evict(std::uint32_t storage, double cost, const std::vector<std::uint32_t>& evicted_neighbours) {
    node_[storage] = static_cast<std::uint32_t>(parent_.size());
    parent_.push_back(node_[storage]);
    cost_.push_back(cost);
    for (const std::uint32_t other : evicted_neighbours) {
      if (node_[other] != kNowhere) join(node_[other], node_[storage]);
    }
  }
  void come_back(std::uint32_t storage, double cost) {
    if (node_[storage] == kNowhere) return;
    cost_[root(node_[storage])] -= cost;
    node_[storage] = kNowhere;
  }
  /// Of the components that the neighbours are in, each once.
  double cost(const std::vector<std::uint32_t>& evicted_neighbours) {
    roots_.clear();
    for (const std::uint32_t other : evicted_neighbours) {
      if (node_[other] != kNowhere) roots_.push_back(root(node_[other]));
    }
    std::sort(roots_.begin(), roots_.end());
    roots_.erase(std::unique(roots_.begin(), roots_.end()), roots_.end());
    double sum = 0;
    for (const std::uint32_t r : roots_) sum += cost_[r];
    return sum;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b] = a;
    cost_[a] += cost_[b];
  }

  std::vector<std::uint32_t> node_;  // by storage
  std::vector<std::uint32_t> parent_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> roots_;  // working memory
};

}  // namespace stowage
