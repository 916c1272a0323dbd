#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/run.h"
#include "core/search/capacity_question.h"
#include "core/search/instance.h"
#include "core/search/levels.h"

namespace stowage {

/// The lowest plan of an instance, by questions about capacities, which several members ask in slices.
///
///   height ----  the best plan so far
///           |    one member: 1/2, then 3/4, 7/8 of the way up while there is no answer: easy ones, each found lowers
///           |    the height
///   lower  ----  the others, and most of the effort: the bound is reached far more often than not, and reaching it is
///                a proof
///
/// A lower capacity is now and then answered sooner than a higher one, so nothing is concluded from a question that
/// ran out of nodes. One that is exhausted raises the bound to the next height that a plan can have (levels.h).
///
/// All but some at the goal follow the best plan for a while (priorities.h): it is often a few exchanges away.
///
/// Members know nothing of each other while they search: they begin from the same Wish, and what they find is taken
/// between slices. So they may run on any number of threads.
class Descent {
 public:
  /// Member 0 asks about the goal, member 1 about capacities between, the others about the goal with other luck.
  static constexpr std::size_t kMembers = 4;
  static constexpr std::size_t kBetween = 1;

  /// A plan by item; it stays as it is when a lower one is found.
  using Offsets = std::shared_ptr<const std::vector<std::int64_t>>;

  /// What a slice is to search for, all in units.
  struct Wish {
    std::int64_t goal = 0;              // a plan no higher than this is as good as any
    std::optional<std::int64_t> first;  // a capacity that is worth more than any between goal and height
    std::int64_t height = 0;            // of the best plan when the slice was made up
    std::int64_t nodes = 0;             // about so many
    Offsets plan = {};                  // of that height; nothing: not to be followed
  };
  /// What it came to.
  struct Found {
    std::vector<std::int64_t> offsets;  // by item; empty: no plan that is lower
    std::int64_t lower = 0;             // no plan is lower
    std::int64_t nodes = 0;             // visited
  };

  /// `offsets`: a plan to begin with, by item, in units. The instance must outlive it.
  Descent(const Instance& instance, std::vector<std::int64_t> offsets, std::uint64_t seed);

  /// All in units; no plan is lower than `lower`.
  std::int64_t lower() const { return lower_; }
  std::int64_t height() const { return height_; }
  const std::vector<std::int64_t>& offsets() const { return *offsets_; }
  bool optimal() const { return lower_ == height_; }
  std::int64_t nodes() const { return nodes_; }

  /// Another plan, kept when it is lower.
  void take(std::vector<std::int64_t> offsets);
  /// No plan is lower than this.
  void raise(std::int64_t lower);
  void take(Found found);

  /// From the present state; a goal below the bound stands for the bound.
  Wish wish(std::int64_t goal, std::optional<std::int64_t> first, std::int64_t nodes) const;
  /// A slice of a member. It touches nothing but the member, so that all may run at once. Needs an affordable instance.
  Found search(std::size_t member, const Wish& wish, const RunContext& context);

 private:
  /// Of one member.
  struct Search {
    std::optional<CapacityQuestion> at_goal;
    std::int64_t nodes = 0;
  };

  Found search_goal(std::size_t member, const Wish& wish, const RunContext& context);
  Found search_between(const Wish& wish, const RunContext& context);

  const Instance& instance_;
  Levels levels_;
  Offsets offsets_;
  std::int64_t lower_;
  std::int64_t height_;
  std::uint64_t seed_;
  std::int64_t nodes_ = 0;
  std::array<Search, kMembers> members_;
};

}  // namespace stowage
