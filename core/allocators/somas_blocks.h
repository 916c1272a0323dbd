#pragma once

#include <cstdint>
#include <vector>

#include "core/allocators/unit.h"
#include "core/model/conflicts.h"
#include "core/model/problem.h"

namespace stowage {

/// Memory that SOMAS places: a buffer, or several that share bytes (a union list).
struct SomasTensor {
  std::vector<BufferIndex> buffers;
  std::int64_t at = 0;    // its offset less its block's
  std::int64_t size = 0;  // bytes
  std::uint32_t block = 0;
  BufferIndex id = kNoBuffer;  // the lowest of its buffers
  bool keeps_all = false;      // lives for ever: shares with nobody
  bool keeps_start = false;    // shares with no tensor of a smaller id
  bool keeps_end = false;      // shares with no tensor of a greater id
};

/// What is placed at once: one tensor, or a contiguous list.
struct SomasBlock {
  const Unit* unit = nullptr;
  std::vector<std::uint32_t> tensors;  // by rising offset
  bool output = false;                 // a graph output: first in every order
  bool at_peak = false;                // live when the load is highest: cannot reuse the memory of that time
  bool single() const { return tensors.size() == 1; }
};

/// The tensors and blocks of one space, and which of them may reuse each other's memory.
///
/// The kinds of buffers say what SOMAS knows beyond lifetimes: "lifelong-all", "lifelong-start" and "lifelong-end" are
/// its lifelong values, "output" is a graph output.
class SomasBlocks {
 public:
  SomasBlocks(const Problem& problem, const std::vector<Unit>& units, const std::vector<std::vector<Overlap>>& overlaps,
              std::uint16_t space);

  const std::vector<SomasTensor>& tensors() const { return tensors_; }
  const std::vector<SomasBlock>& blocks() const { return blocks_; }
  /// Lifelong tensors by themselves: they go above everything else, by id.
  const std::vector<const Unit*>& lifelong() const { return lifelong_; }

  /// Calls visit(tensor) for each that may not share bytes with this one, in no useful order; some come twice.
  template <typename Visit>
  void for_each_conflict(std::uint32_t tensor, Visit&& visit) const;
  bool conflict(std::uint32_t a, std::uint32_t b) const;

 private:
  void add(const Unit& unit);
  bool kept_apart(const SomasTensor& a, const SomasTensor& b) const;

  const Problem& problem_;
  std::vector<SomasTensor> tensors_;
  std::vector<SomasBlock> blocks_;
  std::vector<const Unit*> lifelong_;
  std::vector<std::vector<std::uint32_t>> conflicts_;  // by tensor, ascending
  bool any_kept_ = false;
};

template <typename Visit>
void SomasBlocks::for_each_conflict(std::uint32_t tensor, Visit&& visit) const {
  for (const std::uint32_t other : conflicts_[tensor]) visit(other);
  if (!any_kept_) return;
  for (std::uint32_t other = 0; other < tensors_.size(); ++other) {
    if (other != tensor && kept_apart(tensors_[tensor], tensors_[other])) visit(other);
  }
}

}  // namespace stowage
