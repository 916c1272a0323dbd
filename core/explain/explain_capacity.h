#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// What would let everything fit: one buffer that is smaller by this much, or gone.
struct Remedy {
  BufferIndex buffer = kNoBuffer;
  std::int64_t shrink = 0;       // bytes; its whole size when only its removal helps
  bool least_is_proved = false;  // any less was proved to be too little
  bool operator==(const Remedy&) const = default;
};

/// Whether a problem fits under a capacity, and if not, why.
struct CapacityExplanation {
  enum class Verdict { kFits, kDoesNotFit, kUnknown };
  enum class Reason {
    kLoad,     // at one time more bytes are live than there are, or in conflict with each other
    kPin,      // a fixed offset ends above the capacity
    kPacking,  // at no time too many bytes are live, and still no arrangement fits
  };

  Verdict verdict = Verdict::kUnknown;
  std::int64_t capacity = 0;
  std::vector<std::int64_t> offsets;  // of a plan that fits; otherwise empty

  // The rest only of what does not fit.
  std::uint16_t space = 0;
  std::vector<BufferIndex> set;  // cannot fit together, ascending
  bool minimal = false;          // proved: without any one of them the others fit
  Reason reason = Reason::kPacking;
  // Of the set: the most bytes that are live at one time; where more than lifetimes decides, of buffers of which each
  // two conflict.
  std::int64_t load = 0;
  bool timed = true;  // there is such a time: the earliest section with that load
  std::int64_t peak_start = 0;
  std::int64_t peak_end = 0;
  std::vector<Remedy> remedies;  // each by itself lets the whole space fit; the fewest bytes first, then by row
};

/// How many nodes of the search an explanation may visit when there is no time limit.
inline constexpr std::int64_t kExplainNodes = 4'000'000;

/// Conflict graphs and tied buffers are looked at pair by pair; up to so many buffers.
inline constexpr std::size_t kExplainGraph = 4000;

/// Explains the first space that does not fit, if there is one; every space gets the same capacity. The set is found
/// from the heaviest section (or clique) outwards and then proved again, buffer by buffer. What the search cannot
/// answer within its limits is unknown, never claimed. Without a tied buffer the others stay tied as they are. Errors:
/// refused, when there is a choice of spaces or of the order of slices, or the conflict graph is too large; cancelled.
Result<CapacityExplanation> explain_capacity(const Problem& problem, std::int64_t capacity, const RunContext& context,
                                             std::int64_t nodes = kExplainNodes);

}  // namespace stowage
