#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

// The arithmetic behind recomputation; nothing here knows graphs.

/// A forward value of Chen's walk: what it needs, and whether one may start again behind it.
struct WalkItem {
  std::int64_t bytes = 0;
  bool candidate = true;
};
/// Bytes that are kept when the item is, in addition to what the one before that was kept has kept already; `since` is
/// the first item behind that one. Of a chain just the item's own bytes.
using KeptBytes = std::function<std::int64_t(std::size_t since, std::size_t item)>;

struct Walk {
  std::vector<std::size_t> kept;  // positions of the items, ascending
  std::int64_t kept_bytes = 0;    // x of the paper
  std::int64_t largest = 0;       // y: the most that lies between two kept ones, the later included
};
/// Chen et al., "Training Deep Nets with Sublinear Memory Cost" (arXiv 1604.06174), Algorithm 3: goes along the values
/// and keeps a candidate as soon as more than `budget` has come together since the last one that was kept.
Walk budget_walk(std::span<const WalkItem> items, std::int64_t budget, const KeptBytes& kept_bytes = nullptr);

/// The budget to try after a walk, in whole units of `unit` bytes: floor(sqrt(x * y / 2)), as memonger has it.
std::int64_t next_budget(const Walk& walk, std::int64_t unit);

/// memonger's search: three rounds from budget 0 on, each with the next budget of the one before, then six more in even
/// steps between the smallest segment seen and sqrt(2) times the last budget. The budget of the least cost, the
/// earliest of equals. `cost` measures what a walk really needs.
struct BudgetTrial {
  std::int64_t budget = 0;
  std::int64_t cost = 0;
};
struct BudgetSearch {
  std::vector<BudgetTrial> trials;  // in the order in which they were made
  std::size_t best = 0;
};
BudgetSearch search_budget(std::span<const WalkItem> items, std::int64_t unit, const KeptBytes& kept_bytes,
                           const std::function<std::int64_t(const Walk&)>& cost);

/// Extra forward steps, beside one each, that reversing a chain of `steps` takes when `checkpoints` states can be
/// stored, the first one among them: r * n - C(s + r, s + 1) with the least r for which C(s + r, s) >= n (Griewank and
/// Walther, "Algorithm 799: Revolve", TOMS 2000). 0 steps or 1: none. Needs checkpoints >= 1.
std::int64_t revolve_extra_steps(std::int64_t steps, std::int64_t checkpoints);
/// Where to put the next checkpoint: the number of steps to advance that makes the total least, the smallest of equals.
/// Needs steps >= 2, checkpoints >= 2.
std::int64_t revolve_advance(std::int64_t steps, std::int64_t checkpoints);

/// Memory of recursive checkpointing with k checkpoints a level, in units of a value: g(n) = k + g(n / (k + 1)), so
/// k * log(n) to the base k + 1 (Chen et al., section 4.4).
double recursive_memory(double values, double checkpoints);

/// Activations of one Transformer layer in fp16 (Korthikanti et al., "Reducing Activation Recomputation in Large
/// Transformer Models", 2022), without tensor parallelism.
struct TransformerActivations {
  std::int64_t full = 0;        // s * b * h * 34 + 5 * a * s * s * b
  std::int64_t selective = 0;   // 34 * s * b * h: without the inside of the attention
  std::int64_t checkpoint = 0;  // 2 * s * b * h: only what enters the layer
};
TransformerActivations transformer_activation_bytes(std::int64_t sequence, std::int64_t batch, std::int64_t hidden,
                                                    std::int64_t heads);

/// The fewest runs of ops for the unit chain: values 0 .. 2n, value i made of i - 1 and, above n, also of 2n - i; at
/// most `budget` values at once, the one that is being made included. Nothing when the budget is below 3 (n >= 1): the
/// op in the middle of the way back reads two and makes one. All values fit from n + 2 on.
/// 2n + 1 runs are necessary; the rest is P(n, budget - 3), where P(m, s), the cost of handing out m values from last
/// to first with s spare places, is the least of i + P(m - i, s - 1) + P(i - 1, s); its increments are q, C(s + q, q)
/// times.
std::optional<std::int64_t> unit_chain_runs(std::int64_t n, std::int64_t budget);

}  // namespace stowage
