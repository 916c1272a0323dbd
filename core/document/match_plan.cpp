#include "core/document/match_plan.h"

#include <map>
#include <tuple>
#include <utility>

namespace stowage {
namespace {

using ShapeKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

ShapeKey shape_of(const Buffer& buffer) {
  return {buffer.start, buffer.end, buffer.size};
}

/// Pairs the n-th with a key there with the n-th of the same key here, among those without a partner.
template <typename Key, typename KeyOf>
std::size_t pair_up(const Problem& problem, const Problem& other, std::vector<BufferIndex>& partner_of,
                    std::vector<bool>& taken, KeyOf key_of) {
  std::map<Key, std::vector<BufferIndex>> free;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (!taken[i]) free[key_of(problem, i)].push_back(i);
  }
  for (auto& [key, list] : free) std::vector<BufferIndex>(list.rbegin(), list.rend()).swap(list);
  std::size_t pairs = 0;
  for (BufferIndex k = 0; k < other.size(); ++k) {
    if (partner_of[k] != kNoBuffer) continue;
    const auto found = free.find(key_of(other, k));
    if (found == free.end() || found->second.empty()) continue;
    partner_of[k] = found->second.back();
    found->second.pop_back();
    taken[partner_of[k]] = true;
    ++pairs;
  }
  return pairs;
}

}  // namespace

MatchedPlan match_plan(const Problem& problem, const Problem& other, const Plan& plan) {
  MatchedPlan matched;
  std::vector<BufferIndex> partner_of(other.size(), kNoBuffer);
  std::vector<bool> taken(problem.size(), false);
  matched.by_id = pair_up<std::pair<std::string_view, ShapeKey>>(
      problem, other, partner_of, taken,
      [](const Problem& p, BufferIndex i) { return std::pair(p.id(i), shape_of(p[i])); });
  matched.by_id += pair_up<std::string_view>(problem, other, partner_of, taken,
                                             [](const Problem& p, BufferIndex i) { return p.id(i); });
  matched.by_shape = pair_up<ShapeKey>(problem, other, partner_of, taken,
                                       [](const Problem& p, BufferIndex i) { return shape_of(p[i]); });
  matched.plan.allocator = plan.allocator;
  matched.plan.offsets.assign(problem.size(), kNoOffset);
  for (BufferIndex k = 0; k < other.size(); ++k) {
    if (partner_of[k] == kNoBuffer) {
      matched.unmatched.emplace_back(other.id(k));
      matched.unmatched_offsets.push_back(k < plan.offsets.size() ? plan.offsets[k] : kNoOffset);
    } else if (k < plan.offsets.size()) {
      matched.plan.offsets[partner_of[k]] = plan.offsets[k];
    }
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) matched.unplaced += taken[i] ? 0U : 1U;
  return matched;
}

}  // namespace stowage
