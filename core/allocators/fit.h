#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/run.h"

namespace stowage {

/// Which free place a buffer takes: the lowest that is large enough, or the one that leaves the least room above it
/// (the lowest of equals; the open room above everything only when nothing else fits). kArena is kBest except that the
/// room to beat counts from where it begins before alignment: of two that differ only in what alignment loses, the
/// later one wins. (TFLite: SimpleMemoryArena.)
enum class FitRule { kFirst, kBest, kArena };

/// Places one buffer after the other in this order and never moves any; fixed buffers come before all others. Honours
/// alignment and gaps. Errors: cancelled; refused when a place would pass 2^63-1, or as soon as one that is not
/// fixed ends above `limit` (heeded where lifetimes alone decide about conflicts).
Result<RunResult> place_in_order(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                                 RunContext& context, std::int64_t limit = kMaxInt64);

struct BodyConflicts;

/// The same for several orders of one problem, which must outlive it: conflicts that lifetimes do not tell are found
/// once.
class OrderPlacement {
 public:
  explicit OrderPlacement(const Problem& problem);
  ~OrderPlacement();
  Result<RunResult> place(std::span<const BufferIndex> order, FitRule rule, RunContext& context,
                          std::int64_t limit = kMaxInt64);

 private:
  /// How placed buffers are found again, by how many each meets.
  void weigh();

  const Problem& problem_;
  std::unique_ptr<BodyConflicts> conflicts_;  // null where lifetimes tell all
  bool many_live_ = false;                    // everybody walks the addresses
  std::vector<std::uint8_t> meets_many_;      // by buffer: who else does; empty when nobody
};

}  // namespace stowage
