// Policies that decide once and for all which forward values stay.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/transforms/checkpointing.h"
#include "core/transforms/layer_kinds.h"
#include "core/transforms/recompute_policies.h"
#include "core/transforms/storage_policy.h"

namespace stowage {
namespace {

/// All forward first, then the rest; what is dropped is made again when it is read.
Result<Program> dropping(const RecomputeTask& task, const std::vector<std::uint8_t>& dropped) {
  ProgramWriter writer(task.graph, task.parts);
  for (const OpIndex n : task.parts.forward) writer.run(n);
  for (TensorIndex t = 0; t < dropped.size(); ++t) {
    if (dropped[t] != 0) writer.forget(t);
  }
  for (const OpIndex n : task.parts.rest) writer.run(n);
  return writer.finish();
}

/// By tensor: forward values that cross none of these places. `places` are ascending; what is made behind the last one
/// stays, since the way back begins with it.
std::vector<std::uint8_t> dropped_between(const RecomputeTask& task, const std::vector<std::size_t>& places) {
  std::vector<std::uint8_t> dropped(task.graph.tensors().size(), 0);
  if (places.empty()) return dropped;
  const std::vector<Crossing> crossings = find_crossings(task.graph, task.parts);
  for (const OpIndex n : task.parts.forward) {
    if (task.parts.position[n] > places.back()) continue;
    for (const TensorIndex t : task.graph.op(n).out) {
      if (task.graph.is_view(t)) continue;
      const auto next = std::lower_bound(places.begin(), places.end(), crossings[t].from);
      dropped[t] = next == places.end() || *next >= crossings[t].to ? 1 : 0;
    }
  }
  return dropped;
}

Result<Cuts> cuts_of(const RecomputeTask& task) {
  Cuts cuts = find_cuts(task.graph, task.parts, task.choice);
  if (cuts.at.empty()) {
    return fail(Error::Kind::kRefused, task.choice == CutChoice::kSeparators
                                           ? "recompute: no single value separates the forward part"
                                           : "recompute: the forward part has no place to start again from");
  }
  return cuts;
}

/// The forward part as Chen's walk sees it, one item an op.
std::vector<WalkItem> walk_items(const RecomputeTask& task, const Cuts& cuts) {
  std::vector<WalkItem> items(task.parts.forward.size());
  for (std::size_t p = 0; p < items.size(); ++p) {
    items[p].candidate = false;
    for (const TensorIndex t : task.graph.op(task.parts.forward[p]).out) items[p].bytes += own_bytes(task.graph, t);
  }
  for (const std::size_t place : cuts.at) items[place].candidate = true;
  return items;
}

/// What a cut keeps beside what the one before keeps already: values made since then that cross it.
KeptBytes kept_by_cuts(const RecomputeTask& task) {
  return [&task, crossings = find_crossings(task.graph, task.parts)](std::size_t since, std::size_t place) {
    std::int64_t bytes = 0;
    for (std::size_t p = since; p <= place; ++p) {
      for (const TensorIndex t : task.graph.op(task.parts.forward[p]).out) {
        if (crossings[t].to > place) bytes += own_bytes(task.graph, t);
      }
    }
    return bytes;
  };
}

/// memonger counts whole MiB; a graph of few MiB is counted in bytes.
std::int64_t walk_unit(const std::vector<WalkItem>& items) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
  std::int64_t sum = 0;
  for (const WalkItem& item : items) sum += item.bytes;
  return sum >= 64 * kMiB ? kMiB : 1;
}

/// What memonger measures: the memory of the planner that it is made for; or the load.
std::int64_t cost_of(const RecomputeTask& task, const Program& program) {
  if (!task.by_storages) return peak_of(task.graph, program);
  const auto rewritten = rewrite(task.staged, program);
  if (!rewritten) return kMaxInt64;
  RunContext quiet = task.context;
  quiet.steps = nullptr;
  TransformReport unused;
  Teller teller(*rewritten, quiet, unused);
  const auto run = plan_storages(*rewritten, Entries(*rewritten), *storage_policy("nnvm"), quiet, teller);
  return run ? run->plan.total() : kMaxInt64;
}

}  // namespace

Result<RecomputePlan> recompute_every_k(const RecomputeTask& task, std::size_t k) {
  const auto cuts = cuts_of(task);
  if (!cuts) return tl::unexpected(cuts.error());
  const std::size_t count = cuts->at.size();
  const std::size_t every = k > 0 ? k : static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  std::vector<std::size_t> places;
  std::int64_t bytes = 0;
  for (std::size_t i = every; i <= count; i += every) {
    places.push_back(cuts->at[i - 1]);
    bytes += cuts->bytes[i - 1];
  }
  auto program = dropping(task, dropped_between(task, places));
  if (!program) return tl::unexpected(program.error());
  RecomputePlan plan;
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format("{} checkpoints, every {}. of {} places to start again from, {} together",
                                   places.size(), every, count, format_bytes(bytes)));
  return plan;
}

Result<RecomputePlan> recompute_by_budget(const RecomputeTask& task, std::optional<std::int64_t> budget) {
  const auto cuts = cuts_of(task);
  if (!cuts) return tl::unexpected(cuts.error());
  const std::vector<WalkItem> items = walk_items(task, *cuts);
  const KeptBytes kept_bytes = kept_by_cuts(task);
  RecomputePlan plan;
  if (!budget) {
    const BudgetSearch search = search_budget(items, walk_unit(items), kept_bytes, [&](const Walk& walk) {
      if (task.context.should_stop()) return kMaxInt64;
      const auto program = dropping(task, dropped_between(task, walk.kept));
      return program ? cost_of(task, *program) : kMaxInt64;
    });
    for (const BudgetTrial& trial : search.trials) {
      plan.notes.push_back(
          fmt::format("budget {} a segment: needs {}", format_bytes(trial.budget), format_bytes(trial.cost)));
    }
    budget = search.trials[search.best].budget;
    // What is made again needs what it is made of: keeping everything can be the least, and is no work.
    const std::int64_t everything = cost_of(task, task.staged.schedule.order);
    if (everything <= search.trials[search.best].cost) {
      plan.notes.push_back(fmt::format("everything is kept: that needs {}, no budget less", format_bytes(everything)));
      plan.program = task.staged.schedule.order;
      return plan;
    }
  }
  const Walk walk = budget_walk(items, *budget, kept_bytes);
  auto program = dropping(task, dropped_between(task, walk.kept));
  if (!program) return tl::unexpected(program.error());
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format("budget {} a segment keeps {} checkpoints, {} together; the largest segment has {}",
                                   format_bytes(*budget), walk.kept.size(), format_bytes(walk.kept_bytes),
                                   format_bytes(walk.largest)));
  return plan;
}

Result<RecomputePlan> recompute_attention(const RecomputeTask& task) {
  const Graph& graph = task.graph;
  std::vector<std::uint8_t> dropped(graph.tensors().size(), 0);
  std::size_t attentions = 0;
  const auto is_forward = [&](OpIndex n) {
    return n != kNoOp && task.parts.is_forward[n] != 0;
  };
  for (const OpIndex n : task.parts.forward) {
    if (!is_softmax(graph.op(n))) continue;
    // Up to the product of queries and keys, down to the product with the values: all between has s x s elements.
    std::set<TensorIndex> inside;
    bool from_product = false;
    bool to_product = false;
    std::vector<TensorIndex> open(graph.op(n).in.begin(), graph.op(n).in.end());
    while (!open.empty()) {
      const TensorIndex t = graph.base(open.back());
      open.pop_back();
      if (!is_forward(graph.producer(t)) || own_bytes(graph, t) == 0 || !inside.insert(t).second) continue;
      const Op& maker = graph.op(graph.producer(t));
      if (is_product(maker)) {
        from_product = true;
      } else if (is_elementwise(maker)) {
        open.insert(open.end(), maker.in.begin(), maker.in.end());
      } else {
        inside.erase(t);
      }
    }
    open.assign(graph.op(n).out.begin(), graph.op(n).out.end());
    while (!open.empty()) {
      const TensorIndex t = open.back();
      open.pop_back();
      if (!inside.insert(graph.base(t)).second && t != graph.op(n).out.front()) continue;
      for (const OpIndex reader : graph.readers(t)) {
        if (!is_forward(reader)) continue;
        if (is_product(graph.op(reader))) {
          to_product = true;
        } else if (is_elementwise(graph.op(reader))) {
          open.insert(open.end(), graph.op(reader).out.begin(), graph.op(reader).out.end());
        }
      }
    }
    if (!from_product || !to_product) continue;
    ++attentions;
    for (const TensorIndex t : inside) dropped[t] = 1;
  }
  if (attentions == 0) {
    return fail(Error::Kind::kRefused, "recompute: the graph has no attention, a softmax between two matrix products");
  }
  auto program = dropping(task, dropped);
  if (!program) return tl::unexpected(program.error());
  RecomputePlan plan;
  plan.program = std::move(*program);
  plan.notes.push_back(fmt::format("the inside of {} attentions is made again", attentions));
  return plan;
}

}  // namespace stowage
