#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/allocators/idealloc/choices.h"
#include "core/base/integers.h"
#include "core/base/random.h"

namespace stowage::idealloc {

/// What Monte Carlo tree search knows of the choices that follow one start. A node stands for the choices made so far;
/// a playout goes down through known nodes, adds one, and finishes by itself. (Coulom, CG 2006; Kocsis and Szepesvari,
/// ECML 2006; widening after Couetoux et al., LION 2011: a node has at most about sqrt(visits) children.)
///
/// Below the tree a playout repeats the choice that the best playout made in the same situation, mostly, and else
/// chooses at random (last good reply: Drake, ICGA Journal 2009).
class ChoiceTree {
 public:
  explicit ChoiceTree(std::uint64_t seed) : random_(seed), nodes_(1) {}

  /// The choices of one playout.
  class Playout final : public Choices {
   public:
    explicit Playout(ChoiceTree& tree) : tree_(tree) {}
    std::uint32_t choose(std::uint32_t count, std::uint64_t key) override;

   private:
    friend class ChoiceTree;
    struct Reply {
      std::uint64_t key = 0;
      std::uint32_t choice = 0;
    };
    ChoiceTree& tree_;
    std::vector<std::uint32_t> path_ = {0};  // nodes
    std::vector<Reply> replies_;
    bool in_tree_ = true;
  };

  /// Tells the makespan to which a playout came.
  void learn(const Playout& playout, std::int64_t makespan);

  std::int64_t best() const { return best_; }
  std::size_t size() const { return nodes_.size(); }
  std::uint32_t visits() const { return nodes_.front().visits; }
  /// The choices of the best playout, in order.
  const std::vector<std::uint32_t>& best_choices() const { return best_choices_; }

 private:
  struct Node {
    std::uint32_t visits = 0;
    double sum = 0;                       // of values
    std::int64_t best = kMaxInt64;        // makespan
    std::vector<std::uint32_t> children;  // nodes
    std::uint32_t choice = 0;             // that leads here
  };

  std::uint32_t reply(std::uint32_t count, std::uint64_t key);
  std::uint32_t child_to_visit(const Node& node) const;

  Random random_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> good_;  // choice by situation, of the best playout
  std::vector<std::uint32_t> best_choices_;
  std::int64_t best_ = kMaxInt64;
  std::int64_t worst_ = 0;
  double fresh_ = 1;  // share of replies that are random
};

}  // namespace stowage::idealloc
