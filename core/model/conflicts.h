#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/model/problem.h"

namespace stowage {

/// effective_size(below, above) of two buffers of a problem; nothing when they do not conflict: they lie in different
/// spaces, are tied to each other, or never need memory at the same instant and no edge says otherwise. Under an edge,
/// or in partially ordered time, the whole size counts.
std::optional<std::int64_t> effective_size(const Problem& problem, BufferIndex below, BufferIndex above);

inline bool conflict(const Problem& problem, BufferIndex a, BufferIndex b) {
  return effective_size(problem, a, b).has_value();
}

/// All buffers in conflict with one, ascending. O(n).
std::vector<BufferIndex> conflicts_of(const Problem& problem, BufferIndex buffer);

/// Calls visit(a, b) with a < b once for each pair in conflict. Output-sensitive as far as lifetimes and edges go;
/// clocks need every pair to be asked.
void for_each_conflict(const Problem& problem, const std::function<void(BufferIndex, BufferIndex)>& visit);

/// How many buffers each is in conflict with. O(n log n) without gaps; with gaps also linear in the conflicts of the
/// buffers that have them.
std::vector<std::int64_t> conflict_counts(const Problem& problem);

/// A buffer and how far above its own offset the other must lie when it is the lower of the two.
struct Overlap {
  BufferIndex other = kNoBuffer;
  std::int64_t effective_size = 0;
  bool operator==(const Overlap&) const = default;
};

/// For each buffer its conflicts, ascending. Output-sensitive, but the output may be quadratic: never called on load.
std::vector<std::vector<Overlap>> all_overlaps(const Problem& problem);

}  // namespace stowage
