#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// A heavy clique of a graph: nodes of which each pair is connected.
struct Clique {
  std::vector<std::uint32_t> nodes;  // ascending
  std::int64_t weight = 0;
};

/// Looks for the heaviest clique by branch and bound, where a set is bounded by the heaviest node of each class of a
/// colouring; ends early with one above `enough`, or after so many nodes of the search with the best one so far.
/// `neighbours` by node, ascending.
Clique heavy_clique(std::span<const std::vector<std::uint32_t>> neighbours, std::span<const std::int64_t> weights,
                    std::int64_t enough, std::int64_t nodes);

}  // namespace stowage
