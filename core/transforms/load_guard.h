#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/staged.h"
#include "core/graph/storages.h"

namespace stowage {

/// Keeps merges of memory from raising the load: a small result that lives long in the memory of something large would.
///
///   x 1000  |######|              x and y  |##########|  the load after x would have been 10
///   y   10         |----|
class LoadGuard {
 public:
  explicit LoadGuard(const Staged& staged);

  /// Would the load stay at most what it was in the beginning if the memory of `child` became a part of that of `root`?
  bool allows(TensorIndex root, TensorIndex child) const;
  void merge(TensorIndex root, TensorIndex child);

 private:
  struct Memory {
    StepSpan span;
    std::int64_t bytes = 0;
    bool counts = false;  // weights and inputs are somebody else's
  };
  struct Load {
    std::vector<std::int64_t> at;  // by step
    std::int64_t most = 0;
  };

  std::vector<Memory> memories_;  // by root
  std::vector<std::uint32_t> space_of_;
  std::vector<Load> loads_;  // by space
};

}  // namespace stowage
