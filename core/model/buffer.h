#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/integers.h"

namespace stowage {

/// Position of a buffer in its problem. Identity is the row: ids need not be unique.
using BufferIndex = std::uint32_t;
inline constexpr BufferIndex kNoBuffer = 0xFFFFFFFFU;

/// "Not placed" or "not fixed" where an offset stands. Real offsets may be any other int64 (a plan read from a file can
/// hold negative ones; the checker reports them).
inline constexpr std::int64_t kNoOffset = kMinInt64;

/// Bytes [low, high) of a buffer, relative to its offset.
struct Window {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool operator==(const Window&) const = default;
};

/// A stretch [start, end) inside a lifetime in which the memory is not needed, or only the bytes of the window.
struct Gap {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::optional<Window> window;
  bool operator==(const Gap&) const = default;
};

/// A lifetime in partially ordered time, one component a thread: a buffer is over before another begins exactly when
/// its end is at most the other's start in every component.
struct Clock {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;  // as many components, none below its start
  bool operator==(const Clock&) const = default;
};

/// A part of a buffer that is needed from `start` on only; which bytes it is, the plan decides.
struct Slice {
  std::int64_t size = 0;
  std::int64_t start = 0;
  bool operator==(const Slice&) const = default;
};

/// What only few buffers have; kept out of Buffer so that a million plain ones stay small.
struct Details {
  std::vector<Gap> gaps;                  // ascending, disjoint, inside the lifetime
  std::optional<std::int64_t> hint;       // an offset that may be used
  std::optional<std::int64_t> requested;  // bytes asked for before padding
  std::optional<Clock> clock;             // then it decides about conflicts; start and end are for show
  std::vector<std::uint16_t> candidates;  // spaces it may lie in, best first; empty: only its own
  std::vector<std::int64_t> shape;        // elements in each dimension, where a planner may not mix shapes
  std::vector<Slice> slices;              // its parts in the order they were given; they add up to its size
  std::string op;                         // the operation that produces it
  std::string source;                     // where it comes from in the user's program
  bool open_start = false;                // it lived before the window of observation
  bool open_end = false;                  // it lives on after it
  std::string extra;                      // unknown keys or columns, as the text of a JSON object; empty when none
  bool operator==(const Details&) const = default;
};

/// Something that needs `size` bytes at one offset during [start, end) of logical time.
struct Buffer {
  static constexpr std::uint32_t kNoDetails = 0xFFFFFFFFU;

  std::int64_t start = 0;
  std::int64_t end = 0;        // half-open; end >= start
  std::int64_t size = 0;       // bytes, >= 0
  std::int64_t alignment = 1;  // >= 1, not necessarily a power of two
  std::int64_t fixed = kNoOffset;
  std::uint32_t details = kNoDetails;  // index into the problem's details
  std::uint16_t kind = 0;              // index into the problem's kinds; 0 is "no kind"
  std::uint16_t space = 0;             // index into the problem's spaces

  std::int64_t lifetime() const { return end - start; }
  bool is_fixed() const { return fixed != kNoOffset; }
  /// Zero sizes and zero lengths are legal and visible, but take no memory and never conflict.
  bool takes_memory() const { return size > 0 && start < end; }
  bool operator==(const Buffer&) const = default;
};

/// An address space: device memory, host memory, a bank. Offsets are relative to its base address.
struct Space {
  std::string id;
  std::uint64_t base = 0;
  std::optional<std::int64_t> capacity;  // bytes; the problem's capacity when absent
  std::string extra;                     // unknown keys, as the text of a JSON object; empty when none
  bool operator==(const Space&) const = default;
};

}  // namespace stowage
