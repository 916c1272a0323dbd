#include "core/document/settled.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

/// Of the pairs that ops offer, those that were taken; also those that a transform took without an offer.
void keep_chosen_pairs(GraphInput& input, const std::vector<InPlace>& chosen) {
  std::vector<std::vector<SlotPair>> offers;
  for (Op& op : input.ops) offers.push_back(std::exchange(op.inplace, {}));
  for (const InPlace& pair : chosen) {
    Op& op = input.ops[pair.op];
    // An op that reads the tensor twice has to offer both.
    for (const SlotPair& offer : offers[pair.op]) {
      if (op.in[offer.in] == pair.parent && op.out[offer.out] == pair.child) op.inplace.push_back(offer);
    }
    if (!op.inplace.empty() && op.out[op.inplace.back().out] == pair.child) continue;
    const auto in = std::find(op.in.begin(), op.in.end(), pair.parent);
    const auto out = std::find(op.out.begin(), op.out.end(), pair.child);
    if (in == op.in.end() || out == op.out.end()) continue;
    op.inplace.push_back(
        {static_cast<std::uint32_t>(in - op.in.begin()), static_cast<std::uint32_t>(out - op.out.begin()), false});
  }
}

/// A tensor can be in one group only.
void add_groups(GraphInput& input, const std::vector<TensorGroup>& groups) {
  std::vector<bool> grouped(input.tensors.size(), false);
  for (const TensorGroup& group : input.groups) {
    for (const TensorIndex t : group.members) grouped[t] = true;
  }
  for (const TensorGroup& group : groups) {
    const bool is_free =
        std::none_of(group.members.begin(), group.members.end(), [&](TensorIndex t) { return grouped[t]; });
    if (!is_free) continue;
    for (const TensorIndex t : group.members) grouped[t] = true;
    input.groups.push_back(group);
  }
}

void put_in_order(GraphInput& input, const Schedule& schedule) {
  const std::vector<std::size_t> steps = schedule.steps();
  const auto step_of = [&](OpIndex n) {
    return static_cast<OpIndex>(steps[n]);
  };
  std::vector<Op> ops;
  ops.reserve(input.ops.size());
  for (const OpIndex n : schedule.order) ops.push_back(std::move(input.ops[n]));
  input.ops = std::move(ops);
  for (Event& event : input.events) event = {step_of(event.after), step_of(event.before)};
  for (Loop& loop : input.loops) {
    for (OpIndex& n : loop.ops) n = step_of(n);
  }
}

/// The stage that takes the pairs again, with the rules by which they were taken.
std::vector<PipelineStage> stages_left(const GraphRecipe& recipe, const Staged& staged) {
  if (staged.in_place.empty()) return {};
  for (auto stage = recipe.pipeline.rbegin(); stage != recipe.pipeline.rend(); ++stage) {
    if (stage->on && stage->transform == "in-place") return {*stage};
  }
  return {PipelineStage{"in-place", true, {}}};
}

}  // namespace

Result<Document> settled(const Document& document, RunContext& context) {
  const Staged& staged = *document.staged;
  GraphInput input = staged.graph.input();
  if (!staged.in_place.empty()) keep_chosen_pairs(input, staged.in_place);
  add_groups(input, staged.groups);
  put_in_order(input, staged.schedule);
  auto graph = make_graph(std::move(input));
  if (!graph) {
    const GraphFault& fault = graph.error().front();
    return input_error(fmt::format("the changed graph is not sound: {} {}", fault.where, fault.message));
  }
  return remade(document, std::move(*graph),
                GraphRecipe{"given", stages_left(document.recipe, staged), document.recipe.lowering}, context);
}

}  // namespace stowage
