#include "core/transforms/copy_removal.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stowage {

CopyRemoval::CopyRemoval(const Staged& staged) : before_(staged) {
  const Graph& graph = staged.graph;
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) stands_for_.push_back(t);
  gone_.assign(graph.ops().size(), false);
  one_stream_ = std::all_of(graph.ops().begin(), graph.ops().end(),
                            [&](const Op& op) { return op.stream == graph.ops().front().stream; });
  fixed_.assign(graph.ops().size(), 0);
  for (const Event& event : graph.events()) {
    fixed_[event.after] = 1;
    fixed_[event.before] = 1;
  }
  bound_.assign(graph.tensors().size(), 0);
  const auto bind = [&](const std::vector<TensorIndex>& members) {
    for (const TensorIndex t : members) bound_[t] = 1;
  };
  for (const TensorGroup& group : graph.groups()) bind(group.members);
  for (const TensorGroup& group : staged.groups) bind(group.members);
  for (const SharedStorage& storage : staged.storages) bind(storage.members);
}

TensorIndex CopyRemoval::resolve(TensorIndex t) const {
  while (stands_for_[t] != t) t = stands_for_[t];
  return t;
}

bool CopyRemoval::remove(OpIndex copy) {
  const Graph& graph = before_.graph;
  const Op& op = graph.op(copy);
  if (op.side_effect || fixed_[copy] != 0 || !one_stream_) return false;
  const TensorIndex from = resolve(op.in.front());
  const TensorIndex to = resolve(op.out.front());
  if (graph.is_output(to)) {
    // The output keeps its name, so the original has to give up its own.
    if (graph.is_output(from) || graph.is_view(from) || graph.producer(from) == kNoOp || bound_[from] != 0)
      return false;
    stands_for_[from] = to;
  } else {
    if (graph.is_view(to) || bound_[to] != 0) return false;
    stands_for_[to] = from;
  }
  gone_[copy] = true;
  any_ = true;
  return true;
}

Result<Staged> CopyRemoval::apply(const std::vector<InPlace>& in_place) const {
  const Numbers numbers = number();
  Staged after;
  after.spaces = before_.spaces;
  for (std::size_t n = 0; n < before_.origin.size(); ++n) {
    if (!gone_[n]) after.origin.push_back(before_.origin[n]);
  }
  for (const OpIndex n : before_.schedule.order) {
    if (!gone_[n]) after.schedule.order.push_back(numbers.ops[n]);
  }
  for (const InPlace& merge : in_place) {
    if (gone_[merge.op]) continue;
    after.in_place.push_back({numbers.ops[merge.op], numbers.tensors[merge.child], numbers.tensors[merge.parent]});
  }
  for (SharedStorage storage : before_.storages) {
    rename(storage.members, numbers);
    after.storages.push_back(std::move(storage));
  }
  after.groups = renamed(before_.groups, numbers);
  auto graph = make_graph(renamed_input(numbers));
  if (!graph) {
    const GraphFault& fault = graph.error().front();
    return fail(Error::Kind::kRefused, fmt::format("without its copies: {} {}", fault.where, fault.message));
  }
  after.graph = std::move(*graph);
  return after;
}

CopyRemoval::Numbers CopyRemoval::number() const {
  Numbers numbers;
  TensorIndex tensors = 0;
  numbers.tensors.assign(stands_for_.size(), kNoTensor);
  for (TensorIndex t = 0; t < stands_for_.size(); ++t) {
    if (stands_for_[t] == t) numbers.tensors[t] = tensors++;
  }
  for (TensorIndex t = 0; t < stands_for_.size(); ++t) numbers.tensors[t] = numbers.tensors[resolve(t)];
  OpIndex ops = 0;
  numbers.ops.assign(gone_.size(), kNoOp);
  for (OpIndex n = 0; n < gone_.size(); ++n) {
    if (!gone_[n]) numbers.ops[n] = ops++;
  }
  return numbers;
}

void CopyRemoval::rename(std::vector<TensorIndex>& list, const Numbers& numbers) {
  for (TensorIndex& t : list) t = numbers.tensors[t];
}

std::vector<TensorGroup> CopyRemoval::renamed(std::vector<TensorGroup> groups, const Numbers& numbers) {
  for (TensorGroup& group : groups) rename(group.members, numbers);
  return groups;
}

GraphInput CopyRemoval::renamed_input(const Numbers& numbers) const {
  const GraphInput& old = before_.graph.input();
  GraphInput input;
  input.name = old.name;
  input.extra = old.extra;
  for (TensorIndex t = 0; t < old.tensors.size(); ++t) {
    if (stands_for_[t] != t) continue;
    Tensor kept = old.tensors[t];
    if (kept.view_of != kNoTensor) kept.view_of = numbers.tensors[kept.view_of];
    input.tensors.push_back(std::move(kept));
  }
  for (OpIndex n = 0; n < old.ops.size(); ++n) {
    if (gone_[n]) continue;
    Op kept = old.ops[n];
    rename(kept.in, numbers);
    rename(kept.out, numbers);
    input.ops.push_back(std::move(kept));
  }
  input.inputs = old.inputs;
  rename(input.inputs, numbers);
  // Also where none were declared: what nobody reads now need not be what nobody read before.
  input.outputs.assign(before_.graph.outputs().begin(), before_.graph.outputs().end());
  rename(input.outputs, numbers);
  for (const Event& event : old.events) input.events.push_back({numbers.ops[event.after], numbers.ops[event.before]});
  for (Loop loop : old.loops) {
    std::erase_if(loop.ops, [&](OpIndex n) { return gone_[n]; });
    for (OpIndex& n : loop.ops) n = numbers.ops[n];
    if (!loop.ops.empty()) input.loops.push_back(std::move(loop));
  }
  input.groups = renamed(old.groups, numbers);
  return input;
}

}  // namespace stowage
