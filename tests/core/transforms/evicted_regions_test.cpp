#include "core/transforms/evicted_regions.h"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace stowage;

namespace {

constexpr std::uint32_t kStorages = 40;

/// Somewhere before each a few others; whole numbers, so that sums in any order are equal.
std::vector<EvictedRegions::Link> random_links(Random& random) {
  std::vector<EvictedRegions::Link> links;
  for (std::uint32_t child = 1; child < kStorages; ++child) {
    for (std::int64_t k = random.uniform(0, 3); k > 0; --k) {
      links.emplace_back(static_cast<std::uint32_t>(random.uniform(child > 6 ? child - 6 : 0, child - 1)), child);
    }
  }
  return links;
}

double cost_of(std::uint32_t storage) {
  return 1 + storage % 7;
}

/// The same by spreading over all links until nothing more is reached.
double slow_around(const EvictedRegions& regions, const std::vector<EvictedRegions::Link>& links, std::uint32_t storage,
                   std::size_t sides) {
  double cost = cost_of(storage);
  for (std::size_t side = 0; side < sides; ++side) {
    std::vector<bool> reached(kStorages, false);
    reached[storage] = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [parent, child] : links) {
        const std::uint32_t from = side == EvictedRegions::kAncestors ? child : parent;
        const std::uint32_t to = side == EvictedRegions::kAncestors ? parent : child;
        if (!reached[from] || reached[to] || !regions.evicted(to)) continue;
        reached[to] = true;
        cost += cost_of(to);
        grows = true;
      }
    }
  }
  return cost;
}

}  // namespace

TEST_CASE("evicted regions: what is remembered of a sum is what a walk finds, whoever goes and comes back") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<EvictedRegions::Link> links = random_links(random);
    const std::size_t sides = 1 + seed % 2;
    EvictedRegions regions(kStorages, links, sides);
    for (std::uint32_t made = 0; made < kStorages; ++made) {
      for (const std::uint32_t parent : regions.near(made, EvictedRegions::kAncestors)) {
        if (!regions.resident(parent)) regions.make(parent, cost_of(parent));
      }
      regions.make(made, cost_of(made));
      for (int k = 0; k < 6; ++k) {
        const auto storage = static_cast<std::uint32_t>(random.uniform(0, made));
        if (regions.evicted(storage)) {
          regions.make(storage, cost_of(storage));
        } else {
          regions.evict(storage);
        }
        const auto asked = static_cast<std::uint32_t>(random.uniform(0, made));
        if (!regions.resident(asked)) continue;
        const double expected = slow_around(regions, links, asked, sides);
        CHECK(regions.at_least(asked) <= expected);
        const auto enough = static_cast<double>(random.uniform(1, 60));
        CHECK((regions.around(asked, enough) > enough) == (expected > enough));
        CHECK(regions.at_least(asked) <= expected);
        if (random.uniform(0, 1) == 0) {
          CHECK(regions.around(asked, std::numeric_limits<double>::infinity()) == expected);
        }
      }
    }
  }
}
