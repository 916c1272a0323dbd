#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/integers.h"
#include "core/model/problem.h"

namespace stowage {

/// Where something that a hand moves comes to rest.
struct Snapped {
  std::int64_t at = 0;
  std::optional<std::int64_t> edge;  // the edge of a neighbour that it rests on
  bool operator==(const Snapped&) const = default;
};

/// A time: on the nearest of the edges that are within `reach` steps, else on the nearest whole step. With a reach of 0
/// only whole steps count.
Snapped snap_time(double time, double reach, std::span<const std::int64_t> edges);

/// The offset of something `size` bytes high: its lower end on an edge, or its upper end below one, when that moves it
/// by at most `reach` bytes; else the nearest offset that the grid allows. Address 0 counts as an edge, and nothing
/// goes below it. With a reach of 0 any byte will do, whatever the grid says.
Snapped snap_offset(double offset, std::int64_t size, const Grid& grid, double reach,
                    std::span<const std::int64_t> edges);

/// A size: a multiple of the largest power of two that is at most `reach` bytes, at least one of them; with a reach
/// below 2 any number of bytes from 1 on.
std::int64_t snap_size(double size, double reach);

/// Those of `others` that a buffer would collide with at an offset, where the others lie at `offsets` (kNoOffset: not
/// placed). Buffers listed in `along` move with it and are left out.
std::vector<BufferIndex> collisions_at(const Problem& problem, std::span<const std::int64_t> offsets,
                                       BufferIndex buffer, std::int64_t offset, std::span<const BufferIndex> others,
                                       std::span<const BufferIndex> along = {});

/// The lowest offset at which a buffer collides with none of `others`.
std::int64_t lowest_free_offset(const Problem& problem, std::span<const std::int64_t> offsets, BufferIndex buffer,
                                std::span<const BufferIndex> others);

}  // namespace stowage
