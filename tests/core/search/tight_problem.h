#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// A problem of so many buffers in which every section is filled to exactly the load: no room is left for a mistake,
/// and now and then nothing fits under the load at all. Nothing when the draw came out with another number of buffers.
inline std::optional<ProblemInput> tight_problem(Random& random, std::size_t buffers) {
  const std::int64_t load = random.uniform(6, 60);
  const auto sections = static_cast<std::size_t>(random.uniform(3, static_cast<std::int64_t>(buffers) * 2 / 3 + 3));
  std::vector<std::int64_t> room(sections, load);
  ProblemInput input;
  std::size_t at = 0;
  while (at < sections) {
    if (room[at] == 0) {
      ++at;
      continue;
    }
    if (input.buffers.size() == buffers) return std::nullopt;
    const auto longest = static_cast<std::size_t>(random.uniform(1, static_cast<std::int64_t>(sections - at)));
    std::size_t end = at;
    std::int64_t most = std::min(room[at], std::max<std::int64_t>(1, load * 2 / 3));
    while (end < at + longest && room[end] > 0) most = std::min(most, room[end++]);
    Buffer buffer;
    buffer.start = static_cast<std::int64_t>(at);
    buffer.end = static_cast<std::int64_t>(end);
    buffer.size = random.uniform(0, 3) == 0 ? most : random.uniform(1, most);
    for (std::size_t s = at; s < end; ++s) room[s] -= buffer.size;
    input.add(fmt::format("b{}", input.buffers.size()), buffer);
  }
  if (input.buffers.size() != buffers) return std::nullopt;
  return input;
}

/// Rectangles that fill a time x address rectangle exactly, by random cuts and pinwheels, in shuffled rows: the lowest
/// plan is as high as the load. `buffers` is reached or passed by up to four.
///
///   +---+-----+    a pinwheel: no cut goes through, so no greedy order that
///   |   +--+--+    looks at one rectangle at a time has to find it
///   +---+  |  |
///   |   +--+  |
///   +------+--+
inline ProblemInput tiling(Random& random, std::size_t buffers, std::int64_t width, std::int64_t height) {
  struct Tile {
    std::int64_t left, right, low, high;
    std::int64_t area() const { return (right - left) * (high - low); }
  };
  std::vector<Tile> tiles = {{0, width, 0, height}};
  for (int tries = 0; tiles.size() < buffers && tries < 1000; ++tries) {
    std::size_t chosen = 0;  // one of the larger ones
    for (int k = 0; k < 3; ++k) {
      const auto other = static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(tiles.size()) - 1));
      if (k == 0 || tiles[other].area() > tiles[chosen].area()) chosen = other;
    }
    const Tile t = tiles[chosen];
    const std::int64_t w = t.right - t.left;
    const std::int64_t h = t.high - t.low;
    if (w >= 3 && h >= 3 && random.uniform(0, 3) == 0) {
      const std::int64_t x1 = random.uniform(t.left + 1, t.right - 2);
      const std::int64_t x2 = random.uniform(x1 + 1, t.right - 1);
      const std::int64_t y1 = random.uniform(t.low + 1, t.high - 2);
      const std::int64_t y2 = random.uniform(y1 + 1, t.high - 1);
      tiles[chosen] = {t.left, x2, t.low, y1};
      tiles.push_back({x2, t.right, t.low, y2});
      tiles.push_back({x1, t.right, y2, t.high});
      tiles.push_back({t.left, x1, y1, t.high});
      tiles.push_back({x1, x2, y1, y2});
    } else if (w >= 2 && (h < 2 || random.uniform(0, 1) == 0)) {
      const std::int64_t x = random.uniform(t.left + 1, t.right - 1);
      tiles[chosen].right = x;
      tiles.push_back({x, t.right, t.low, t.high});
    } else if (h >= 2) {
      const std::int64_t y = random.uniform(t.low + 1, t.high - 1);
      tiles[chosen].high = y;
      tiles.push_back({t.left, t.right, y, t.high});
    }
  }
  for (std::size_t k = tiles.size(); k > 1; --k) {
    std::swap(tiles[k - 1], tiles[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(k) - 1))]);
  }
  ProblemInput input;
  for (const Tile& tile : tiles) {
    Buffer buffer;
    buffer.start = tile.left;
    buffer.end = tile.right;
    buffer.size = tile.high - tile.low;
    input.add(fmt::format("b{}", input.buffers.size()), buffer);
  }
  return input;
}

}  // namespace stowage::testing
