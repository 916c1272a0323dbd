#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/plan.h"

namespace stowage::testing {

/// A plan that says nothing but these offsets.
inline Plan plan_with(std::vector<std::int64_t> offsets) {
  Plan plan;
  plan.offsets = std::move(offsets);
  return plan;
}

}  // namespace stowage::testing
