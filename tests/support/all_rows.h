#pragma once

#include <vector>

#include "core/model/problem.h"

namespace stowage::testing {

/// Every buffer of the problem, in its order.
inline std::vector<BufferIndex> all_rows(const Problem& problem) {
  std::vector<BufferIndex> rows;
  for (BufferIndex i = 0; i < problem.size(); ++i) rows.push_back(i);
  return rows;
}

}  // namespace stowage::testing
