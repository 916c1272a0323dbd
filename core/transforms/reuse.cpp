#include "core/transforms/reuse.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace stowage {

ReuseMatrix::ReuseMatrix(const Staged& staged)
    : staged_(staged),
      storages_(find_storages(staged)),
      ancestors_(staged.graph, staged.schedule),
      steps_(staged.schedule.steps()) {
  const Graph& graph = staged.graph;
  last_.resize(graph.tensors().size());
  lasting_.resize(graph.tensors().size());
  for (TensorIndex root = 0; root < last_.size(); ++root) {
    std::map<std::uint32_t, OpIndex> last;  // by stream
    for (const OpIndex n : touching(root)) {
      const auto [found, is_new] = last.try_emplace(graph.op(n).stream, n);
      if (!is_new && steps_[n] > steps_[found->second]) found->second = n;
    }
    for (const auto& [stream, n] : last) last_[root].push_back(n);
    for (const TensorIndex t : storages_.members[root]) {
      const TensorKind kind = graph.tensor(t).kind;
      const bool for_ever = kind == TensorKind::kWeight || kind == TensorKind::kConstant || kind == TensorKind::kState;
      if (for_ever) lasting_[root] = fmt::format("{} is a {} and lives for ever", id(t), name_of(kind));
      if (graph.is_output(t)) lasting_[root] = fmt::format("{} is an output of the graph and lives to the end", id(t));
    }
  }
}

std::vector<OpIndex> ReuseMatrix::touching(TensorIndex root) const {
  const Graph& graph = staged_.graph;
  std::vector<OpIndex> ops;
  for (const TensorIndex t : storages_.members[root]) {
    if (graph.producer(t) != kNoOp) ops.push_back(graph.producer(t));
    for (const OpIndex reader : graph.readers(t)) ops.push_back(reader);
  }
  for (const Loop& loop : graph.loops()) {
    // What is read in a loop is read until its last round.
    const bool inside = std::any_of(ops.begin(), ops.end(), [&](OpIndex n) {
      return std::find(loop.ops.begin(), loop.ops.end(), n) != loop.ops.end();
    });
    const OpIndex maker = graph.producer(root);
    const bool own = maker != kNoOp && std::find(loop.ops.begin(), loop.ops.end(), maker) != loop.ops.end();
    if (inside && !own) ops.insert(ops.end(), loop.ops.begin(), loop.ops.end());
  }
  std::sort(ops.begin(), ops.end());
  ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
  return ops;
}

bool ReuseMatrix::over_before(TensorIndex a, TensorIndex b) const {
  const OpIndex maker = staged_.graph.producer(b);
  if (maker == kNoOp || !lasting_[a].empty()) return false;
  return std::all_of(last_[a].begin(), last_[a].end(), [&](OpIndex n) { return ancestors_.before(n, maker); });
}

/// What no order of ops could change; empty when there is nothing of the kind.
std::string ReuseMatrix::obstacle(TensorIndex a, TensorIndex b) const {
  const Graph& graph = staged_.graph;
  if (a == b) return "they lie in the same memory already";
  for (const TensorIndex t : {a, b}) {
    if (graph.tensor(t).bytes.value_or(0) == 0) return fmt::format("{} has no size", id(t));
  }
  if (graph.tensor(a).space != graph.tensor(b).space) return "they lie in different memories";
  const OpIndex maker = graph.producer(a);
  if (maker != kNoOp && maker == graph.producer(b)) return fmt::format("{} makes both", graph.op(maker).id);
  if (maker == kNoOp && graph.producer(b) == kNoOp) return "both are there from the start";
  return {};
}

bool ReuseMatrix::may_share(TensorIndex a, TensorIndex b) const {
  const TensorIndex first = storages_.root[a];
  const TensorIndex second = storages_.root[b];
  if (!obstacle(first, second).empty()) return false;
  return over_before(first, second) || over_before(second, first);
}

std::optional<std::vector<OpIndex>> ReuseMatrix::missing(TensorIndex a, TensorIndex b) const {
  const OpIndex maker = staged_.graph.producer(b);
  if (maker == kNoOp || !lasting_[a].empty()) return std::nullopt;
  std::vector<OpIndex> ops;
  for (const OpIndex n : touching(a)) {
    if (ancestors_.before(n, maker)) continue;
    if (n == maker || ancestors_.before(maker, n)) return std::nullopt;
    ops.push_back(n);
  }
  return ops;
}

std::optional<Event> ReuseMatrix::single_event(const std::vector<OpIndex>& missing, OpIndex maker) const {
  for (const OpIndex n : staged_.schedule.order) {
    if (n == maker) break;
    const bool covers = std::all_of(missing.begin(), missing.end(),
                                    [&](OpIndex late) { return late == n || ancestors_.before(late, n); });
    if (covers && !ancestors_.before(maker, n)) return Event{n, maker};
  }
  return std::nullopt;
}

WhyNotShared ReuseMatrix::why_not(TensorIndex a, TensorIndex b) const {
  const Graph& graph = staged_.graph;
  TensorIndex first = storages_.root[a];
  TensorIndex second = storages_.root[b];
  WhyNotShared why;
  if (why.text = obstacle(first, second); !why.text.empty()) return why;
  // The one that is made first is the one that could be over.
  const auto made = [&](TensorIndex t) {
    return graph.producer(t) == kNoOp ? 0 : steps_[graph.producer(t)] + 1;
  };
  if (made(second) < made(first)) std::swap(first, second);
  for (const auto& [over, later] : {std::pair(first, second), std::pair(second, first)}) {
    if (!over_before(over, later)) continue;
    why.may_share = true;
    why.text = fmt::format("{} is over before {} makes {}", id(over), graph.op(graph.producer(later)).id, id(later));
    return why;
  }
  if (!lasting_[first].empty()) {
    why.text = lasting_[first];
    return why;
  }
  const OpIndex maker = graph.producer(second);
  const auto late = missing(first, second);
  if (!late) {
    for (const OpIndex n : touching(first)) {
      if (n != maker && !ancestors_.before(maker, n)) continue;
      why.text = fmt::format("{} needs {} {}", graph.op(n).id, id(first),
                             n == maker ? fmt::format("while it makes {}", id(second))
                                        : fmt::format("after {} has made {}", graph.op(maker).id, id(second)));
      return why;
    }
    why.text = fmt::format("{} is there before anything of {} is over", id(second), id(first));
    return why;
  }
  std::vector<std::string> names;
  for (const OpIndex n : *late) names.push_back(graph.op(n).id);
  const bool reads = std::none_of(late->begin(), late->end(), [&](OpIndex n) { return n == graph.producer(first); });
  why.text = fmt::format("{} {} {}, and {}, which makes {}, does not wait for {}", fmt::join(names, " and "),
                         !reads              ? "need"
                         : late->size() == 1 ? "reads"
                                             : "read",
                         id(first), graph.op(maker).id, id(second), late->size() == 1 ? "it" : "them");
  why.remedy = single_event(*late, maker);
  if (why.remedy) {
    why.text += fmt::format("; an event from {} to {} would let them share", graph.op(why.remedy->after).id,
                            graph.op(why.remedy->before).id);
  } else {
    why.text += "; no single event in this order would do";
  }
  return why;
}

WhyNotShared why_not_shared(const Staged& staged, TensorIndex a, TensorIndex b) {
  return ReuseMatrix(staged).why_not(a, b);
}

}  // namespace stowage
