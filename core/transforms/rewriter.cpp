#include "core/transforms/rewriter.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stowage {

Result<void> refuse_after_sharing(const Staged& staged, std::string_view transform) {
  if (staged.in_place.empty() && staged.storages.empty()) return {};
  return fail(
      Error::Kind::kRefused,
      fmt::format("{} changes the ops and with them all lives, so it comes before in-place and sharing", transform));
}

Rewriter::Rewriter(const Staged& staged) : before_(staged), graph_(staged.graph) {
  input_ = graph_.input();
  input_.ops.clear();
  input_.ops.reserve(graph_.ops().size());
  input_.events.clear();
  input_.loops.clear();
  input_.outputs.assign(graph_.outputs().begin(), graph_.outputs().end());
  first_.assign(graph_.ops().size(), kNoOp);
  version_.resize(graph_.tensors().size());
  for (TensorIndex t = 0; t < version_.size(); ++t) version_[t] = t;
  for (const Op& op : graph_.ops()) op_ids_.try_emplace(op.id, 2);
  for (const Tensor& tensor : graph_.tensors()) tensor_ids_.try_emplace(tensor.id, 2);
}

std::string Rewriter::free_id(Ids& taken, const std::string& wanted) {
  auto [known, is_new] = taken.try_emplace(wanted, 2);
  if (is_new) return wanted;
  int& number = known->second;  // references into the map stay sound when it grows
  std::string id = fmt::format("{}{}", wanted, number++);
  while (!taken.try_emplace(id, 2).second) id = fmt::format("{}{}", wanted, number++);
  return id;
}

/// The op of the first graph, where earlier transforms have repeated some.
const std::string& Rewriter::origin_of(OpIndex old) const {
  const bool known = old < before_.origin.size() && !before_.origin[old].empty();
  return known ? before_.origin[old] : graph_.op(old).id;
}

TensorIndex Rewriter::add(Tensor tensor) {
  tensor.id = free_id(tensor_ids_, tensor.id);
  return input_.add(std::move(tensor));
}

OpIndex Rewriter::emit(OpIndex old) {
  const bool again = first_[old] != kNoOp;
  Op op = graph_.op(old);
  for (TensorIndex& t : op.in) t = current(t);
  if (again) {
    op.id = free_id(op_ids_, op.id + ".again");
    copy_outputs(op);
  } else {
    // What it is a view of may have been made again before it runs for the first time.
    for (const TensorIndex t : op.out) {
      if (graph_.tensor(t).view_of != kNoTensor) input_.tensors[t].view_of = current(graph_.tensor(t).view_of);
    }
  }
  const OpIndex index = input_.add(std::move(op));
  origin_.push_back(origin_of(old));
  if (!again) first_[old] = index;
  return index;
}

void Rewriter::copy_outputs(Op& op) {
  for (TensorIndex& t : op.out) {
    Tensor copy = graph_.tensor(t);
    copy.id += ".again";
    if (copy.kind == TensorKind::kOutput) copy.kind = TensorKind::kActivation;
    if (copy.view_of != kNoTensor) copy.view_of = current(copy.view_of);
    const TensorIndex made = add(std::move(copy));
    version_[t] = made;
    t = made;
  }
}

OpIndex Rewriter::insert(Op op, OpIndex serves) {
  op.id = free_id(op_ids_, op.id);
  origin_.push_back(origin_of(serves));
  return input_.add(std::move(op));
}

TensorIndex Rewriter::current(TensorIndex old) {
  // A view that no op makes follows what it lies in by itself.
  TensorIndex holder = old;
  std::int64_t offset = 0;
  while (graph_.tensor(holder).view_of != kNoTensor && graph_.producer(holder) == kNoOp) {
    offset += graph_.tensor(holder).view_offset;
    holder = graph_.tensor(holder).view_of;
  }
  const TensorIndex held_by = version_[holder];
  if (holder == old || held_by == holder) return version_[old];
  if (version_[old] != old && input_.tensors[version_[old]].view_of == held_by) return version_[old];
  Tensor copy = graph_.tensor(old);
  copy.id += ".again";
  copy.view_of = held_by;
  copy.view_offset = offset;
  version_[old] = add(std::move(copy));
  return version_[old];
}

void Rewriter::replace(TensorIndex old, TensorIndex with, bool with_views) {
  version_[old] = with;
  if (!with_views) return;
  if (family_.empty()) {
    family_.resize(version_.size());
    for (TensorIndex t = 0; t < version_.size(); ++t) {
      if (graph_.is_view(t)) family_[graph_.base(t)].push_back(t);
    }
  }
  for (const TensorIndex view : family_[old]) {
    if (graph_.producer(view) == kNoOp) continue;
    Tensor copy = graph_.tensor(view);
    copy.id += ".again";
    copy.view_of = with;
    copy.view_offset = graph_.base_offset(view);
    version_[view] = add(std::move(copy));
  }
}

/// Events and loops of the old graph, among the ops that stand for the old ones.
void Rewriter::carry_over() {
  for (const Event& event : graph_.events()) {
    if (is_emitted(event.after) && is_emitted(event.before)) order(first_[event.after], first_[event.before]);
  }
  for (const Loop& loop : graph_.loops()) {
    Loop ours;
    for (const OpIndex n : loop.ops) {
      if (is_emitted(n)) ours.ops.push_back(first_[n]);
    }
    input_.loops.push_back(std::move(ours));
  }
}

Result<Staged> Rewriter::finish() {
  carry_over();
  auto graph = make_graph(std::move(input_));
  if (!graph) {
    const GraphFault& fault = graph.error().front();
    return fail(Error::Kind::kRefused,
                fmt::format("the changed graph is not sound: {} {}", fault.where, fault.message));
  }
  Staged staged;
  staged.graph = std::move(*graph);
  auto schedule = given_schedule(staged.graph);
  if (!schedule) return tl::unexpected(schedule.error());
  staged.schedule = std::move(*schedule);
  staged.groups = before_.groups;
  staged.spaces = before_.spaces;
  staged.origin = std::move(origin_);
  return staged;
}

}  // namespace stowage
