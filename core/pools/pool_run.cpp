#include "core/pools/pool_run.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

std::string describe(const PoolFailure& failure, const Trace& trace) {
  return fmt::format("{}: no memory: {} are needed in one piece, {} can be had, {} are missing",
                     printable_utf8(trace.id(failure.allocation)), format_exact_bytes(failure.needed),
                     format_exact_bytes(failure.available), format_exact_bytes(failure.missing()));
}

double PoolPoint::external_fragmentation() const {
  if (free() <= 0) return 0;
  return static_cast<double>(free() - largest_free) / static_cast<double>(free());
}

PoolPeaks PoolRun::peaks() const {
  PoolPeaks peaks;
  for (std::uint32_t e = 0; e < points.size(); ++e) {
    const PoolPoint& point = points[e];
    if (point.allocated > peaks.allocated) peaks.allocated_event = e;
    if (point.reserved > peaks.reserved) peaks.reserved_event = e;
    peaks.requested = std::max(peaks.requested, point.requested);
    peaks.allocated = std::max(peaks.allocated, point.allocated);
    peaks.reserved = std::max(peaks.reserved, point.reserved);
    peaks.largest_free = std::max(peaks.largest_free, point.largest_free);
    peaks.internal_fragmentation = std::max(peaks.internal_fragmentation, point.internal_fragmentation());
    peaks.external_fragmentation = std::max(peaks.external_fragmentation, point.external_fragmentation());
    peaks.segments = std::max(peaks.segments, point.segments);
  }
  for (const BlockSpan& block : blocks) {
    if (block.state == BlockState::kUsed) peaks.largest_block = std::max(peaks.largest_block, block.size);
  }
  return peaks;
}

std::int64_t PoolRun::highest_address() const {
  std::int64_t highest = 0;
  for (const BlockSpan& block : blocks) {
    if (block.owner != kNoBuffer) highest = std::max(highest, block.address + block.size);
  }
  return highest;
}

PoolState state_after(const PoolRun& run, std::size_t event) {
  PoolState state;
  const auto is_there = [event](const auto& span) {
    return span.first <= event && event < span.last;
  };
  const auto by_address = [](const auto& a, const auto& b) {
    return a.address < b.address;
  };
  std::copy_if(run.segments.begin(), run.segments.end(), std::back_inserter(state.segments), is_there);
  std::copy_if(run.blocks.begin(), run.blocks.end(), std::back_inserter(state.blocks), is_there);
  std::sort(state.segments.begin(), state.segments.end(), by_address);
  std::sort(state.blocks.begin(), state.blocks.end(), by_address);
  return state;
}

Plan plan_of(const PoolRun& run, const Trace& trace, std::size_t buffers) {
  Plan plan;
  plan.id = run.pool;
  plan.allocator = run.pool;
  plan.params = run.params;
  const auto allocations = trace.allocations();
  const bool from_problem = !allocations.empty() && allocations.front().buffer != kNoBuffer;
  // A problem's buffers without memory are not in its trace, and lie anywhere.
  plan.offsets.assign(buffers, from_problem ? 0 : kNoOffset);
  for (BufferIndex i = 0; i < allocations.size(); ++i) {
    const BufferIndex row = from_problem ? allocations[i].buffer : i;
    if (row >= buffers) continue;
    const bool nothing = run.addresses[i] == kNoOffset && allocations[i].bytes == 0;
    plan.offsets[row] = nothing ? 0 : run.addresses[i];
  }
  return plan;
}

}  // namespace stowage
