#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/graph.h"

namespace stowage {

/// The load that an order of ops leads to, op by op; ops can be taken back. Counts what a graph holds by itself: not
/// weights, constants and inputs that are the caller's. In-place merges are not looked at: they are decided later.
class OrderLoad {
 public:
  explicit OrderLoad(const Graph& graph);

  /// Bytes while the op would run: what is live, its outputs and its workspace.
  std::int64_t peak_of(OpIndex n) const { return live_ + made_[n] + workspace_[n]; }
  void run(OpIndex n);
  /// The last one that was run.
  void take_back(OpIndex n);
  /// Bytes live between ops.
  std::int64_t live() const { return live_; }
  bool ready(OpIndex n) const { return waiting_[n] == 0; }
  const std::vector<OpIndex>& followers(OpIndex n) const { return followers_[n]; }

 private:
  struct Use {
    std::uint32_t storage = 0;
    std::uint32_t times = 0;
  };

  std::vector<std::int64_t> bytes_;          // by storage
  std::vector<std::uint32_t> readers_left_;  // by storage; one more where it is never given back
  std::vector<std::vector<Use>> uses_;  // by op: the storages it reads, once each, and those it makes that nobody reads
  std::vector<std::int64_t> made_;      // by op: bytes of the storages it makes
  std::vector<std::int64_t> workspace_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::vector<OpIndex>> followers_;
  std::int64_t live_ = 0;
};

/// The largest sum of bytes live at one time when the ops run in this order.
std::int64_t load_of_order(const Graph& graph, const std::vector<OpIndex>& order);

}  // namespace stowage
