#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/search/neighbourhood.h"
#include "core/search/replan.h"

namespace stowage {

/// The tiers of replan() in one space. Nothing is set up for the whole of it: each tier looks at the neighbourhood that
/// it may change (neighbourhood.h), and those who live elsewhere are passed over.
class ReplanSpace {
 public:
  /// `offsets`, by buffer: the plan that is changed; kNoOffset for what looks for a place. `bound`: no plan of the
  /// space is lower. `high`: what ends above it.
  ReplanSpace(const Problem& problem, std::uint16_t space, std::int64_t bound, std::vector<BufferIndex> high,
              std::vector<std::int64_t>& offsets);

  /// Finds places for these; `before`, by buffer: where they were. The dearest tier that was needed; nothing when a
  /// place would end above 2^63-1.
  std::optional<ReplanTier> run(std::vector<BufferIndex> homeless, std::span<const std::int64_t> before,
                                const ReplanLimits& limits, const RunContext& context);
  std::int64_t makespan() const;

 private:
  void find_gaps(std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before, std::int64_t capacity);
  void eject(std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before, std::int64_t capacity);
  bool relax(const std::vector<BufferIndex>& homeless, std::span<const std::int64_t> before, std::int64_t capacity);
  void lower(const RunContext& context);
  bool lower_cheaply(BufferIndex buffer, std::int64_t capacity);
  bool plan_around(BufferIndex buffer, std::int64_t capacity, const RunContext& context);
  BufferIndex highest();
  void put(BufferIndex i, std::int64_t offset);
  void take(const Neighbourhood& around);
  SectionRange hull(std::span<const BufferIndex> buffers) const;

  const Problem& problem_;
  std::uint16_t space_;
  std::int64_t bound_;
  std::vector<BufferIndex> high_;
  std::vector<std::int64_t>& offsets_;
  ReplanTier needed_ = ReplanTier::kStay;
  std::int64_t looks_left_ = 0;
  std::int64_t nodes_ = 0;
};

}  // namespace stowage
