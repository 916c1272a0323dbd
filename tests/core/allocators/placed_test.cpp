#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/allocators/placed_by_time.h"
#include "core/base/random.h"
#include "core/search/placed_by_address.h"

using namespace stowage;

namespace {

Placed random_placed(Random& random, BufferIndex buffer, std::int32_t sections) {
  Placed placed;
  const std::int64_t length = random.uniform(0, 9) == 0 ? random.uniform(1, sections) : random.uniform(1, 40);
  placed.range.first = static_cast<std::int32_t>(random.uniform(0, sections - 1));
  placed.range.last = static_cast<std::int32_t>(std::min<std::int64_t>(sections, placed.range.first + length));
  placed.offset = random.uniform(0, 500);
  placed.end = placed.offset + random.uniform(1, 50);
  placed.buffer = buffer;
  return placed;
}

template <typename PlacedSet>
void check_by_address(PlacedSet& set, SectionRange range, const std::vector<Placed>& all) {
  std::set<BufferIndex> names;
  for (const Placed& placed : all) {
    if (placed.range.overlaps(range)) names.insert(placed.buffer);
  }
  std::set<BufferIndex> found;
  std::int64_t last = 0;
  set.by_address(range, [&](const Placed& placed) {
    CHECK(placed.offset >= last);
    last = placed.offset;
    found.insert(placed.buffer);
    return true;
  });
  CHECK(found == names);
  std::size_t seen = 0;
  set.by_address(range, [&](const Placed&) { return ++seen < 3; });
  CHECK(seen <= 3);
}

}  // namespace

TEST_CASE("placed buffers are found by time and by address exactly as by looking at all") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto sections = static_cast<std::int32_t>(random.uniform(1, 5000));
    PlacedByTime<Placed> by_time(static_cast<std::size_t>(sections));
    PlacedByAddress by_address;
    std::vector<Placed> all;
    for (BufferIndex i = 0; i < 700; ++i) {
      all.push_back(random_placed(random, i, sections));
      by_time.add(all.back());
      by_address.add(all.back());
      if (i % 20 != 0) continue;
      const SectionRange range = random_placed(random, 0, sections).range;
      check_by_address(by_time, range, all);
      check_by_address(by_address, range, all);
      std::vector<BufferIndex> once;
      by_time.overlapping(range, [&](const Placed& placed) { once.push_back(placed.buffer); });
      std::sort(once.begin(), once.end());
      CHECK(std::adjacent_find(once.begin(), once.end()) == once.end());
    }
  }
}
