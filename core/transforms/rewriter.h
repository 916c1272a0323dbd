#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"

namespace stowage {

/// Error: refused when memory has been decided about already: a transform that changes the ops would change the lives
/// behind it, so it comes first in a pipeline.
Result<void> refuse_after_sharing(const Staged& staged, std::string_view transform);

/// Makes a new graph of an old one, op after op in the order of execution. Ops may be repeated: each time their outputs
/// are new tensors, and whoever comes later reads those (the current version). New ops may be put in between.
class Rewriter {
 public:
  explicit Rewriter(const Staged& staged);

  /// Appends an op of the old graph: itself the first time, a copy ("conv.again") after that. The index in the new one.
  OpIndex emit(OpIndex old);
  /// Appends an op that the old graph does not have; its tensors are of the new graph. `serves`: the op of the old
  /// graph for whose sake it is there.
  OpIndex insert(Op op, OpIndex serves);
  bool is_emitted(OpIndex old) const { return first_[old] != kNoOp; }

  /// Adds a tensor; its id gets a number when it is taken.
  TensorIndex add(Tensor tensor);
  const Tensor& tensor(TensorIndex t) const { return input_.tensors[t]; }
  /// Which tensor of the new graph a reader of `old` reads now.
  TensorIndex current(TensorIndex old);
  /// From now on readers of `old` read this; views of it become views of the other, where `with_views`.
  void replace(TensorIndex old, TensorIndex with, bool with_views);

  /// This tensor of the old graph leaves the graph no more: it lives as long as it is read.
  void keep_inside(TensorIndex old) { std::erase(input_.outputs, old); }
  /// The new op `after` has ended before the new op `before` starts.
  void order(OpIndex after, OpIndex before) { input_.events.push_back({after, before}); }
  std::size_t ops() const { return input_.ops.size(); }
  const Op& op(OpIndex n) const { return input_.ops[n]; }

  /// The graph in the order in which its ops were appended. Error: refused, with what the gate says.
  Result<Staged> finish();

 private:
  using Ids = std::unordered_map<std::string, int>;  // id: the number to try next when it is wanted again

  std::string free_id(Ids& taken, const std::string& wanted);
  void copy_outputs(Op& op);
  const std::string& origin_of(OpIndex old) const;
  void carry_over();

  const Staged& before_;
  const Graph& graph_;
  GraphInput input_;
  std::vector<std::string> origin_;
  std::vector<OpIndex> first_;                    // by op of the old graph: where it stands in the new one
  std::vector<TensorIndex> version_;              // by tensor of the old graph
  std::vector<std::vector<TensorIndex>> family_;  // by base: its views, filled by the first replace with views
  Ids op_ids_;
  Ids tensor_ids_;
};

}  // namespace stowage
