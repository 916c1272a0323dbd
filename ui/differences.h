#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/document/changes.h"
#include "core/model/section_tops.h"

namespace stowage {

/// Where a buffer of the shown plan lies in another plan.
enum class Moved : std::uint8_t { kSame, kUp, kDown, kOnlyHere, kNowhere };

/// The shown plan against another one, which may be for the problem as it was before some edits.
struct Differences {
  Changes changes;                           // from the other plan to the shown one
  std::vector<std::int64_t> there;           // by buffer here: its offset there; kNoOffset where there is none
  std::vector<Moved> moved;                  // by buffer here
  std::vector<bool> edited;                  // by buffer here; empty: none is
  std::vector<BufferIndex> partner;          // by buffer here: the same one there, or kNoBuffer
  std::vector<BufferIndex> here;             // by buffer there: the same one here, or kNoBuffer
  std::vector<BufferIndex> only_there;       // numbers there
  std::vector<SectionTop> tops, tops_there;  // of the space that is shown

  std::size_t gone = 0;             // of those, how many are no buffers here any more
  std::size_t edited_in_place = 0;  // edited, at the same address
  std::size_t up = 0;
  std::size_t down = 0;
  std::size_t same = 0;
  std::size_t only_here = 0;
  /// Buffers that lie elsewhere, only on one side, or were edited.
  std::size_t differing() const { return up + down + only_here + only_there.size() + edited_in_place; }
  std::uint64_t made = 0;  // another number whenever something has changed
};

/// What is compared: the other plan first, then the shown one.
struct DifferencesInput {
  std::shared_ptr<const Problem> before, after;
  std::shared_ptr<const Plan> plan_before, plan_after;
  std::uint16_t space = 0;
};

/// O(n log n), a second for a million buffers: not for the window's own thread.
Differences find_differences(const DifferencesInput& input);

}  // namespace stowage
