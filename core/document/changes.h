#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// How one buffer differs between two states of a document. Buffers are the same when their ids are; of several with
/// one id the first is the first, and so on.
struct BufferChange {
  enum class Kind { kAdded, kRemoved, kEdited, kMoved };
  Kind kind = Kind::kMoved;
  BufferIndex before = kNoBuffer;  // in the earlier problem
  BufferIndex after = kNoBuffer;   // in the later one
  bool lifetime = false;           // what was edited; kEdited may have moved as well
  bool size = false;
  bool alignment = false;
  bool fixed = false;
  bool rest = false;  // kind, space, gaps and other details
  std::int64_t offset_before = kNoOffset;
  std::int64_t offset_after = kNoOffset;
  bool operator==(const BufferChange&) const = default;
};

struct Changes {
  std::vector<BufferChange> list;  // edited, added, removed, then moved; each by row
  std::size_t edited = 0;
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t moved = 0;
  bool none() const { return list.empty(); }
};

/// By buffer of `after`: the same one in `before`, or kNoBuffer.
std::vector<BufferIndex> origins_of(const Problem& before, const Problem& after);

/// The plans may be null: then nothing has moved.
Changes changes_between(const Problem& before, const Plan* plan_before, const Problem& after, const Plan* plan_after);
/// The same where the origins are known already.
Changes changes_between(const Problem& before, const Plan* plan_before, const Problem& after, const Plan* plan_after,
                        const std::vector<BufferIndex>& origin);

}  // namespace stowage
