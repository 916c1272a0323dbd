#pragma once

#include <optional>
#include <vector>

#include "core/allocators/idealloc/boxes.h"

namespace stowage::idealloc {

/// Choices of the algorithm that can be made by hand.
struct ByHand {
  std::optional<double> epsilon;
  std::optional<std::int64_t> level_height;  // of the boxes in all rounds but the last, bytes
  std::optional<std::int64_t> height;        // of the boxes of the last round, bytes
};

/// Boxes as far as they are built: the items left to plan, and what they are made of.
struct Boxing {
  BoxTree tree;
  std::vector<ItemIndex> items;
  BoxingReport report;
};

/// Range of epsilon in which Theorem 16 can begin; empty when small >= big.
struct EpsilonRange {
  double small = 0;
  double big = 0;
};
EpsilonRange epsilon_range(const BoxTree& jobs);

/// r, mu, H and the threshold of these items. `safe`: small ones can be boxed and stay small against what is left.
struct Safety {
  BoxingLevel level;
  double height = 0;  // H in the instance's unit
  double threshold = 0;
  bool safe = false;
};
Safety safety(const Instance& instance, const BoxTree& tree, const std::vector<ItemIndex>& items, double epsilon,
              const ByHand& by_hand);

/// What a run gives to all of its boxing.
struct Site {
  const Instance& instance;
  const RunContext& context;
  ByHand by_hand;
  bool silent = false;  // writes no report: quicker
};

/// Phase 1 of Theorem 16 (Buchsbaum et al., STOC 2003): round after round the small jobs go into boxes, so that the
/// ratio of sizes shrinks, until a round would not be safe. Nothing when it was stopped.
std::optional<Boxing> rogue(const Site& site, double epsilon, Choices& choices);

/// Boxing whose ratio of sizes is the least found while epsilon rises through its range; three rounds without progress
/// end the search. Nothing when it was stopped.
std::optional<Boxing> best_start(const Site& site, Choices& choices);

/// The last round: everything into boxes of one height, the largest job / mu. False when it was stopped.
bool converge(const Site& site, Boxing& boxing, double epsilon, Choices& choices);

}  // namespace stowage::idealloc
