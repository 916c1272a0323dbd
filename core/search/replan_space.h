#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run.h"
#include "core/search/live_space.h"
#include "core/search/neighbourhood.h"
#include "core/search/replan.h"
#include "core/search/whole_plan.h"

namespace stowage {

/// A buffer that looks for a place, and the one it would like best.
struct Homeless {
  BufferIndex buffer = kNoBuffer;
  std::int64_t wish = kNoOffset;  // kNoOffset: none
};

/// The tiers of LivePlan::change() in one space. Each looks at the neighbourhood that it may change (neighbourhood.h).
class ReplanSpace {
 public:
  ReplanSpace(LiveSpace& space, const ReplanLimits& limits)
      : space_(space), looks_left_(limits.looks), nodes_(limits.nodes) {}

  /// Finds places for these. The dearest tier that was needed; nothing when a place would end above 2^63-1.
  std::optional<ReplanTier> run(std::vector<Homeless> homeless, const RunContext& context);

 private:
  bool stay(const Homeless& one, std::int64_t capacity);
  bool fit(const Homeless& one, std::int64_t capacity);
  void eject(std::vector<Homeless>& homeless, std::int64_t capacity);
  bool relax(const std::vector<Homeless>& homeless, std::int64_t capacity);
  void lower(const RunContext& context);
  bool lower_cheaply(BufferIndex buffer, std::int64_t capacity);
  bool plan_around(BufferIndex buffer, std::int64_t capacity, const RunContext& context);
  bool plan_all(std::int64_t capacity, const RunContext& context);
  void take(const Neighbourhood& around);
  void take_whole();
  std::uint64_t luck_of(const std::vector<Homeless>& homeless, std::uint64_t seed) const;
  TimeSpan hull(const std::vector<Homeless>& homeless) const;

  LiveSpace& space_;
  ReplanTier needed_ = ReplanTier::kStay;
  std::int64_t looks_left_;
  std::int64_t nodes_;
  std::uint64_t luck_ = 0;
  bool tried_all_ = false;
  std::optional<WholePlan> whole_;  // of the last such try
};

}  // namespace stowage
