#include "core/transforms/load_guard.h"

#include <algorithm>
#include <map>
#include <string>

namespace stowage {

LoadGuard::LoadGuard(const Staged& staged) {
  const Graph& graph = staged.graph;
  const Storages storages = find_storages(staged);
  const std::vector<StepSpan> spans = tensor_spans(graph, staged.schedule);
  const std::size_t steps = staged.schedule.order.size();
  memories_.resize(graph.tensors().size());
  space_of_.resize(graph.tensors().size());
  std::map<std::string, std::uint32_t> spaces;
  for (TensorIndex root = 0; root < memories_.size(); ++root) {
    if (storages.root[root] != root) continue;
    Memory& memory = memories_[root];
    memory.span = spans[root];
    for (const TensorIndex t : storages.members[root]) {
      memory.span.end = std::max(memory.span.end, spans[t].end);
      memory.bytes = std::max(memory.bytes, storages.offset[t] + graph.tensor(t).bytes.value_or(0));
    }
    const Tensor& tensor = graph.tensor(root);
    const bool lasting =
        tensor.kind == TensorKind::kWeight || tensor.kind == TensorKind::kConstant || tensor.kind == TensorKind::kState;
    memory.counts = !lasting && (tensor.kind != TensorKind::kInput || tensor.donated);
    const auto [space, is_new] = spaces.try_emplace(tensor.space, static_cast<std::uint32_t>(loads_.size()));
    if (is_new) loads_.push_back(Load{std::vector<std::int64_t>(steps + 1, 0), 0});
    space_of_[root] = space->second;
    if (!memory.counts) continue;
    std::vector<std::int64_t>& at = loads_[space->second].at;
    at[static_cast<std::size_t>(memory.span.start)] += memory.bytes;
    at[static_cast<std::size_t>(memory.span.end)] -= memory.bytes;
  }
  if (loads_.empty()) return;
  for (Load& load : loads_) {
    for (std::size_t step = 1; step < load.at.size(); ++step) load.at[step] += load.at[step - 1];
  }
  // Workspaces lie in the default space.
  const auto ordinary = spaces.find("");
  for (std::size_t step = 0; step < steps && ordinary != spaces.end(); ++step) {
    loads_[ordinary->second].at[step] += graph.op(staged.schedule.order[step]).workspace;
  }
  for (Load& load : loads_) load.most = *std::max_element(load.at.begin(), load.at.end());
}

bool LoadGuard::allows(TensorIndex root, TensorIndex child) const {
  const Memory& above = memories_[root];
  const Memory& below = memories_[child];
  if (!above.counts) return true;
  const Load& load = loads_[space_of_[root]];
  const std::int64_t bytes = std::max(above.bytes, below.bytes);
  // Before the child is made nobody needs the memory, where the op ignores what was in it.
  const std::int64_t last = bytes > below.bytes ? below.span.end : below.span.start;
  for (std::int64_t step = above.span.end; step < last; ++step) {
    const std::int64_t more = step < below.span.start ? bytes : bytes - below.bytes;
    if (load.at[static_cast<std::size_t>(step)] > load.most - more) return false;
  }
  return true;
}

void LoadGuard::merge(TensorIndex root, TensorIndex child) {
  Memory& above = memories_[root];
  Memory& below = memories_[child];
  const std::int64_t bytes = std::max(above.bytes, below.bytes);
  std::vector<std::int64_t>& at = loads_[space_of_[root]].at;
  const std::int64_t end = std::max(above.span.end, below.span.end);
  const auto count = [&](const Memory& memory, std::int64_t step) {
    return memory.counts && memory.span.start <= step && step < memory.span.end ? memory.bytes : 0;
  };
  // Where nothing changes there is nothing to do: mostly everywhere but at the op itself.
  const std::int64_t first = bytes == above.bytes ? std::min(below.span.start, above.span.end) : above.span.start;
  const std::int64_t last = bytes == below.bytes && above.counts ? std::max(below.span.start, above.span.end) : end;
  for (std::int64_t step = first; step < last; ++step) {
    at[static_cast<std::size_t>(step)] += (above.counts ? bytes : 0) - count(above, step) - count(below, step);
  }
  above.bytes = bytes;
  above.span.end = end;
}

}  // namespace stowage
