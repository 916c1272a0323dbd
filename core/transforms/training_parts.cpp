#include "core/transforms/training_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stowage {
namespace {

bool makes_gradients(const Graph& graph, const Op& op) {
  return std::any_of(op.out.begin(), op.out.end(), [&](TensorIndex t) {
    const TensorKind kind = graph.tensor(t).kind;
    return kind == TensorKind::kGradient || kind == TensorKind::kWeightGradient;
  });
}

/// A must-alias that only renames: a reshape that is declared as one.
bool only_renames(const Op& op) {
  const std::string& type = op.type;
  return type == "Reshape" || type == "Flatten" || type == "Squeeze" || type == "Unsqueeze" || type == "Identity" ||
         type == "View";
}

}  // namespace

bool writes_over_input(const Op& op) {
  return !only_renames(op) &&
         std::any_of(op.alias.begin(), op.alias.end(), [](const SlotPair& pair) { return !pair.identity; });
}

bool is_given(const Graph& graph, TensorIndex t) {
  const TensorIndex base = graph.base(t);
  const Tensor& tensor = graph.tensor(base);
  switch (tensor.kind) {
    case TensorKind::kWeight:
    case TensorKind::kConstant:
    case TensorKind::kState:
      return true;
    case TensorKind::kInput:
      return !tensor.donated;
    default:
      return graph.producer(base) == kNoOp;
  }
}

std::int64_t own_bytes(const Graph& graph, TensorIndex t) {
  if (graph.is_view(t) || is_given(graph, t)) return 0;
  return graph.tensor(t).bytes.value_or(0);
}

Result<TrainingParts> find_training_parts(const Staged& staged, std::string_view wants) {
  const Graph& graph = staged.graph;
  const std::size_t ops = graph.ops().size();
  TrainingParts parts;
  parts.is_forward.assign(ops, 1);
  parts.repeatable.assign(ops, 1);
  parts.position.assign(ops, 0);
  parts.read_by_rest.assign(graph.tensors().size(), 0);
  for (const OpIndex n : staged.schedule.order) {
    const Op& op = graph.op(n);
    const auto after_rest = [&](OpIndex before) {
      return parts.is_forward[before] == 0;
    };
    const auto waits = graph.waits_for(n);
    if (op.backward || makes_gradients(graph, op) || std::any_of(waits.begin(), waits.end(), after_rest)) {
      parts.is_forward[n] = 0;
    }
    if (op.side_effect || writes_over_input(op)) parts.repeatable[n] = 0;
    std::vector<OpIndex>& list = parts.is_forward[n] != 0 ? parts.forward : parts.rest;
    parts.position[n] = list.size();
    list.push_back(n);
  }
  for (const Loop& loop : graph.loops()) {
    for (const OpIndex n : loop.ops) parts.repeatable[n] = 0;
  }
  if (parts.rest.empty() || parts.forward.empty()) {
    return fail(Error::Kind::kRefused,
                fmt::format("{} needs a backward part: no op is marked as one or makes a gradient", wants));
  }
  for (const OpIndex n : parts.rest) {
    for (const TensorIndex t : graph.op(n).in) {
      const OpIndex maker = graph.producer(t);
      if (maker != kNoOp && parts.is_forward[maker] != 0) parts.read_by_rest[t] = 1;
    }
  }
  return parts;
}

std::vector<Crossing> find_crossings(const Graph& graph, const TrainingParts& parts) {
  std::vector<Crossing> crossings(graph.tensors().size());
  for (const OpIndex n : parts.forward) {
    for (const TensorIndex t : graph.op(n).in) {
      const TensorIndex base = graph.base(t);
      const OpIndex maker = graph.producer(base);
      if (maker == kNoOp || parts.is_forward[maker] == 0 || is_given(graph, base)) continue;
      crossings[base].from = parts.position[maker];
      crossings[base].to = std::max(crossings[base].to, parts.position[n]);
    }
  }
  for (Crossing& crossing : crossings) crossing.to = std::max(crossing.from, crossing.to);
  return crossings;
}

Cuts find_cuts(const Graph& graph, const TrainingParts& parts, CutChoice choice) {
  const std::size_t places = parts.forward.size() - 1;  // behind the last op nothing is left to run
  const std::vector<Crossing> crossings = find_crossings(graph, parts);
  std::int64_t largest = 0;
  for (TensorIndex t = 0; t < crossings.size(); ++t) {
    if (crossings[t].from < crossings[t].to) largest = std::max(largest, own_bytes(graph, t));
  }
  std::vector<std::int64_t> width(parts.forward.size() + 1, 0);
  std::vector<std::int64_t> bytes(parts.forward.size() + 1, 0);
  for (TensorIndex t = 0; t < crossings.size(); ++t) {
    const Crossing& crossing = crossings[t];
    if (crossing.from >= crossing.to) continue;
    const std::int64_t size = own_bytes(graph, t);
    const std::int64_t counts = size > largest / 4096 ? 1 : 0;
    width[crossing.from] += counts;
    width[crossing.to] -= counts;
    bytes[crossing.from] += size;
    bytes[crossing.to] -= size;
  }
  for (std::size_t p = 1; p < width.size(); ++p) {
    width[p] += width[p - 1];
    bytes[p] += bytes[p - 1];
  }
  std::int64_t allowed = 1;
  if (choice == CutChoice::kNarrow && places > 0) {
    std::vector<std::int64_t> sorted(width.begin(), width.begin() + static_cast<std::ptrdiff_t>(places));
    std::sort(sorted.begin(), sorted.end());
    const auto enough = static_cast<std::size_t>(std::sqrt(static_cast<double>(places)));
    allowed = std::max<std::int64_t>(1, sorted[std::min(enough, places - 1)]);
  }
  Cuts cuts;
  for (std::size_t p = 0; p < places; ++p) {
    if (choice != CutChoice::kAll && width[p] > allowed) continue;
    if (bytes[p] == 0 && choice != CutChoice::kAll) continue;  // nothing crosses: the parts are independent anyway
    cuts.at.push_back(p);
    cuts.bytes.push_back(bytes[p]);
  }
  return cuts;
}

}  // namespace stowage
