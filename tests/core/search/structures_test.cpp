// The data structures against their definitions.

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/search/failed_states.h"
#include "core/search/max_end_tree.h"
#include "core/search/niche_look.h"
#include "core/search/placed_by_address.h"
#include "core/search/range_max.h"

using namespace stowage;

TEST_CASE("max-end tree: finds what a scan of the prefix finds, after additions and removals") {
  for (const std::size_t items : {1U, 15U, 16U, 17U, 300U, 5'000U}) {
    CAPTURE(items);
    Random random(items);
    std::vector<std::int32_t> ends(items, 0);
    MaxEndTree tree(items);
    for (int step = 0; step < 2'000; ++step) {
      const auto item = static_cast<std::uint32_t>(random.uniform(0, static_cast<std::int64_t>(items) - 1));
      if (ends[item] != 0) {
        tree.remove(item);
        ends[item] = 0;
      } else {
        ends[item] = static_cast<std::int32_t>(random.uniform(1, 1'000));
        tree.add(item, ends[item]);
      }
      if (step % 20 != 0) continue;
      const auto prefix = static_cast<std::uint32_t>(random.uniform(0, static_cast<std::int64_t>(items)));
      const auto after = static_cast<std::int32_t>(random.uniform(0, 1'000));
      std::vector<std::uint32_t> found;
      std::vector<std::uint32_t> expected;
      tree.query(prefix, after, [&](std::uint32_t i) { found.push_back(i); });
      for (std::uint32_t i = 0; i < prefix; ++i) {
        if (ends[i] > after) expected.push_back(i);
      }
      CHECK(found == expected);
    }
    tree.clear();
    tree.query(static_cast<std::uint32_t>(items), 0, [](std::uint32_t) { FAIL_CHECK("something is left"); });
  }
}

TEST_CASE("range maximum: any range, by a scan") {
  Random random(3);
  std::vector<std::int64_t> values(1'000);
  for (std::int64_t& value : values) value = random.uniform(0, 1'000'000);
  const RangeMax most(values);
  for (int k = 0; k < 2'000; ++k) {
    const auto first = static_cast<std::int32_t>(random.uniform(0, 999));
    const auto last = static_cast<std::int32_t>(random.uniform(first + 1, 1'000));
    CHECK(most(first, last) == *std::max_element(values.begin() + first, values.begin() + last));
  }
}

TEST_CASE("placed by address: what was taken out is gone, equal offsets or not") {
  Random random(4);
  PlacedByAddress placed;
  std::vector<Placed> all;
  for (int step = 0; step < 3'000; ++step) {
    if (!all.empty() && random.uniform(0, 2) == 0) {
      const auto k = static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(all.size()) - 1));
      placed.remove(all[k].offset, all[k].buffer);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    } else {
      const auto first = static_cast<std::int32_t>(random.uniform(0, 50));
      const std::int64_t offset = random.uniform(0, 5);
      all.push_back({{first, first + 10}, offset, offset + 3, static_cast<BufferIndex>(step)});
      placed.add(all.back());
    }
    if (step % 50 != 0) continue;
    std::vector<BufferIndex> found;
    std::vector<BufferIndex> expected;
    placed.by_address({20, 30}, [&](const Placed& p) {
      found.push_back(p.buffer);
      return true;
    });
    for (const Placed& p : all) {
      if (p.range.overlaps({20, 30})) expected.push_back(p.buffer);
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

TEST_CASE("failed states: what is remembered was added, and few are forgotten while the table grows") {
  Random random(5);
  FailedStates failed;
  std::vector<StateKey> added;
  for (int k = 0; k < 20'000; ++k) {
    const StateKey key{random.next(), random.next()};
    CHECK(failed.find(key) == nullptr);
    failed.add(key, {k, k + 1});
    REQUIRE(failed.find(key) != nullptr);
    CHECK(failed.find(key)->first == k);
    added.push_back(key);
  }
  std::int32_t known = 0;
  for (std::int32_t k = 0; k < 20'000; ++k) {
    const SectionRange* looked = failed.find(added[static_cast<std::size_t>(k)]);
    if (looked == nullptr) continue;
    CHECK(*looked == SectionRange{k, k + 1});
    ++known;
  }
  CHECK(known > 10'000);
  CHECK(failed.find({added[0].low, added[0].high + 1}) == nullptr);
}

TEST_CASE("niche look: sees what a look at each section by itself sees") {
  Random random(6);
  constexpr std::int32_t kSections = 45;
  NicheLook<std::int16_t> look(kSections);
  NicheLook<std::int16_t> other(kSections);
  std::vector<std::int32_t> highest(kSections, -1);
  const auto draw = [&] {
    const auto first = static_cast<std::int32_t>(random.uniform(0, kSections - 1));
    return SectionRange{first, static_cast<std::int32_t>(random.uniform(first + 1, kSections))};
  };
  for (int step = 0; step < 3'000; ++step) {
    if (random.uniform(0, 9) == 0) {
      look.clear();
      std::fill(highest.begin(), highest.end(), -1);
    }
    const SectionRange where = draw();
    const std::int64_t to = random.uniform(0, 99);
    other.clear();
    other.add(where, static_cast<std::int16_t>(to));
    if (random.uniform(0, 1) == 0) {
      look.add(other);
    } else {
      look.add(where, static_cast<std::int16_t>(to));
    }
    for (std::int32_t s = where.first; s < where.last; ++s) {
      highest[static_cast<std::size_t>(s)] =
          std::max(highest[static_cast<std::size_t>(s)], static_cast<std::int32_t>(to));
    }
    const SectionRange asked = draw();
    const std::int64_t low = random.uniform(0, 99);
    const bool expected = std::any_of(highest.begin() + asked.first, highest.begin() + asked.last,
                                      [&](std::int32_t most) { return most >= low; });
    CHECK(look.sees(asked, static_cast<std::int16_t>(low)) == expected);
    for (std::int32_t s = 0; s < kSections; ++s) {
      if (highest[static_cast<std::size_t>(s)] < 0) continue;
      CHECK(look.hull().first <= s);
      CHECK(s < look.hull().last);
    }
  }
}
