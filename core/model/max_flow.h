#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// The largest flow through a network with capacities (Dinic's algorithm).
class MaxFlow {
 public:
  explicit MaxFlow(std::size_t nodes) : edges_of_(nodes), level_(nodes), next_(nodes) {}

  void add(std::size_t from, std::size_t to, std::int64_t capacity);
  std::int64_t run(std::size_t source, std::size_t sink);

 private:
  struct Edge {
    std::size_t to = 0;
    std::int64_t left = 0;  // capacity not used yet; the opposite edge is the one with index ^ 1
  };
  bool find_levels(std::size_t source, std::size_t sink);
  std::int64_t push(std::size_t node, std::size_t sink, std::int64_t most);

  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> edges_of_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

}  // namespace stowage
