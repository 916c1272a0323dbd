#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/recompute_policies.h"

namespace stowage {
namespace {

/// A view that no op makes is read where it lies.
std::vector<std::uint32_t> read_by(const Graph& graph, const Op& op) {
  std::vector<std::uint32_t> values;
  for (TensorIndex t : op.in) {
    while (graph.producer(t) == kNoOp && graph.tensor(t).view_of != kNoTensor) t = graph.tensor(t).view_of;
    values.push_back(t);
  }
  return values;
}

/// The graph as a program of ops and releases, in the order of the schedule.
DtrTask online_task(const RecomputeTask& task, const std::vector<OpIndex>& order) {
  const Graph& graph = task.graph;
  DtrTask online;
  online.values.resize(graph.tensors().size());
  for (TensorIndex t = 0; t < online.values.size(); ++t) {
    DtrTask::Value& value = online.values[t];
    value.bytes = own_bytes(graph, t);
    if (graph.is_view(t)) value.storage_of = graph.base(t);
    if (graph.is_output(t)) online.values[graph.base(t)].stays = true;
  }
  for (OpIndex n = 0; n < graph.ops().size(); ++n) {
    const Op& op = graph.op(n);
    online.ops.push_back(
        {read_by(graph, op), {op.out.begin(), op.out.end()}, op.duration, op.workspace, task.parts.repeatable[n] != 0});
  }
  // The step after which the program does not touch a storage any more.
  std::vector<std::size_t> last(graph.tensors().size(), 0);
  for (std::size_t step = 0; step < order.size(); ++step) {
    const Op& op = graph.op(order[step]);
    for (const TensorIndex t : op.in) last[graph.base(t)] = step;
    for (const TensorIndex t : op.out) last[graph.base(t)] = step;
  }
  std::vector<std::vector<TensorIndex>> released(order.size());
  for (TensorIndex t = 0; t < last.size(); ++t) {
    if (!graph.is_view(t) && graph.producer(t) != kNoOp) released[last[t]].push_back(t);
  }
  for (std::size_t step = 0; step < order.size(); ++step) {
    online.events.push_back({false, order[step]});
    for (const TensorIndex t : released[step]) online.events.push_back({true, t});
  }
  return online;
}

}  // namespace

Result<RecomputePlan> recompute_online(const RecomputeTask& task, std::int64_t budget, DtrHeuristic heuristic) {
  std::vector<OpIndex> order = task.parts.forward;
  order.insert(order.end(), task.parts.rest.begin(), task.parts.rest.end());
  const DtrTask online = online_task(task, order);
  const DtrRun run = run_dtr(online, budget, heuristic, [&] { return task.context.should_stop(); });
  if (run.gave_up) {
    return fail(Error::Kind::kRefused,
                fmt::format("recompute: within {} the online evictor makes things again and again; it got as far as {}",
                            format_bytes(budget), task.graph.op(*run.stuck).id));
  }
  if (run.stuck) {
    return fail(Error::Kind::kRefused, fmt::format("recompute: within {} the online evictor comes no further than {}",
                                                   format_bytes(budget), task.graph.op(*run.stuck).id));
  }
  if (task.context.should_stop()) return fail(Error::Kind::kCancelled, "recompute: stopped");
  RecomputePlan plan;
  plan.program.assign(run.ops.begin(), run.ops.end());
  plan.notes.push_back(
      fmt::format("the evictor never held more than {} of {}", format_bytes(run.peak), format_bytes(budget)));
  return plan;
}

}  // namespace stowage
