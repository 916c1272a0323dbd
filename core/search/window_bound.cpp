#include "core/search/window_bound.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/search/capacity_question.h"
#include "core/search/core_first.h"
#include "core/search/levels.h"

namespace stowage {
namespace {

/// Buffers in a stretch. Several sizes, because a smaller one is exhausted where a larger one is not.
constexpr std::array<std::size_t, 3> kStretch = {12, 24, 48};
constexpr std::size_t kMostStretches = 4;
/// Sections so far below the bound do not lift it.
constexpr double kNearlyFull = 0.9;

/// The fullest sections, apart from each other.
std::vector<std::int32_t> fullest(const Instance& instance, std::int64_t bound) {
  std::vector<std::int32_t> found;
  for (std::int32_t s = 0; s < instance.sections; ++s) {
    const auto load = static_cast<double>(instance.loads[static_cast<std::size_t>(s)]);
    if (load >= kNearlyFull * static_cast<double>(bound)) found.push_back(s);
  }
  const auto fuller = [&](std::int32_t a, std::int32_t b) {
    const std::int64_t load_a = instance.loads[static_cast<std::size_t>(a)];
    const std::int64_t load_b = instance.loads[static_cast<std::size_t>(b)];
    return load_a != load_b ? load_a > load_b : a < b;
  };
  const std::size_t count = std::min(found.size(), kMostStretches);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), fuller);
  found.resize(count);
  return found;
}

/// How many items touch a stretch.
class Touching {
 public:
  explicit Touching(const Instance& instance)
      : first_item_(first_items(instance)), ended_(static_cast<std::size_t>(instance.sections) + 1, 0) {
    for (const Instance::Item& item : instance.items) ++ended_[static_cast<std::size_t>(item.last)];
    std::partial_sum(ended_.begin(), ended_.end(), ended_.begin());
  }
  std::size_t operator()(SectionRange stretch) const {
    return first_item_[static_cast<std::size_t>(stretch.last)] - ended_[static_cast<std::size_t>(stretch.first)];
  }

 private:
  std::vector<std::uint32_t> first_item_;
  std::vector<std::uint32_t> ended_;  // by section: items that end there or before
};

/// From a section on to where more is live, until as many items touch it as may.
SectionRange stretch_around(const Instance& instance, const Touching& touching, std::int32_t section,
                            std::size_t items) {
  SectionRange stretch{section, section + 1};
  const auto load = [&](std::int32_t s) {
    return s < 0 || s >= instance.sections ? -1 : instance.loads[static_cast<std::size_t>(s)];
  };
  while (true) {
    const std::int64_t left = load(stretch.first - 1);
    const std::int64_t right = load(stretch.last);
    if (left < 0 && right < 0) return stretch;
    const SectionRange wider =
        left > right ? SectionRange{stretch.first - 1, stretch.last} : SectionRange{stretch.first, stretch.last + 1};
    if (touching(wider) > items) return stretch;
    stretch = wider;
  }
}

Instance part_of(const Instance& instance, SectionRange stretch) {
  std::vector<std::uint32_t> items;
  for (std::uint32_t i = 0; i < instance.items.size() && instance.items[i].first < stretch.last; ++i) {
    if (instance.items[i].last > stretch.first) items.push_back(i);
  }
  return clipped(instance, stretch, items);
}

}  // namespace

std::int64_t window_bound(const Instance& instance, std::int64_t nodes, const RunContext& context) {
  const Levels levels(instance);
  std::int64_t bound = levels.at_least(instance.bound());
  const Touching touching(instance);
  const std::int64_t share = nodes / static_cast<std::int64_t>(kStretch.size());
  for (const std::int32_t section : fullest(instance, bound)) {
    SectionRange last{0, 0};
    for (const std::size_t items : kStretch) {
      if (nodes <= 0 || context.should_stop()) return bound;
      if (touching({section, section + 1}) > items) continue;
      const SectionRange stretch = stretch_around(instance, touching, section, items);
      if (stretch == last) break;  // that was all
      last = stretch;
      const Instance part = part_of(instance, stretch);
      Verdict verdict = Verdict::kDoesNotFit;
      for (std::int64_t left = share; left > 0 && verdict == Verdict::kDoesNotFit;) {
        if (!NicheSearch::affordable(part, bound)) return bound;
        CapacityQuestion question(part, bound, 1);
        verdict = question.go_on(left, context);
        left -= question.nodes() + 1;
        nodes -= question.nodes() + 1;
        if (verdict == Verdict::kDoesNotFit) bound = levels.at_least(bound + 1);
      }
    }
  }
  return bound;
}

}  // namespace stowage
