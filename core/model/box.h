#pragma once

#include <cstdint>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

/// A buffer or another box, inside a box.
struct BoxMember {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  BufferIndex buffer = kNoBuffer;
  std::uint32_t box = kNone;
  bool operator==(const BoxMember&) const = default;
};

/// Buffers packed into one rectangle, which from then on is planned like a buffer; boxes nest.
struct Box {
  int level = 0;
  std::int64_t start = 0;  // hull of the members' lifetimes, [start, end)
  std::int64_t end = 0;
  std::int64_t height = 0;  // bytes; at least the load of the members
  std::vector<BoxMember> members;
  bool operator==(const Box&) const = default;
};

}  // namespace stowage
