#include "core/search/instance.h"

#include <doctest/doctest.h>

#include "core/model/conflicts.h"
#include "core/search/niche_tables.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("an instance has the conflicts of its buffers, and its sections their loads") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.spaces = seed % 2 == 0;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    std::size_t items = 0;
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      std::int64_t load = 0;
      for (const Instance& instance : instances_of(problem, space)) {
        items += instance.items.size();
        load = std::max(load, instance.bound() * instance.unit);
        for (const Instance::Item& a : instance.items) {
          CHECK(problem[a.buffer].space == space);
          CHECK(a.size * instance.unit == problem[a.buffer].size);
          for (const Instance::Item& b : instance.items) {
            if (&a != &b) CHECK(a.overlaps(b) == conflict(problem, a.buffer, b.buffer));
          }
        }
      }
      CHECK(load == problem.sections().load_of_space(space));
    }
    std::size_t takers = 0;
    for (const Buffer& b : problem.buffers()) takers += b.takes_memory() ? 1U : 0U;
    CHECK(items == takers);
  }
}

TEST_CASE("an instance counts in the greatest common divisor of sizes, alignments and pins") {
  ProblemInput input;
  input.spaces[0].base = 8;
  input.add("a", buffer(0, 4, 24, 12));
  Buffer pin = buffer(1, 3, 36);
  pin.fixed = 40;
  input.add("pin", pin);
  const std::vector<Instance> instances = instances_of(make_problem(input).value(), 0);
  REQUIRE(instances.size() == 1);
  CHECK(instances[0].unit == 4);
  CHECK_FALSE(instances[0].plain);
  CHECK(instances[0].items[0].size == 6);
  CHECK(instances[0].items[0].grid.step == 3);
  CHECK(instances[0].items[0].grid.phase == 1);  // 4 more make 12
  CHECK(instances[0].bound() == 19);             // the end of the pin
}

TEST_CASE("only sections with an arrival count") {
  ProblemInput input;
  input.add("long", buffer(0, 9, 1));
  input.add("first", buffer(0, 3, 1));
  input.add("second", buffer(1, 5, 1));
  input.add("late", buffer(6, 9, 1));
  const std::vector<Instance> instances = instances_of(make_problem(input).value(), 0);
  REQUIRE(instances.size() == 1);
  CHECK(instances[0].sections == 2);  // {long, first, second} and {long, late}
}

TEST_CASE("niche tables: live sets, neighbours, hulls and twins by definition") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.largest = 3;
    shape.horizon = 8;
    for (const Instance& instance : instances_of(random_problem(seed, shape), 0)) {
      const NicheTables tables(instance);
      std::int64_t pairs = 0;
      for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
        const Instance::Item& item = instance.items[i];
        std::vector<std::uint32_t> met;
        SectionRange hull{item.first, item.last};
        std::uint32_t twin = i;
        for (std::uint32_t j = 0; j < instance.items.size(); ++j) {
          const Instance::Item& other = instance.items[j];
          if (i != j && item.overlaps(other)) {
            met.push_back(j);
            hull = {std::min(hull.first, other.first), std::max(hull.last, other.last)};
          }
          if (j < twin && item.same_as(other)) twin = j;
        }
        CHECK(std::vector<std::uint32_t>(tables.overlaps[i].begin(), tables.overlaps[i].end()) == met);
        CHECK(tables.hulls[i] == hull);
        CHECK(tables.twins[i] == twin);
        pairs += static_cast<std::int64_t>(met.size());
      }
      CHECK(overlapping_pairs(instance) == pairs);
      for (std::int32_t s = 0; s < instance.sections; ++s) {
        std::vector<std::uint32_t> live;
        for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
          if (instance.items[i].first <= s && s < instance.items[i].last) live.push_back(i);
        }
        const auto listed = tables.live[static_cast<std::size_t>(s)];
        CHECK(std::vector<std::uint32_t>(listed.begin(), listed.end()) == live);
      }
    }
  }
}
