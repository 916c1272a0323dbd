#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/staged.h"
#include "core/graph/storages.h"
#include "core/run/run.h"
#include "core/transforms/transform.h"

namespace stowage {

inline constexpr std::uint32_t kNoStorage = 0xFFFFFFFFU;

/// What planners of storages hand out memory for: a tensor with its views and with what lies in its memory in place.
/// Named by its root.
class Entries {
 public:
  explicit Entries(const Staged& staged);

  TensorIndex of(TensorIndex t) const { return storages_.root[t]; }
  /// Does the tensor begin where its entry does?
  bool at_start(TensorIndex t) const { return storages_.offset[t] == 0; }
  const std::vector<TensorIndex>& members(TensorIndex entry) const { return storages_.members[entry]; }
  /// Of the largest member with what lies below it; 0 when unknown.
  std::int64_t bytes(TensorIndex entry) const { return bytes_[entry]; }
  bool is_known(TensorIndex entry) const;
  /// Made by an op, not there from the start.
  bool is_made(TensorIndex entry) const { return graph_.producer(entry) != kNoOp; }
  bool is_output(TensorIndex entry) const { return outputs_[entry] > 0; }
  /// Input slots that read it, each counted, and one for each graph output in it.
  std::int64_t readers(TensorIndex entry) const { return readers_[entry]; }

  /// The entries of the inputs that the op reads, slot by slot.
  std::vector<TensorIndex> read_by(OpIndex n) const;
  /// Outputs of the op that are entries of their own, in order.
  std::vector<TensorIndex> made_by(OpIndex n) const;

 private:
  const Graph& graph_;
  Storages storages_;
  std::vector<std::int64_t> bytes_;
  std::vector<std::int64_t> readers_;
  std::vector<std::int64_t> outputs_;
};

/// Tensors bound to storages; the size of a storage is that of the largest that was ever put into it.
struct StoragePlan {
  explicit StoragePlan(std::size_t tensors) : storage_of(tensors, kNoStorage) {}

  std::vector<SharedStorage> storages;    // in the order in which they came to be; members are entries
  std::vector<std::uint32_t> storage_of;  // by tensor; views and in-place results are where their entry is
  std::vector<InPlace> in_place;          // that the planner itself decided
  std::int64_t not_planned = 0;           // entries of unknown size

  std::uint32_t open(TensorIndex entry, std::int64_t bytes);
  void put(TensorIndex entry, std::uint32_t storage, std::int64_t bytes);
  /// Members that are no entries of their own get the storage of theirs.
  void complete(const Entries& entries);
  /// Sum of the sizes of all storages.
  std::int64_t total() const;
};

/// Says what a planner does, as steps and as remarks. Tags are counted from 1: storage + 1.
class Teller {
 public:
  Teller(const Staged& staged, RunContext& context, TransformReport& report)
      : graph_(staged.graph), context_(context), report_(report) {}

  std::string id(TensorIndex t) const { return graph_.tensor(t).id; }
  std::string op_id(OpIndex n) const { return n == kNoOp ? std::string("the start") : graph_.op(n).id; }
  bool records() const { return context_.records(); }

  void phase(std::string name) { context_.say(Step{step::Phase{std::move(name)}, {}}); }
  void consider(TensorIndex t, std::string why) { context_.say(Step{step::Consider{t}, std::move(why)}); }
  void take(TensorIndex t, std::uint32_t storage, std::string why) {
    context_.say(Step{step::TakeTag{t, storage + 1}, std::move(why)});
  }
  void give_back(TensorIndex t, std::uint32_t storage, std::string why) {
    context_.say(Step{step::ReturnTag{t, storage + 1}, std::move(why)});
  }
  void remark(Remark::Kind kind, OpIndex n, TensorIndex t, std::string text) {
    report_.remarks.push_back(Remark{kind, n, t, std::move(text)});
  }

 private:
  const Graph& graph_;
  RunContext& context_;
  TransformReport& report_;
};

}  // namespace stowage
