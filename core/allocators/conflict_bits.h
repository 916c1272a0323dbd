#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// A bit for each two buffers: whether they are in conflict. n^2 / 8 bytes. What is said of two that are never placed
/// one after the other (a buffer and itself, two of one body, what takes no memory) means nothing.
class ConflictBits {
 public:
  explicit ConflictBits(const Problem& problem);
  bool of(BufferIndex a, BufferIndex b) const { return (bits_[a * words_ + b / 64] >> (b % 64) & 1U) != 0; }

 private:
  void set(BufferIndex a, BufferIndex b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }
  void add_lifetimes(const Problem& problem);
  void keep_spaces_apart(const Problem& problem);

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace stowage
