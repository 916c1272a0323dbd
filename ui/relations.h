#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/chart/chart_index.h"
#include "core/chart/viewport.h"
#include "core/model/problem.h"

namespace stowage {

/// What the inspector lists for a chosen buffer, at most kListed each; the counts are exact.
struct Relations {
  static constexpr std::size_t kListed = 200;
  BufferIndex buffer = kNoBuffer;
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::vector<BufferIndex> conflicts;  // needed at the same time, largest first
  std::size_t conflict_count = 0;
  std::vector<BufferIndex> neighbours;  // share an edge in the plan: below, then above
  std::size_t neighbour_count = 0;
};

Relations relations_of(const Problem& problem, const std::vector<std::int64_t>& offsets, BufferIndex buffer);

enum class Direction { kLeft, kRight, kUp, kDown };

/// The nearest placed buffer in a direction, measured in pixels of the view between centres; movement across counts
/// double. Nothing when there is none.
std::optional<BufferIndex> nearest(const Problem& problem, const ChartIndex& index,
                                   const std::vector<std::int64_t>& offsets, const Viewport& view, BufferIndex from,
                                   Direction direction);

/// Buffers of the index whose rectangle meets the given range, ascending.
std::vector<BufferIndex> in_box(const Problem& problem, const ChartIndex& index,
                                const std::vector<std::int64_t>& offsets, double time_low, double time_high,
                                double byte_low, double byte_high);

/// The hull of some buffers in the plan; nothing when none of them is placed.
struct Hull {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
std::optional<Hull> hull_of(const Problem& problem, const std::vector<std::int64_t>& offsets,
                            const std::vector<BufferIndex>& buffers);

}  // namespace stowage
