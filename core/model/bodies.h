#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/integers.h"
#include "core/model/buffer.h"

namespace stowage {

struct ProblemInput;
struct Fault;

/// Buffers whose offsets are tied to each other: colocated, nested or contiguous ones, and those connected through
/// them. They move as one.
///
///        address +-------+
///                |   b   | relative 8     group {a, b}: b lies right above a
///                +---+---+
///                | a | c | relative 0     colocation {a, c}: one offset
///                +---+---+ the body's offset
struct Body {
  struct Member {
    BufferIndex buffer = kNoBuffer;
    std::int64_t relative = 0;  // its offset less the body's; >= 0, the lowest member has 0
  };
  std::vector<Member> members;  // ascending by buffer
  Grid grid;                    // the offsets that suit every member's alignment
  std::int64_t fixed = kNoOffset;
};

/// All bodies of a problem. A buffer that nothing ties belongs to none.
class Bodies {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  Bodies() = default;
  /// Faults: contradictions, members in different spaces, alignments or fixed offsets that exclude each other.
  Bodies(const ProblemInput& input, std::vector<Fault>& faults);

  bool empty() const { return bodies_.empty(); }
  std::size_t count() const { return bodies_.size(); }
  const Body& operator[](std::size_t i) const { return bodies_[i]; }
  std::span<const Body> all() const { return bodies_; }

  /// The body of a buffer, or kNone.
  std::uint32_t of(BufferIndex i) const { return bodies_.empty() ? kNone : of_[i]; }
  /// The buffer's offset less its body's; 0 without one.
  std::int64_t relative(BufferIndex i) const { return bodies_.empty() ? 0 : relative_[i]; }
  /// Tied to each other: never a collision.
  bool together(BufferIndex a, BufferIndex b) const { return of(a) != kNone && of(a) == of(b); }

 private:
  std::vector<Body> bodies_;
  std::vector<std::uint32_t> of_;
  std::vector<std::int64_t> relative_;
};

}  // namespace stowage
