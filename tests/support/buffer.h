#pragma once

#include <cstdint>

#include "core/model/buffer.h"

namespace stowage::testing {

/// A buffer of `size` bytes that lives during [start, end).
inline Buffer buffer(std::int64_t start, std::int64_t end, std::int64_t size, std::int64_t alignment = 1) {
  Buffer b;
  b.start = start;
  b.end = end;
  b.size = size;
  b.alignment = alignment;
  return b;
}

}  // namespace stowage::testing
