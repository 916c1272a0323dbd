#include "core/transforms/reuse_table.h"

#include <algorithm>
#include <limits>

#include "core/graph/storages.h"
#include "core/transforms/reuse.h"

namespace stowage {
namespace {

/// From the first step to the last at which anything in the storage is needed.
StepSpan span_of(const std::vector<TensorIndex>& members, const std::vector<StepSpan>& spans) {
  StepSpan all{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const TensorIndex t : members) {
    all.start = std::min(all.start, spans[t].start);
    all.end = std::max(all.end, spans[t].end);
  }
  return all;
}

bool stays(const Graph& graph, TensorIndex root) {
  const TensorKind kind = graph.tensor(root).kind;
  return kind == TensorKind::kWeight || kind == TensorKind::kConstant || kind == TensorKind::kState;
}

}  // namespace

ReuseTable reuse_table(const Staged& staged, std::size_t most) {
  const Graph& graph = staged.graph;
  const Storages storages = find_storages(staged);
  const std::vector<StepSpan> spans = tensor_spans(graph, staged.schedule);
  std::vector<StepSpan> lives(graph.tensors().size());
  ReuseTable table;
  for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
    if (storages.members[t].empty() || graph.tensor(t).bytes.value_or(0) == 0 || stays(graph, t)) continue;
    lives[t] = span_of(storages.members[t], spans);
    table.roots.push_back(t);
  }
  std::stable_sort(table.roots.begin(), table.roots.end(),
                   [&](TensorIndex a, TensorIndex b) { return lives[a].start < lives[b].start; });
  if (table.roots.size() > most) {
    table.left_out = table.roots.size() - most;
    table.roots.resize(most);
  }
  const std::size_t count = table.roots.size();
  table.cells.assign(count * count, ReuseCell::kSame);
  const ReuseMatrix matrix(staged);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const TensorIndex a = table.roots[i];
      const TensorIndex b = table.roots[j];
      ReuseCell cell = ReuseCell::kLive;
      if (matrix.may_share(a, b)) {
        cell = ReuseCell::kShare;
        ++table.pairs_to_share;
      } else if (lives[a].start >= lives[b].end || lives[b].start >= lives[a].end) {
        cell = ReuseCell::kOrder;
        ++table.pairs_short_of_an_order;
      }
      table.cells[i * count + j] = table.cells[j * count + i] = cell;
    }
  }
  return table;
}

}  // namespace stowage
