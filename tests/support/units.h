#pragma once

#include <cstdint>

namespace stowage::testing {

inline constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

}  // namespace stowage::testing
