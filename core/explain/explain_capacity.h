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
    kLoad,     // at one time more bytes are live than there are
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
  std::int64_t load = 0;        // of the set
  std::int64_t peak_start = 0;  // when: the earliest section with that load
  std::int64_t peak_end = 0;
  std::vector<Remedy> remedies;  // each by itself lets the whole space fit; the fewest bytes first, then by row
};

/// How many nodes of the search an explanation may visit when there is no time limit.
inline constexpr std::int64_t kExplainNodes = 4'000'000;

/// Explains the first space that does not fit, if there is one; every space gets the same capacity. The set is found
/// from the heaviest section outwards and then proved again, buffer by buffer. Errors: refused, when more than
/// lifetimes, alignments, pins and gaps constrain the offsets; cancelled.
Result<CapacityExplanation> explain_capacity(const Problem& problem, std::int64_t capacity, const RunContext& context,
                                             std::int64_t nodes = kExplainNodes);

}  // namespace stowage
