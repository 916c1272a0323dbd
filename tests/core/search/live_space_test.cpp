#include "core/search/live_space.h"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/model/generate.h"
#include "core/search/load_profile.h"
#include "core/search/neighbourhood.h"
#include "core/search/sorted_blocks.h"

using namespace stowage;

namespace {

struct Number {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::int64_t key() const { return value; }
};

struct Weight {
  explicit Weight(std::span<const Number> items) {
    for (const Number& one : items) sum += one.weight;
  }
  std::int64_t sum = 0;
};

LiveBuffer random_buffer(Random& random) {
  LiveBuffer b;
  const std::int64_t length = std::int64_t{1} << random.uniform(0, 9);
  b.life.start = random.uniform(-300, 300);
  b.life.end = b.life.start + random.uniform(1, length);
  b.size = random.uniform(1, 40);
  b.grid = Grid{random.uniform(1, 8), 0};
  return b;
}

}  // namespace

TEST_CASE("sorted blocks: what a map would hold, and the sum of each block") {
  Random random(3);
  SortedBlocks<Number, Weight> blocks;
  std::map<std::int64_t, std::int64_t> known;
  for (int k = 0; k < 8'000; ++k) {
    // Grows to some thousand, and falls to nothing.
    const std::int64_t value = random.uniform(0, 3'000);
    const bool there = known.contains(value);
    CHECK((blocks.find(value) != nullptr) == there);
    if (there && (k > 5'000 || random.uniform(0, 2) == 0)) {
      blocks.remove(value);
      known.erase(value);
    } else if (there) {
      blocks.replace({value, k});
      known[value] = k;
    } else if (k < 5'000) {
      blocks.add({value, k});
      known[value] = k;
    }
    if (k % 200 != 0) continue;
    const std::int64_t from = random.uniform(-10, 3'010);
    std::vector<std::pair<std::int64_t, std::int64_t>> seen;
    blocks.visit_from(from, [&](const Number& one) {
      seen.emplace_back(one.value, one.weight);
      return seen.size() < 700;
    });
    std::vector<std::pair<std::int64_t, std::int64_t>> expected(known.lower_bound(from), known.end());
    expected.resize(std::min<std::size_t>(expected.size(), 700));
    CHECK(seen == expected);
    std::int64_t sum = 0;
    for (const Weight& block : blocks.summaries()) sum += block.sum;
    std::int64_t known_sum = 0;
    for (const auto& [key, weight] : known) known_sum += weight;
    CHECK(sum == known_sum);
  }
  for (const auto& [key, weight] : known) blocks.remove(key);
  CHECK(blocks.empty());
}

TEST_CASE("load profile: the highest sum of what is live, through additions and removals") {
  Random random(5);
  std::vector<LiveBuffer> there;
  LoadProfile profile;
  for (int k = 0; k < 1'500; ++k) {
    if (!there.empty() && random.uniform(0, k > 1'000 ? 1 : 4) == 0) {
      const auto at = static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(there.size()) - 1));
      profile.add(there[at].life.start, there[at].life.end, -there[at].size);
      there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      there.push_back(random_buffer(random));
      profile.add(there.back().life.start, there.back().life.end, there.back().size);
    }
    if (k % 25 != 0) continue;
    std::int64_t load = 0;
    for (const LiveBuffer& at : there) {
      std::int64_t sum = 0;
      for (const LiveBuffer& b : there) sum += b.life.start <= at.life.start && at.life.start < b.life.end ? b.size : 0;
      load = std::max(load, sum);
    }
    CHECK(profile.load() == load);
    std::vector<LoadProfile::Step> steps;
    for (const LiveBuffer& b : there) {
      steps.push_back({b.life.end, -b.size});
      steps.push_back({b.life.start, b.size});
    }
    LoadProfile anew;
    anew.fill(std::move(steps));
    CHECK(anew.load() == load);
  }
}

TEST_CASE("live space: who lives when, the free places and the highest, as found by looking at all") {
  Random random(7);
  std::vector<LiveBuffer> buffers;
  std::vector<BufferIndex> own;
  for (BufferIndex i = 0; i < 400; ++i) {
    buffers.push_back(random_buffer(random));
    own.push_back(i);
  }
  buffers[7].life = {kMinInt64, kMaxInt64};
  buffers[8].life = {kMinInt64, 0};
  buffers[9].life = {0, kMaxInt64};
  LiveSpace space(buffers, own);
  const auto any = [&] {
    return static_cast<BufferIndex>(random.uniform(0, 399));
  };
  for (int k = 0; k < 2'000; ++k) {
    CAPTURE(k);
    const BufferIndex i = any();
    const LiveBuffer& b = buffers[i];
    space.put(i, kNoOffset);
    if (k % 3 == 0) {
      space.remove(i);
      buffers[i] = random_buffer(random);
      space.add(i);
    }
    std::vector<BufferIndex> seen;
    space.visit_living(b.life, [&](const LiveSpace::Rectangle& one) { seen.push_back(one.buffer); });
    std::sort(seen.begin(), seen.end());
    std::vector<BufferIndex> expected;
    for (const BufferIndex j : own) {
      if (buffers[j].life.overlaps(b.life)) expected.push_back(j);
    }
    CHECK(seen == expected);
    const auto is_free = [&](std::int64_t offset) {
      return std::none_of(own.begin(), own.end(), [&](BufferIndex j) {
        const LiveBuffer& other = buffers[j];
        return other.offset != kNoOffset && other.life.overlaps(b.life) && other.offset < offset + b.size &&
               other.end() > offset;
      });
    };
    const std::int64_t at = random.uniform(0, 4'000);
    CHECK(space.is_free(i, at) == is_free(at));
    const std::int64_t capacity = random.uniform(10, 3'000);
    const auto gap = space.tightest(i, capacity);
    if (gap) {
      CHECK((*gap >= 0 && *gap + b.size <= capacity && b.grid.holds(*gap) && is_free(*gap)));
    } else {
      bool any_free = false;
      for (std::int64_t x = b.grid.up(0); x + b.size <= capacity; x += b.grid.step) any_free = any_free || is_free(x);
      CHECK_FALSE(any_free);
    }
    if (gap || random.uniform(0, 1) == 0) space.put(i, gap.value_or(b.grid.up(at)));
    std::int64_t highest = 0;
    for (const LiveBuffer& other : buffers) highest = std::max(highest, other.offset == kNoOffset ? 0 : other.end());
    CHECK(space.makespan() == std::max(highest, space.bound()));
    if (highest > 0) CHECK(buffers[space.highest()].end() == highest);
  }
}

TEST_CASE("live space: seen as a whole it has the sections of its problem") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Problem problem = make_problem(synthetic_family(20 + 10 * seed, seed)).value();
    std::vector<LiveBuffer> buffers;
    std::vector<BufferIndex> own;
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      LiveBuffer b;
      b.life = {problem[i].start, problem[i].end};
      b.size = problem[i].size;
      b.grid = problem.grid(i);
      buffers.push_back(b);
      own.push_back(i);
    }
    const LiveSpace space(buffers, own);
    const Instance whole = living_in(space, {kMinInt64, kMaxInt64});
    // Partitions follow each other; each counts its sections from nothing.
    std::size_t at = 0;
    std::int32_t before = 0;
    for (const Instance& part : instances_of(problem, 0)) {
      for (const Instance::Item& item : part.items) {
        REQUIRE(at < whole.items.size());
        CHECK(whole.items[at].buffer == item.buffer);
        CHECK(whole.items[at].first == before + item.first);
        CHECK(whole.items[at].last == before + item.last);
        ++at;
      }
      before += part.sections;
    }
    CHECK(at == whole.items.size());
    CHECK(before == whole.sections);
  }
}
