#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/search/sorted_blocks.h"

namespace stowage {

/// The sum of live sizes over time, while buffers come and go: the times at which it changes, and by how much. Of each
/// block of them its sum and the highest sum on the way are known, so that the load is found from the blocks alone.
///
///      |      +--+                    steps    +2 at 0, +3 at 4, -3 at 6, -2 at 8
///      |  +---+  +--+
///      +--+---------+--              blocks   [+2 +3 -3 -2]: sum 0, highest 5
class LoadProfile {
 public:
  struct Step {
    std::int64_t time = 0;
    std::int64_t change = 0;
    std::int64_t key() const { return time; }
  };

  /// Instead of what is there; in any order, times may come several times.
  void fill(std::vector<Step> steps);
  /// So many bytes more are live during [start, end); fewer where the number is negative. start < end.
  void add(std::int64_t start, std::int64_t end, std::int64_t bytes);
  /// The highest sum, at least 0.
  std::int64_t load() const;

 private:
  struct Course {
    explicit Course(std::span<const Step> steps);
    std::int64_t sum = 0;
    std::int64_t highest = 0;
  };

  void step(std::int64_t time, std::int64_t change);

  SortedBlocks<Step, Course> steps_;
  mutable std::optional<std::int64_t> load_;  // since the last change, once somebody has asked
};

}  // namespace stowage
