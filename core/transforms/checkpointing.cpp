#include "core/transforms/checkpointing.h"

#include <algorithm>
#include <cmath>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr int kRounds = 3;
constexpr int kTrials = 6;

std::int64_t clamped(Int128 value) {
  return value > kMaxInt64 ? kMaxInt64 : static_cast<std::int64_t>(value);
}

/// C(n, k), or the largest int64 when it is above that.
std::int64_t binomial(std::int64_t n, std::int64_t k) {
  if (k < 0 || k > n) return 0;
  k = std::min(k, n - k);
  Int128 result = 1;
  for (std::int64_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;
    if (result > kMaxInt64) return kMaxInt64;
  }
  return static_cast<std::int64_t>(result);
}

/// The largest whole number whose square is not above x.
std::int64_t whole_root(Int128 x) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(x)));
  while (static_cast<Int128>(root) * root > x) --root;
  while (static_cast<Int128>(root + 1) * (root + 1) <= x) ++root;
  return root;
}

}  // namespace

Walk budget_walk(std::span<const WalkItem> items, std::int64_t budget, const KeptBytes& kept_bytes) {
  Walk walk;
  std::int64_t since_kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    since_kept = clamped(static_cast<Int128>(since_kept) + items[i].bytes);
    if (!items[i].candidate || since_kept <= budget) continue;
    const std::size_t since = walk.kept.empty() ? 0 : walk.kept.back() + 1;
    const std::int64_t kept = kept_bytes ? kept_bytes(since, i) : items[i].bytes;
    walk.kept.push_back(i);
    walk.kept_bytes = clamped(static_cast<Int128>(walk.kept_bytes) + kept);
    walk.largest = std::max(walk.largest, since_kept);
    since_kept = 0;
  }
  return walk;
}

std::int64_t next_budget(const Walk& walk, std::int64_t unit) {
  return whole_root(static_cast<Int128>(walk.kept_bytes / unit) * (walk.largest / unit) / 2);
}

BudgetSearch search_budget(std::span<const WalkItem> items, std::int64_t unit, const KeptBytes& kept_bytes,
                           const std::function<std::int64_t(const Walk&)>& cost) {
  BudgetSearch search;
  const auto attempt = [&](std::int64_t units) {
    const Walk walk = budget_walk(items, clamped(static_cast<Int128>(units) * unit), kept_bytes);
    search.trials.push_back({clamped(static_cast<Int128>(units) * unit), cost(walk)});
    if (search.trials.back().cost < search.trials[search.best].cost) search.best = search.trials.size() - 1;
    return walk;
  };
  std::int64_t units = 0;
  std::int64_t smallest_segment = kMaxInt64;
  for (int round = 0; round < kRounds; ++round) {
    const Walk walk = attempt(units);
    units = next_budget(walk, unit);
    smallest_segment = std::min(smallest_segment, walk.largest / unit);
  }
  const double span = static_cast<double>(units) * std::sqrt(2.0) - static_cast<double>(smallest_segment);
  const auto step = static_cast<std::int64_t>(span / kTrials);
  for (int trial = 1; step > 0 && trial <= kTrials; ++trial) attempt(smallest_segment + trial * step);
  return search;
}

std::int64_t revolve_extra_steps(std::int64_t steps, std::int64_t checkpoints) {
  if (steps <= 1) return 0;
  if (checkpoints == 1) return clamped(static_cast<Int128>(steps) * (steps - 1) / 2);
  std::int64_t repeats = 1;
  while (binomial(checkpoints + repeats, checkpoints) < steps) ++repeats;
  return clamped(static_cast<Int128>(repeats) * steps - binomial(checkpoints + repeats, checkpoints + 1));
}

std::int64_t revolve_advance(std::int64_t steps, std::int64_t checkpoints) {
  std::int64_t best = 1;
  Int128 least = -1;
  for (std::int64_t i = 1; i < steps; ++i) {
    const Int128 cost =
        static_cast<Int128>(i) + revolve_extra_steps(i, checkpoints) + revolve_extra_steps(steps - i, checkpoints - 1);
    if (least >= 0 && cost >= least) continue;
    least = cost;
    best = i;
  }
  return best;
}

double recursive_memory(double values, double checkpoints) {
  return checkpoints * std::log(values) / std::log(checkpoints + 1);
}

TransformerActivations transformer_activation_bytes(std::int64_t sequence, std::int64_t batch, std::int64_t hidden,
                                                    std::int64_t heads) {
  const Int128 sbh = static_cast<Int128>(sequence) * batch * hidden;
  const Int128 inside = static_cast<Int128>(5) * heads * sequence * sequence * batch;
  return {clamped(34 * sbh + inside), clamped(34 * sbh), clamped(2 * sbh)};
}

std::optional<std::int64_t> unit_chain_runs(std::int64_t n, std::int64_t budget) {
  if (budget < 1 || (n >= 1 && budget < 3)) return std::nullopt;
  const std::int64_t spare = budget - 3;
  Int128 runs = static_cast<Int128>(n) + 1;
  std::int64_t left = n;
  for (std::int64_t times = 1; left > 0; ++times) {
    const std::int64_t these = std::min(left, binomial(spare + times, times));
    runs += static_cast<Int128>(these) * times;
    left -= these;
  }
  return clamped(runs);
}

}  // namespace stowage
