#include "core/search/core_first.h"

#include <algorithm>

#include "core/search/capacity_question.h"
#include "core/search/presolve.h"

namespace stowage {
namespace {

constexpr std::int32_t kMargin = 5;

/// The nearly full stretches, ascending, widened, and one where they touch.
std::vector<SectionRange> full_stretches(const Instance& instance, std::int64_t capacity, double share) {
  const auto full = static_cast<double>(capacity) * share;
  std::vector<SectionRange> stretches;
  for (std::int32_t s = 0; s < instance.sections; ++s) {
    if (static_cast<double>(instance.loads[static_cast<std::size_t>(s)]) < full) continue;
    const SectionRange around{std::max(0, s - kMargin), std::min(instance.sections, s + 1 + kMargin)};
    if (!stretches.empty() && around.first <= stretches.back().last) {
      stretches.back().last = around.last;
    } else {
      stretches.push_back(around);
    }
  }
  return stretches;
}

/// Stretches that share a buffer become one, with all between them.
void join_bridged(const Instance& instance, std::vector<SectionRange>& stretches) {
  for (const Instance::Item& item : instance.items) {
    // The stretches that the item touches are neighbours: [from, to).
    const auto from = std::upper_bound(stretches.begin(), stretches.end(), item.first,
                                       [](std::int32_t s, const SectionRange& x) { return s < x.last; });
    auto to = from;
    while (to != stretches.end() && to->first < item.last) ++to;
    if (to - from < 2) continue;
    from->last = (to - 1)->last;
    stretches.erase(from + 1, to);
  }
}

}  // namespace

Instance clipped(const Instance& whole, SectionRange stretch, std::span<const std::uint32_t> items) {
  Instance part;
  part.sections = stretch.length();
  part.unit = whole.unit;
  part.plain = whole.plain;
  part.loads.assign(whole.loads.begin() + stretch.first, whole.loads.begin() + stretch.last);
  for (const std::uint32_t i : items) {
    Instance::Item item = whole.items[i];
    item.first = std::max(item.first, stretch.first) - stretch.first;
    item.last = std::min(item.last, stretch.last) - stretch.first;
    item.buffer = i;  // where it comes from
    part.items.push_back(item);
  }
  std::stable_sort(part.items.begin(), part.items.end(),
                   [](const Instance::Item& a, const Instance::Item& b) { return a.first < b.first; });
  return part;
}

std::vector<std::pair<std::uint32_t, std::int64_t>> solve_core(const Instance& instance, std::int64_t capacity,
                                                               double share, std::uint64_t seed, std::int64_t nodes,
                                                               const RunContext& context) {
  std::vector<SectionRange> stretches = full_stretches(instance, capacity, share);
  join_bridged(instance, stretches);
  std::vector<std::vector<std::uint32_t>> touching(stretches.size());
  for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
    const Instance::Item& item = instance.items[i];
    const auto at = std::upper_bound(stretches.begin(), stretches.end(), item.first,
                                     [](std::int32_t s, const SectionRange& x) { return s < x.last; });
    if (at == stretches.end() || at->first >= item.last) continue;
    touching[static_cast<std::size_t>(at - stretches.begin())].push_back(i);
  }
  std::vector<std::pair<std::uint32_t, std::int64_t>> core;
  const auto length = [&](std::uint32_t i) {
    return instance.items[i].last - instance.items[i].first;
  };
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    // Of those that are live through all of it the longest comes to lie lowest: outside, the shorter ones end on top.
    std::stable_sort(touching[k].begin(), touching[k].end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    const Presolved stretch = presolve(clipped(instance, stretches[k], touching[k]));
    for (const auto& [item, offset] : stretch.settled) core.emplace_back(item, offset / instance.unit);
    for (const Presolved::Piece& piece : stretch.pieces) {
      const std::int64_t room = (capacity * instance.unit - piece.base) / piece.instance.unit;
      if (!NicheSearch::affordable(piece.instance, room)) return {};
      CapacityQuestion question(piece.instance, room, seed);
      if (question.go_on(nodes, context) != Verdict::kFits) return {};
      const std::vector<std::int64_t> offsets = question.offsets();
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        core.emplace_back(piece.instance.items[i].buffer,
                          (piece.base + offsets[i] * piece.instance.unit) / instance.unit);
      }
    }
  }
  return core;
}

}  // namespace stowage
