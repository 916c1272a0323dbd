#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/problem.h"
#include "core/run/run.h"
#include "core/search/live_space.h"
#include "core/search/replan.h"
#include "core/search/replan_space.h"

namespace stowage {

/// A buffer as an edit wants it.
struct LiveEdit {
  BufferIndex buffer = kNoBuffer;  // the number after the last one: a new buffer
  Buffer now;
  std::int64_t wish = kNoOffset;  // where it would best lie if it has no place yet
};

/// A plan that is kept from edit to edit and changed as little as each of them allows. It aims at the height that the
/// others have anyway, or the load where that is higher (ejection.h); what then sticks out above the load is pulled
/// down. What is needed to find a place is kept (live_space.h), so that an edit costs what it changes, not what is
/// there.
class LivePlan {
 public:
  /// `offsets`: one for each buffer, kNoOffset where it has no place yet. Needs can_replan(); those with a place must
  /// not collide, pins must lie where they belong.
  LivePlan(const Problem& problem, std::span<const std::int64_t> offsets);
  LivePlan(const LivePlan&) = delete;
  LivePlan& operator=(const LivePlan&) = delete;

  /// Finds places for these, and changes the plan for that. With them, the problem must be one that make_problem()
  /// lets pass, and nothing may be left without a place. Deterministic for a seed. Nothing, and the plan as it was,
  /// when pins collide or a place would end above 2^63-1.
  std::optional<Replanned> change(std::span<const LiveEdit> edits, const ReplanLimits& limits,
                                  const RunContext& context);
  /// Undoes the last change.
  void take_back();

  std::int64_t offset(BufferIndex i) const { return buffers_[i].offset; }
  /// By buffer.
  std::vector<std::int64_t> offsets() const;

 private:
  struct Edited {
    BufferIndex buffer = kNoBuffer;
    LiveBuffer before;
    std::int64_t wish = kNoOffset;
  };

  LiveBuffer made_of(const Buffer& buffer) const;
  void edit(const LiveEdit& edit, std::vector<std::vector<Homeless>>& homeless);
  bool clear_pins(std::vector<std::vector<Homeless>>& homeless);
  bool clear_pin(BufferIndex pin, std::vector<Homeless>& homeless);
  std::vector<BufferIndex> moved() const;

  std::vector<std::uint64_t> bases_;  // by space
  std::vector<LiveBuffer> buffers_;
  std::vector<LiveSpace> spaces_;
  // Of the last change:
  std::size_t size_before_ = 0;
  std::vector<Edited> edited_;
};

}  // namespace stowage
