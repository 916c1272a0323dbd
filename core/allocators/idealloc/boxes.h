#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/allocators/idealloc/choices.h"
#include "core/allocators/idealloc/recorder.h"
#include "core/model/box_tree.h"
#include "core/run/run.h"

namespace stowage::idealloc {

/// What every theorem works with.
struct Workplace {
  BoxTree& tree;
  Choices& choices;
  Recorder& recorder;
  const RunContext& context;
  bool stopped = false;  // asked to stop: what there is of the boxes is of no use
};

/// How jobs that count as equally high are stacked: `jobs` of them fit into a box of `height`.
struct Stack {
  std::int64_t jobs = 1;
  std::int64_t height = 0;
  double mu = 0.5;

  /// jobs * ceil(factor), as far as that is below `limit`.
  std::size_t times(double factor, std::size_t limit) const {
    const double product = static_cast<double>(jobs) * std::ceil(factor);
    return product >= static_cast<double>(limit) ? limit : static_cast<std::size_t>(product);
  }
};

/// A job is live at a point strictly inside its life. Points are doubled times: see Instance.
inline std::int64_t birth(const Item& item) {
  return 2 * item.start;
}
inline std::int64_t death(const Item& item) {
  return 2 * item.end;
}
inline bool is_live(const Item& item, std::int64_t point) {
  return birth(item) < point && point < death(item);
}

}  // namespace stowage::idealloc
