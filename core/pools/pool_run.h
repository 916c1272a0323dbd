#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/plan.h"
#include "core/pools/trace.h"
#include "core/run/params.h"

namespace stowage {

/// Where a block of a pool stands.
enum class BlockState : std::uint8_t {
  kFree,
  kUsed,
  kWaiting,  // freed, but not to be given away yet: another stream still uses it, or the arena cannot take it back
};

/// A part of a segment in one state, during the events [first, last): it is so after `first` and no longer after
/// `last`.
struct BlockSpan {
  std::int64_t address = 0;
  std::int64_t size = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t segment = 0;
  BufferIndex owner = kNoBuffer;  // an allocation; of a free block none
  BlockState state = BlockState::kFree;
  bool operator==(const BlockSpan&) const = default;
};

/// Memory that a pool has from the device, during the events [first, last).
struct SegmentSpan {
  std::int64_t address = 0;
  std::int64_t size = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t segment = 0;  // numbered in the order of opening; one that grows has several spans
  std::uint32_t group = 0;    // into PoolRun::groups
  bool operator==(const SegmentSpan&) const = default;
};

/// Bytes after an event.
struct PoolPoint {
  std::int64_t requested = 0;  // what live allocations asked for
  std::int64_t allocated = 0;  // their blocks
  std::int64_t waiting = 0;    // blocks that are freed but not usable yet
  std::int64_t reserved = 0;   // segments
  std::int64_t largest_free = 0;
  std::uint32_t segments = 0;
  std::uint32_t device_allocations = 0;  // so far

  std::int64_t free() const { return reserved - allocated - waiting; }
  /// Bytes of blocks that nobody asked for.
  std::int64_t internal_fragmentation() const { return allocated - requested; }
  /// (free - largest free) / free; 0 when nothing is free.
  double external_fragmentation() const;
  bool operator==(const PoolPoint&) const = default;
};

/// The largest value of each, over all events.
struct PoolPeaks {
  std::int64_t requested = 0;
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
  std::int64_t largest_free = 0;
  std::int64_t internal_fragmentation = 0;
  double external_fragmentation = 0;
  std::uint32_t segments = 0;
  std::int64_t largest_block = 0;     // of an allocation
  std::uint32_t allocated_event = 0;  // the first at which so much is allocated
  std::uint32_t reserved_event = 0;
};

/// A request that got no memory.
struct PoolFailure {
  std::uint32_t event = 0;
  BufferIndex allocation = kNoBuffer;
  std::int64_t needed = 0;        // bytes in one piece
  std::int64_t available = 0;     // the largest piece that could be had
  std::int64_t largest_free = 0;  // block in the whole pool
  std::int64_t missing() const { return needed - available; }
};

/// "c: no memory: 20,971,520 B are needed in one piece, 3,145,728 B can be had, 17,825,792 B are missing".
std::string describe(const PoolFailure& failure, const Trace& trace);

/// Something else that a pool knows about itself at the end: "next region", "retries".
struct PoolFact {
  std::string name;
  std::int64_t value = 0;
  bool is_bytes = false;
};

/// Everything that a pool did with a trace.
struct PoolRun {
  std::string pool;  // id
  ParamValues params;
  std::optional<std::int64_t> capacity;
  std::vector<std::int64_t> addresses;  // by allocation; kNoOffset: it failed, or asked for nothing
  std::vector<PoolPoint> points;        // after each event
  std::vector<PoolFailure> failures;
  std::vector<SegmentSpan> segments;
  std::vector<BlockSpan> blocks;
  std::vector<std::string> groups;  // kinds of segments: "small", "large, stream 3"
  std::vector<PoolFact> facts;
  double seconds = 0;

  PoolPeaks peaks() const;
  /// Of blocks that hold an allocation; what an offline plan calls its makespan.
  std::int64_t highest_address() const;
};

/// Segments and blocks after an event, by address. O(spans).
struct PoolState {
  std::vector<SegmentSpan> segments;
  std::vector<BlockSpan> blocks;
};
PoolState state_after(const PoolRun& run, std::size_t event);

/// The addresses as a plan of the problem that the trace stands for: `buffers` of them. Allocations without memory lie
/// at 0 when they asked for nothing, else nowhere; so does what the trace left out.
Plan plan_of(const PoolRun& run, const Trace& trace, std::size_t buffers);

}  // namespace stowage
