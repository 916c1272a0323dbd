#pragma once

#include <cstdint>
#include <vector>

#include "core/allocators/idealloc/choices.h"
#include "core/base/integers.h"
#include "core/base/random.h"

namespace stowage::idealloc {

/// What Monte Carlo tree search knows of the choices that follow one start. A node stands for the choices made so far;
/// a playout goes down through known nodes, adds one, and finishes by itself. (Coulom, CG 2006; Kocsis and Szepesvari,
/// ECML 2006; widening after Couetoux et al., LION 2011: a node has at most about sqrt(visits) children.)
///
/// A playout makes the choices of the best playout again, in the tree and below it, but for the jobs of one height or a
/// few, which it boxes afresh: heights are boxed independently, so what was good of the others stays good. (Last good
/// reply: Drake, ICGA Journal 2009.) Which height is drawn by what came of those that were drawn before.
class ChoiceTree {
 public:
  explicit ChoiceTree(std::uint64_t seed) : random_(seed), nodes_(1) {}

  /// The choices of one playout.
  class Playout final : public Choices {
   public:
    explicit Playout(ChoiceTree& tree);
    std::uint32_t choose(std::uint32_t count) override;
    void next_height() override;

   private:
    friend class ChoiceTree;
    std::uint32_t reply(std::uint32_t count);
    std::uint32_t choice_in_tree(std::uint32_t count);

    ChoiceTree& tree_;
    std::vector<char> fresh_;                       // by height: boxed afresh; all are when it is empty
    std::vector<std::vector<std::uint32_t>> made_;  // choices, by height
    std::vector<std::uint32_t> path_ = {0};         // nodes
    bool in_tree_ = true;
    bool repeats_ = false;  // so far the choices for this height are those of the best playout
  };

  /// Tells the makespan to which a playout came.
  void learn(const Playout& playout, std::int64_t makespan);

  std::int64_t best() const { return best_; }
  std::uint32_t visits() const { return nodes_.front().visits; }
  /// Whether it has seen enough at random to go on from the best of that.
  bool is_settled() const;
  /// The choices of the best playout, in order.
  std::vector<std::uint32_t> best_choices() const;

 private:
  struct Node {
    std::uint32_t visits = 0;
    double sum = 0;                       // of values
    std::int64_t best = kMaxInt64;        // makespan
    std::vector<std::uint32_t> children;  // nodes
    std::uint32_t choice = 0;             // that leads here
  };

  /// What came of boxing a height afresh; of a playout with several of them each has its share.
  struct Trials {
    double made = 0;
    double won = 0;  // came below the best
  };

  std::vector<char> draw_fresh_heights();
  void learn_heights(const Playout& playout, bool won);
  std::uint32_t child_to_visit(const Node& node) const;

  Random random_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> good_;  // choices of the best playout, by height
  std::vector<Trials> trials_;                    // by height
  std::int64_t best_ = kMaxInt64;
  std::int64_t worst_ = 0;
};

}  // namespace stowage::idealloc
