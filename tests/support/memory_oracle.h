#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/graph/staged.h"
#include "core/graph/storages.h"

namespace stowage::testing {

/// Runs a staged graph on memory in which every byte remembers whose it is, and finds the first read of a wrong one. It
/// shares no rule with the transforms: an op writes its results before it reads its inputs, but for inputs that it
/// declares to read element by element as it overwrites them.
class MemoryOracle {
 public:
  explicit MemoryOracle(const Staged& staged)
      : staged_(staged), graph_(staged.graph), storages_(find_storages(staged)) {
    parent_.assign(graph_.tensors().size(), kNoTensor);
    for (const InPlace& merge : staged.in_place) {
      if (is_identity(merge)) parent_[merge.child] = merge.parent;
    }
    for (std::size_t s = 0; s < staged.storages.size(); ++s) {
      for (const TensorIndex t : staged.storages[s].members) shared_[storages_.root[t]] = s;
    }
  }

  /// Empty when every read finds what was written for it, and graph outputs and what may not be written are there at
  /// the end.
  std::string run(const std::vector<OpIndex>& order) {
    memory_.assign(graph_.tensors().size() + staged_.storages.size(), {});
    for (TensorIndex t = 0; t < graph_.tensors().size(); ++t) {
      if (graph_.producer(t) == kNoOp && !graph_.is_view(t)) write(t);
    }
    for (const OpIndex n : order) {
      const Op& op = graph_.op(n);
      for (const TensorIndex t : op.out) {
        if (!graph_.is_view(t) && parent_[t] == kNoTensor) write(t);
      }
      for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
        if (ignored(op, slot) || overwritten_in_step(n, slot)) continue;
        if (!holds(op.in[slot])) return fmt::format("{} reads {}, which is overwritten", op.id, id(op.in[slot]));
      }
    }
    for (TensorIndex t = 0; t < graph_.tensors().size(); ++t) {
      const Tensor& tensor = graph_.tensor(t);
      const bool kept = graph_.producer(t) == kNoOp && !graph_.is_view(t) && !tensor.donated;
      if ((graph_.is_output(t) || kept) && !holds(t)) return fmt::format("{} is lost at the end", id(t));
    }
    return {};
  }

  /// Any order that data, events and, with `streams`, the order inside streams allow.
  std::vector<OpIndex> any_order(Random& random, bool streams) const {
    const std::size_t count = graph_.ops().size();
    std::vector<std::vector<OpIndex>> followers(count);
    std::vector<std::size_t> waiting(count, 0);
    const auto wait = [&](OpIndex n, OpIndex before) {
      followers[before].push_back(n);
      ++waiting[n];
    };
    std::map<std::uint32_t, OpIndex> last;
    for (const OpIndex n : staged_.schedule.order) {
      for (const OpIndex before : graph_.waits_for(n)) wait(n, before);
      if (!streams) continue;
      const auto [found, first] = last.try_emplace(graph_.op(n).stream, n);
      if (!first) wait(n, std::exchange(found->second, n));
    }
    std::vector<OpIndex> ready;
    std::vector<OpIndex> order;
    for (OpIndex n = 0; n < count; ++n) {
      if (waiting[n] == 0) ready.push_back(n);
    }
    while (!ready.empty()) {
      const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(ready.size()) - 1));
      const OpIndex n = ready[at];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
      order.push_back(n);
      for (const OpIndex follower : followers[n]) {
        if (--waiting[follower] == 0) ready.push_back(follower);
      }
    }
    return order;
  }

 private:
  /// Byte `offset` of the value of tensor `t`.
  using Cell = std::pair<TensorIndex, std::int64_t>;

  std::string id(TensorIndex t) const { return graph_.tensor(t).id; }
  static bool ignored(const Op& op, std::uint32_t slot) {
    return std::find(op.ignored_inputs.begin(), op.ignored_inputs.end(), slot) != op.ignored_inputs.end();
  }
  bool is_identity(const InPlace& merge) const {
    const Op& op = graph_.op(merge.op);
    if (op.type == "Copy") return true;
    if (graph_.tensor(merge.parent).bytes != graph_.tensor(merge.child).bytes) return false;
    return std::any_of(op.inplace.begin(), op.inplace.end(), [&](const SlotPair& pair) {
      return pair.identity && op.in[pair.in] == merge.parent && op.out[pair.out] == merge.child;
    });
  }
  /// Is the input one over which the op writes a result, element by element?
  bool overwritten_in_step(OpIndex n, std::uint32_t slot) const {
    const Op& op = graph_.op(n);
    return std::any_of(staged_.in_place.begin(), staged_.in_place.end(), [&](const InPlace& merge) {
      if (merge.op != n || merge.parent != op.in[slot]) return false;
      return std::any_of(op.inplace.begin(), op.inplace.end(),
                         [&](const SlotPair& pair) { return pair.in == slot && op.out[pair.out] == merge.child; });
    });
  }

  Cell value(TensorIndex t, std::int64_t byte) const {
    if (graph_.is_view(t)) return value(graph_.base(t), byte + graph_.base_offset(t));
    if (parent_[t] != kNoTensor) return value(parent_[t], byte);
    return {t, byte};
  }
  Cell& cell(TensorIndex t, std::int64_t byte) {
    const TensorIndex root = storages_.root[t];
    const auto shared = shared_.find(root);
    std::vector<Cell>& place = memory_[shared != shared_.end() ? graph_.tensors().size() + shared->second : root];
    const auto at = static_cast<std::size_t>(storages_.offset[t] + byte);
    if (place.size() <= at) place.resize(at + 1, {kNoTensor, 0});
    return place[at];
  }
  void write(TensorIndex t) {
    for (std::int64_t byte = 0; byte < graph_.tensor(t).bytes.value_or(0); ++byte) cell(t, byte) = value(t, byte);
  }
  bool holds(TensorIndex t) {
    for (std::int64_t byte = 0; byte < graph_.tensor(t).bytes.value_or(0); ++byte) {
      if (cell(t, byte) != value(t, byte)) return false;
    }
    return true;
  }

  const Staged& staged_;
  const Graph& graph_;
  Storages storages_;
  std::vector<TensorIndex> parent_;  // by tensor: what it is identical to
  std::map<TensorIndex, std::size_t> shared_;
  std::vector<std::vector<Cell>> memory_;  // of roots, then of shared storages
};

}  // namespace stowage::testing
