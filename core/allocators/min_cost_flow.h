#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// A flow network whose edges carry one unit each. The order in which edges are added decides which of several
/// cheapest flows is found. (TFLite: MinCostFlowSolver.)
class MinCostFlow {
 public:
  struct Edge {
    std::uint32_t to = 0;
    std::uint32_t twin = 0;  // position of the opposite edge among those of `to`
    std::int64_t cost = 0;
    bool free = false;     // one unit more can flow along it
    bool forward = false;  // it was added; else it is the way back of one that was
    bool carries() const { return forward && !free; }
  };

  explicit MinCostFlow(std::size_t vertices);

  /// An edge and its way back, behind all edges that the two vertices have already.
  void add(std::uint32_t from, std::uint32_t to, std::int64_t cost);
  /// One unit more along a cheapest path; false when there is none. Bellman and Ford in rounds: each vertex that became
  /// cheaper in a round passes that on, once, in the next one; only strictly cheaper counts.
  bool augment(std::uint32_t source, std::uint32_t sink);

  /// In the order in which they were added, ways back among them.
  std::span<const Edge> edges_of(std::uint32_t vertex) const { return edges_[vertex]; }

 private:
  /// How the cheapest path so far comes to a vertex.
  struct Arrival {
    std::uint32_t from = 0;
    std::uint32_t edge = 0;
  };
  void find_paths(std::uint32_t source);

  std::vector<std::vector<Edge>> edges_;
  std::vector<std::int64_t> cost_;  // from the source; kMaxInt64: not reached
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> next_queue_;
  std::vector<char> in_next_;
};

}  // namespace stowage
