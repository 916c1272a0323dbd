#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/search/hard_fit.h"
#include "core/search/instance.h"
#include "core/search/live_space.h"

namespace stowage {

/// What lives in some stretch of time, and the plan there: an instance in bytes that is worked on alone. What also
/// lives outside stays where it is.
///
///      |  +-----:---+     :        a and c are fixed, b may move
///      |  |  a  :   | +--+: +----
///      |  +-----:---+ |b |:-+ c
///      +--------:-----+--+:------
///
/// What has no place takes part only when it lives wholly inside.
Instance living_in(const LiveSpace& space, TimeSpan window);

/// The time in which something lives that is live during this time.
TimeSpan reach(const LiveSpace& space, TimeSpan window);

/// The same with everything put where it is.
struct Neighbourhood {
  /// `lifted` counts as having no place.
  Neighbourhood(const LiveSpace& space, TimeSpan window, BufferIndex lifted = kNoBuffer);
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  Instance instance;
  HardFit fit;
  std::unordered_map<BufferIndex, std::uint32_t> waiting;  // items that have no place
};

}  // namespace stowage
