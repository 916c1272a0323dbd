#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

enum class IssueKind {
  kCollision,
  kMisaligned,
  kOverCapacity,
  kMoved,
  kNegativeOffset,
  kOverflow,
  kMissingOffset,
  kWrongMakespan,
};

/// "collision", "misaligned", "over-capacity", "moved", "negative-offset", "overflow", "missing-offset",
/// "wrong-makespan".
std::string_view name_of(IssueKind kind);

/// One broken rule. Ranges are half-open; time in steps, bytes relative to the base of the space.
struct Issue {
  IssueKind kind = IssueKind::kCollision;
  BufferIndex first = kNoBuffer;
  BufferIndex second = kNoBuffer;  // of a collision, or the buffer it is tied to
  std::int64_t time_low = 0;
  std::int64_t time_high = 0;
  std::int64_t byte_low = 0;
  std::int64_t byte_high = 0;
  bool operator==(const Issue&) const = default;
};

/// The issue in words, with both names and both ranges.
std::string describe(const Issue& issue, const Problem& problem);

struct CheckReport {
  static constexpr std::size_t kListed = 10'000;

  std::vector<Issue> issues;  // at most kListed; other kinds by buffer, then collisions in time order
  std::uint64_t count = 0;    // all of them, exactly
  bool valid() const { return count == 0; }
};

/// Every violation of a plan, found independently of every allocator: a sweep over time with the live rectangles held
/// in address order. O((n + listed) log n). A collision is one overlapping pair of rectangles (a buffer with gaps is
/// several). Where edges, clocks or ties decide who conflicts, O(conflicts). A buffer that left the place where another
/// one ties it has moved. A plan with fewer offsets than the problem has buffers misses the rest.
CheckReport check_plan(const Problem& problem, const Plan& plan);

}  // namespace stowage
