#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "core/search/hard_fit.h"
#include "core/search/instance.h"

namespace stowage {

/// What lives in some sections, and the plan there: an instance in bytes that is worked on alone. What also lives
/// outside stays where it is.
///
///      |  +-----:---+     :        a and c are fixed, b may move
///      |  |  a  :   | +--+: +----
///      |  +-----:---+ |b |:-+ c
///      +--------:-----+--+:------
///
/// `offsets`, by buffer: kNoOffset for what has no place; it takes part only when it lives wholly inside.
Instance living_in(const Problem& problem, SectionRange window, std::span<const std::int64_t> offsets);

/// The sections in which something lives that meets these sections.
SectionRange reach(const Problem& problem, SectionRange window);

/// The same with everything put where it is.
struct Neighbourhood {
  Neighbourhood(const Problem& problem, SectionRange window, std::span<const std::int64_t> offsets);
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  Instance instance;
  HardFit fit;
  std::unordered_map<BufferIndex, std::uint32_t> waiting;  // items that had no place
};

}  // namespace stowage
