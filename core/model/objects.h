#pragma once

#include <cstdint>
#include <vector>

#include "core/model/buffer.h"

namespace stowage {

class Problem;

/// A shared-object plan: each buffer is bound to one object, and the cost is the sum of the objects' sizes. Two buffers
/// of one object never live at the same time, unless `inner` puts them at different places inside it.
struct Objects {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;  // a buffer that needs no memory may have no object

  std::vector<std::int64_t> sizes;                // bytes, by object
  std::vector<std::uint32_t> object_of;           // by buffer
  std::vector<std::int64_t> inner;                // by buffer: its offset inside the object; empty when all are 0
  std::vector<std::vector<std::int64_t>> shapes;  // by object, where sizes have dimensions; else empty

  /// The sum of all sizes; 2^63-1 when that is less.
  std::int64_t total() const;
  bool operator==(const Objects&) const = default;
};

/// The offsets at which the objects lie one above the other in their order, without padding; kNoOffset for one that
/// would end above 2^63-1. (TFLite: ObjectsAssignment to OffsetsAssignment.)
std::vector<std::int64_t> object_offsets(const Objects& objects);

/// An offset for each buffer of the problem: its object's plus the inner one. Objects lie one above the other in their
/// space, each at the first offset that suits the alignments of its buffers. kNoOffset for the buffers of an object
/// that has no such offset: no address suits them all, or it would end above 2^63-1.
std::vector<std::int64_t> objects_to_offsets(const Problem& problem, const Objects& objects);

}  // namespace stowage
