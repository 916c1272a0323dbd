#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/ancestors.h"
#include "core/graph/staged.h"
#include "core/graph/storages.h"

namespace stowage {

/// Why two tensors may not have memory in common, and what would help.
struct WhyNotShared {
  bool may_share = false;
  std::string text;  // "n2 reads t0, and n3, which makes t3, does not wait for it"
  /// The single event that would let them, in agreement with the schedule; the earliest op that will do.
  std::optional<Event> remedy;
};

/// The reuse matrix of SOMAS: two tensors may share memory if everything that makes or reads one of them has certainly
/// ended before the other is made, whatever the streams do. On one stream that is "their lifetimes are disjoint".
/// Tensors stand for all that lies in their memory: views, results in place.
class ReuseMatrix {
 public:
  /// The staged graph must outlive it.
  explicit ReuseMatrix(const Staged& staged);

  /// False for a tensor with itself, for two results of one op, for weights and what else lives for ever, and for sizes
  /// of 0 or unknown ones.
  bool may_share(TensorIndex a, TensorIndex b) const;
  WhyNotShared why_not(TensorIndex a, TensorIndex b) const;

 private:
  bool over_before(TensorIndex a, TensorIndex b) const;
  std::vector<OpIndex> touching(TensorIndex root) const;
  std::string obstacle(TensorIndex a, TensorIndex b) const;
  /// Ops that touch a and need not have ended when b is made; nothing when an event cannot change that.
  std::optional<std::vector<OpIndex>> missing(TensorIndex a, TensorIndex b) const;
  std::optional<Event> single_event(const std::vector<OpIndex>& missing, OpIndex maker) const;
  const std::string& id(TensorIndex t) const { return staged_.graph.tensor(t).id; }

  const Staged& staged_;
  Storages storages_;
  Ancestors ancestors_;
  std::vector<std::size_t> steps_;
  std::vector<std::vector<OpIndex>> last_;  // by root: the latest op of each stream that touches it
  std::vector<std::string> lasting_;        // by root: why it is never over; empty when it is
};

/// ReuseMatrix::why_not of one pair.
WhyNotShared why_not_shared(const Staged& staged, TensorIndex a, TensorIndex b);

}  // namespace stowage
