#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run.h"
#include "core/search/capacity_question.h"
#include "core/search/instance.h"

namespace stowage {

/// The lowest plan of an instance, by questions about capacities.
///
///   height ----  the best plan so far
///           |    1/2, then 3/4, 7/8 of the way up while there is no answer: easy ones, each found lowers the height
///   lower  ----  most of the effort: the bound is reached far more often than not, and reaching it is a proof
///
/// A lower capacity is now and then answered sooner than a higher one, so nothing is concluded from a question that
/// ran out of nodes. One that is exhausted raises the bound by a unit.
class Descent {
 public:
  /// `offsets`: a plan to begin with, by item, in units. The instance must outlive it.
  Descent(const Instance& instance, std::vector<std::int64_t> offsets, std::uint64_t seed);

  /// All in units; no plan is lower than `lower`.
  std::int64_t lower() const { return lower_; }
  std::int64_t height() const { return height_; }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  bool optimal() const { return lower_ == height_; }
  std::int64_t nodes() const { return nodes_; }

  /// Another plan, kept when it is lower.
  void take(std::vector<std::int64_t> offsets);

  /// Searches on with about so many nodes for a plan no higher than `goal`, or a proof that there is none; a goal below
  /// the bound stands for the bound. True when the plan or the bound became better. `first`, when given, is a capacity
  /// that is worth more than any in between.
  bool go_on(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes, const RunContext& context);

 private:
  Verdict ask(CapacityQuestion& question, std::int64_t nodes, const RunContext& context);
  bool search_goal(std::int64_t goal, std::int64_t nodes, const RunContext& context);
  bool search_between(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes,
                      const RunContext& context);

  const Instance& instance_;
  std::vector<std::int64_t> offsets_;
  std::int64_t lower_;
  std::int64_t height_;
  std::uint64_t seed_;
  std::int64_t nodes_ = 0;
  std::optional<CapacityQuestion> at_goal_;
};

}  // namespace stowage
