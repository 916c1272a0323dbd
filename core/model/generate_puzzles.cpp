#include "core/model/generate_puzzles.h"

#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"

namespace stowage {
namespace {

struct Tile {
  std::int64_t left = 0;
  std::int64_t right = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  double area() const { return static_cast<double>(right - left) * static_cast<double>(high - low); }
};

std::size_t any_of(Random& random, const std::vector<Tile>& tiles) {
  return static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(tiles.size()) - 1));
}

/// Five tiles around a middle one.
void cut_pinwheel(Random& random, std::vector<Tile>& tiles, std::size_t chosen) {
  const Tile t = tiles[chosen];
  const std::int64_t x1 = random.uniform(t.left + 1, t.right - 2);
  const std::int64_t x2 = random.uniform(x1 + 1, t.right - 1);
  const std::int64_t y1 = random.uniform(t.low + 1, t.high - 2);
  const std::int64_t y2 = random.uniform(y1 + 1, t.high - 1);
  tiles[chosen] = {t.left, x2, t.low, y1};
  tiles.push_back({x2, t.right, t.low, y2});
  tiles.push_back({x1, t.right, y2, t.high});
  tiles.push_back({t.left, x1, y1, t.high});
  tiles.push_back({x1, x2, y1, y2});
}

void cut(Random& random, std::vector<Tile>& tiles, std::size_t chosen) {
  const Tile t = tiles[chosen];
  const std::int64_t width = t.right - t.left;
  const std::int64_t height = t.high - t.low;
  if (width >= 3 && height >= 3 && random.uniform(0, 3) == 0) {
    cut_pinwheel(random, tiles, chosen);
  } else if (width >= 2 && (height < 2 || random.uniform(0, 1) == 0)) {
    const std::int64_t x = random.uniform(t.left + 1, t.right - 1);
    tiles[chosen].right = x;
    tiles.push_back({x, t.right, t.low, t.high});
  } else if (height >= 2) {
    const std::int64_t y = random.uniform(t.low + 1, t.high - 1);
    tiles[chosen].high = y;
    tiles.push_back({t.left, t.right, y, t.high});
  }
}

void add(ProblemInput& input, std::int64_t start, std::int64_t end, std::int64_t size) {
  Buffer buffer;
  buffer.start = start;
  buffer.end = end;
  buffer.size = size;
  input.add(fmt::format("b{}", input.buffers.size()), buffer);
}

}  // namespace

ProblemInput tiling_family(std::size_t buffers, std::int64_t width, std::int64_t height, std::uint64_t seed) {
  Random random(seed);
  std::vector<Tile> tiles = {{0, width, 0, height}};
  const std::size_t most_cuts = 100 * buffers;  // a rectangle of few cells cannot be cut so often
  for (std::size_t cuts = 0; tiles.size() < buffers && cuts < most_cuts; ++cuts) {
    std::size_t chosen = any_of(random, tiles);
    for (int k = 0; k < 2; ++k) {  // rather one of the larger ones
      const std::size_t other = any_of(random, tiles);
      if (tiles[other].area() > tiles[chosen].area()) chosen = other;
    }
    cut(random, tiles, chosen);
  }
  for (std::size_t k = tiles.size(); k > 1; --k) {
    std::swap(tiles[k - 1], tiles[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(k) - 1))]);
  }
  ProblemInput input;
  input.name = fmt::format("tiling-{}-{}", buffers, seed);
  for (const Tile& tile : tiles) add(input, tile.left, tile.right, tile.high - tile.low);
  return input;
}

ProblemInput staircase_family(std::size_t buffers, std::uint64_t seed) {
  constexpr std::int64_t kStep = 4;
  constexpr std::int64_t kLife = 60;
  Random random(seed);
  ProblemInput input;
  input.name = fmt::format("staircase-{}-{}", buffers, seed);
  for (std::size_t k = 0; k < buffers; ++k) {
    const std::int64_t start = kStep * static_cast<std::int64_t>(k) + random.uniform(0, kStep - 1);
    add(input, start, start + kLife + random.uniform(-8, 8), random.uniform(1'000, 20'000));
  }
  return input;
}

ProblemInput uniform_family(std::size_t buffers, std::uint64_t seed) {
  Random random(seed);
  ProblemInput input;
  input.name = fmt::format("uniform-{}-{}", buffers, seed);
  const auto horizon = static_cast<std::int64_t>(2 * buffers);
  for (std::size_t k = 0; k < buffers; ++k) {
    const std::int64_t start = random.uniform(0, horizon - 2);
    add(input, start, random.uniform(start + 1, horizon - 1), random.uniform(1, 1'000'000));
  }
  return input;
}

}  // namespace stowage
