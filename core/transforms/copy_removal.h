#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"

namespace stowage {

/// Takes ops out of a graph that only hand their input on, in place: what read the copy reads the original, or, where
/// the copy is a graph output, the maker of the original makes the copy.
class CopyRemoval {
 public:
  /// The staged graph must outlive it.
  explicit CopyRemoval(const Staged& staged);

  /// False when it has to stay: it has side effects, stands in an event, keeps an order on one of several streams, or
  /// both of its tensors are needed. Only for ops of one input and one output that is granted in place.
  bool remove(OpIndex copy);
  bool any() const { return any_; }

  /// The graph without them, with these decisions about memory as far as they still have an op.
  Result<Staged> apply(const std::vector<InPlace>& in_place) const;

 private:
  /// Old index to new one.
  struct Numbers {
    std::vector<TensorIndex> tensors;
    std::vector<OpIndex> ops;  // kNoOp: gone
  };

  TensorIndex resolve(TensorIndex t) const;
  Numbers number() const;
  static void rename(std::vector<TensorIndex>& list, const Numbers& numbers);
  static std::vector<TensorGroup> renamed(std::vector<TensorGroup> groups, const Numbers& numbers);
  GraphInput renamed_input(const Numbers& numbers) const;

  const Staged& before_;
  bool one_stream_ = true;
  bool any_ = false;
  std::vector<TensorIndex> stands_for_;  // by tensor: the one that stays in its place
  std::vector<bool> gone_;               // by op
  std::vector<std::uint8_t> fixed_;      // by op: stands in an event
  std::vector<std::uint8_t> bound_;      // by tensor: in a group or a shared storage
};

}  // namespace stowage
