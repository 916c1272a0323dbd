#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/run/run.h"
#include "core/search/instance.h"

namespace stowage {

/// How a question about a capacity ended.
enum class Verdict {
  kFits,
  kDoesNotFit,  // proved: everything was tried
  kOutOfNodes,
  kStopped,  // asked to stop, or out of time
};

/// Exact search: do the buffers of an instance fit under a capacity? It builds plans from below in which every buffer
/// lies as low as what is under it allows, and asks again and again *what comes next on top of this section?*
///
///   address                                    floor(s): the lowest offset of any waiting buffer that covers s.
///      |   ...........+-------+                A niche is a stretch of equal floors between higher ones. Whatever
///      |   +----+     |       |                comes next there fits between its walls, so only the buffers that
///      |   |    |niche|       |                cover s and can lie on its floor may be next: one of them is placed,
///      |   |    +-----+       |                or, when s has room to spare, none is and all of them lie higher.
///      +---+----------+-------+--> sections
///
/// - Of all sections of all niches it asks the one with the fewest answers.
/// - A state fails when some floor + all that waits in its section is above the capacity.
/// - What falls apart in time is solved part by part, the fullest first; when one fails there is nothing to retry.
/// - A failed state is remembered (failed_states.h). Two ways to one state meet because they give it one name
///   (niche_names.h).
/// - What failed says where it looked (niche_look.h). A choice that changed nothing there is not made in another way:
///   the failure would be the same.
/// - A buffer with nothing waiting above it has no alternatives; nor has one that equals another one tried before.
///
/// *None of them.* A buffer c that does not lie at its lowest offset rests on a waiting buffer d, and so no lower than
/// low(d) + size(d). It may rest on anything that waits and overlaps it: one that also covers s, and another candidate
/// that has itself been lifted. So the lowest offsets of the candidates are the shortest paths
///   low'(c) = min( low(d) + size(d) over waiting d that are no candidates,  low'(c') + size(c') over candidates c' ).
/// Leaving one of these out loses solutions, which shows with about twelve buffers in tight problems and hardly below.
///
/// Offsets on a grid are rounded up wherever they arise. A fixed buffer waits at its offset until it is next on a
/// section; lifting it is a failure.
class NicheSearch {
 public:
  /// The instance must outlive it, and be affordable.
  NicheSearch(const Instance& instance, std::int64_t capacity);
  ~NicheSearch();
  NicheSearch(NicheSearch&&) noexcept;
  NicheSearch& operator=(NicheSearch&&) noexcept;

  /// Whether memory (all pairs that overlap), depth and numbers are within reason.
  static bool affordable(const Instance& instance, std::int64_t capacity);

  /// One run from the start, visiting at most `nodes` states. `priority`, by item: of several candidates the largest is
  /// tried first. Failed states of earlier runs are still known.
  Verdict run(std::span<const double> priority, std::int64_t nodes, const RunContext& context);

  /// By item, units, after kFits.
  std::vector<std::int64_t> offsets() const;
  /// States visited by all runs.
  std::int64_t nodes() const;
  /// By item: how often placing it failed at once; halved when asked to.
  std::span<const std::int32_t> failures() const;
  void forget_half();

  class Kernel;

 private:
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace stowage
