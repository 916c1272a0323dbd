#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/search/instance.h"

namespace stowage {

/// What a search tries first, redrawn for each of its runs: the logarithm of one of four properties of a buffer (how
/// full it is where it lives, how long it lives, its size, its area), and from the fifth run on noise. No property is
/// best everywhere: nearly every real problem is easy for one of them and hopeless for the others. The noise is large,
/// up to a factor of e^8, because a small one lets all runs die of the same early mistake.
///
/// With a plan to follow, many runs place first what lies lowest there, with little noise: below a plan there is often
/// a lower one that is much like it. Runs that followed it in vain make following rarer, until there is a lower plan.
class Priorities {
 public:
  explicit Priorities(const Instance& instance);

  /// By item, the largest first. `failures`, by item, adds weight to those that failed to fit before: they decide.
  std::span<const double> draw(Random& random, std::span<const std::int32_t> failures);

  /// A plan by item, and its height: worth following anew when it is lower than the one before.
  void follow(std::span<const std::int64_t> offsets, std::int64_t height);

 private:
  static constexpr std::size_t kKinds = 4;
  std::array<std::vector<double>, kKinds> properties_;
  std::vector<double> drawn_;
  std::size_t drawn_so_far_ = 0;
  std::vector<double> lowness_;  // by item, in the plan to follow; empty without one
  std::int64_t height_ = 0;      // of that plan
  int followed_ = 0;             // runs that it was followed in
};

}  // namespace stowage
