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

namespace {

/// The least width at which no stretch without a cut is longer than a square root's worth of ops or a usual block.
std::int64_t narrow_width(const std::vector<std::int64_t>& width, std::size_t places) {
  const auto stretch = std::max<std::size_t>(24, static_cast<std::size_t>(std::sqrt(static_cast<double>(places))));
  const auto dense_enough = [&](std::int64_t allowed) {
    std::size_t since = 0;
    for (std::size_t p = 0; p < places; ++p) {
      since = width[p] <= allowed ? 0 : since + 1;
      if (since > stretch) return false;
    }
    return true;
  };
  std::int64_t low = 1;
  std::int64_t high = places == 0 ? 1 : *std::max_element(width.begin(), width.end());
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (dense_enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Where several values cross, places of equal width need not be equally good: those stay at which little more crosses
/// than at the best one near them.
Cuts without_heavy(const Cuts& cuts) {
  constexpr std::size_t kNear = 12;
  constexpr std::size_t kClose = 4;
  Cuts light;
  for (std::size_t i = 0; i < cuts.at.size(); ++i) {
    std::int64_t least = cuts.bytes[i];
    for (std::size_t j = i; j > 0 && cuts.at[j - 1] + kNear >= cuts.at[i]; --j)
      least = std::min(least, cuts.bytes[j - 1]);
    for (std::size_t j = i + 1; j < cuts.at.size() && cuts.at[j] <= cuts.at[i] + kNear; ++j) {
      least = std::min(least, cuts.bytes[j]);
    }
    if (cuts.bytes[i] > least + least / 4) continue;
    // Of places close behind each other the last: what is on its way there has arrived.
    if (!light.at.empty() && light.at.back() + kClose > cuts.at[i]) {
      light.at.pop_back();
      light.bytes.pop_back();
    }
    light.at.push_back(cuts.at[i]);
    light.bytes.push_back(cuts.bytes[i]);
  }
  return light;
}

}  // namespace

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
  const std::int64_t allowed = choice == CutChoice::kNarrow ? narrow_width(width, places) : 1;
  Cuts cuts;
  for (std::size_t p = 0; p < places; ++p) {
    if (choice != CutChoice::kAll && width[p] > allowed) continue;
    if (bytes[p] == 0 && choice != CutChoice::kAll) continue;  // nothing crosses: the parts are independent anyway
    cuts.at.push_back(p);
    cuts.bytes.push_back(bytes[p]);
  }
  return choice == CutChoice::kNarrow && allowed > 1 ? without_heavy(cuts) : cuts;
}

}  // namespace stowage
