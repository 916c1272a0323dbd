// Greedy placement under a hard capacity and what is built on it.

#include "core/search/large_fit.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/model/generate_puzzles.h"
#include "core/search/core_first.h"
#include "core/search/descent.h"
#include "core/search/item_order.h"
#include "core/search/window_repair.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Below the capacity, on its grid, at its pin, and clear of all others.
void check_offsets(const Instance& instance, const std::vector<std::int64_t>& offsets, std::int64_t capacity) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Instance::Item& a = instance.items[i];
    if (offsets[i] == kNoOffset) continue;
    CHECK(offsets[i] >= 0);
    CHECK(offsets[i] <= capacity - a.size);
    CHECK((a.is_fixed() ? offsets[i] == a.fixed : a.grid.holds(offsets[i])));
    for (std::size_t j = 0; j < i; ++j) {
      const Instance::Item& b = instance.items[j];
      if (offsets[j] == kNoOffset || !a.overlaps(b)) continue;
      CHECK((offsets[i] >= offsets[j] + b.size || offsets[j] >= offsets[i] + a.size));
    }
  }
}

/// The lowest free offset below the capacity, by trying them all.
std::int64_t lowest_by_trial(const Instance& instance, const std::vector<std::int64_t>& offsets, std::size_t i,
                             std::int64_t capacity) {
  const Instance::Item& item = instance.items[i];
  for (std::int64_t at = 0; at + item.size <= capacity; ++at) {
    bool is_free = item.grid.holds(at);
    for (std::size_t j = 0; j < offsets.size() && is_free; ++j) {
      const Instance::Item& other = instance.items[j];
      if (offsets[j] == kNoOffset || !item.overlaps(other)) continue;
      is_free = at >= offsets[j] + other.size || offsets[j] >= at + item.size;
    }
    if (is_free) return at;
  }
  return kNoOffset;
}

Instance largest_instance(const Problem& problem) {
  std::vector<Instance> instances = instances_of(problem, 0);
  return *std::max_element(instances.begin(), instances.end(),
                           [](const Instance& a, const Instance& b) { return a.items.size() < b.items.size(); });
}

void check_attempts_at_load(const ProblemInput& input, std::int64_t load) {
  const Instance instance = largest_instance(make_problem(input).value());
  REQUIRE(instance.bound() == load);
  for (std::size_t attempt = 0; attempt < 8; ++attempt) {
    CAPTURE(attempt);
    LargeFit greedy(instance, 1);
    greedy.attempt(attempt, load, 1'000, RunContext());
    check_offsets(instance, *greedy.complete(), kMaxInt64);
  }
}

}  // namespace

TEST_CASE("large fit: what the full stretches decide keeps clear of pins that lie outside of them") {
  ProblemInput input;
  input.add("full", buffer(0, 2, 7));
  input.add("long", buffer(0, 80, 3));  // with "full" in a full stretch, and at its bottom
  input.add("pin", buffer(60, 80, 3));
  input.buffers.back().fixed = 0;
  for (std::int64_t k = 2; k < 60; k += 2) input.add(fmt::format("{}", k), buffer(k, k + 2, 1));
  check_attempts_at_load(input, 10);
}

TEST_CASE("large fit: what two full stretches decide keeps clear of each other between them") {
  ProblemInput input;
  input.add("full", buffer(0, 2, 7));
  input.add("from the first", buffer(0, 50, 3));  // both fill their stretch, and lie at its bottom
  input.add("to the second", buffer(40, 82, 3));
  input.add("full again", buffer(80, 82, 7));
  for (std::int64_t k = 2; k < 80; k += 2) input.add(fmt::format("{}", k), buffer(k, k + 2, 1));
  check_attempts_at_load(input, 10);
}

TEST_CASE("hard fit: first fit finds the lowest place below the capacity, or none, for both of its structures") {
  int many = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.alignments = seed % 2 == 0;
    shape.fixed = seed % 3 == 0;
    shape.buffers = 40;
    for (const Instance& instance : instances_of(random_problem(seed, shape), 0)) {
      HardFit fit(instance);
      many += fit.many_live() ? 1 : 0;
      const std::int64_t capacity = instance.bound() * 11 / 10;
      for (std::uint32_t i = 0; i < instance.items.size(); ++i) {
        if (instance.items[i].is_fixed()) continue;
        const std::int64_t expected = lowest_by_trial(instance, fit.offsets(), i, capacity);
        CHECK(fit.place(i, capacity, HardFit::Rule::kFirst) == (expected != kNoOffset));
        CHECK(fit.offsets()[i] == expected);
        none += expected == kNoOffset ? 1 : 0;
        if (i % 4 == 0 && fit.is_placed(i)) fit.remove(i);
      }
      check_offsets(instance, fit.offsets(), capacity);
    }
  }
  CHECK(many > 0);
  CHECK(none > 0);
}

TEST_CASE("hard fit: best fit takes the tightest gap, the one below the capacity among them") {
  ProblemInput input;
  input.add("low", buffer(0, 4, 2));
  input.add("high", buffer(0, 4, 2));
  input.add("new", buffer(0, 4, 2));
  const Instance instance = largest_instance(make_problem(input).value());
  HardFit fit(instance);
  fit.put(0, 0);
  fit.put(1, 5);  // units of 2 bytes: gaps of 4 units, and below the capacity of 8 one of 2
  CHECK(instance.unit == 2);
  CHECK(fit.find(2, 8, HardFit::Rule::kFirst) == 1);
  CHECK(fit.find(2, 7, HardFit::Rule::kBest) == 6);
}

TEST_CASE("item orders: letters in turn, larger first, last by item") {
  const Instance instance = largest_instance(make_problem(synthetic_family(300, 2)).value());
  const auto fullest = [&](const Instance::Item& item) {
    return *std::max_element(instance.loads.begin() + item.first, instance.loads.begin() + item.last);
  };
  const std::vector<std::uint32_t> order = item_order(instance, "TW");
  REQUIRE(order.size() == instance.items.size());
  for (std::size_t k = 1; k < order.size(); ++k) {
    const Instance::Item& a = instance.items[order[k - 1]];
    const Instance::Item& b = instance.items[order[k]];
    const auto key = [&](const Instance::Item& item, std::uint32_t i) {
      return std::tuple(-fullest(item), item.first - item.last, i);
    };
    CHECK(key(a, order[k - 1]) < key(b, order[k]));
  }
  const std::vector<std::uint32_t> by_size = item_order(instance, "Z");
  CHECK(instance.items[by_size.front()].size >= instance.items[by_size.back()].size);
}

TEST_CASE("item orders: B goes by fullness in steps, far sooner when large; S by the start") {
  const Instance instance = largest_instance(make_problem(synthetic_family(300, 2)).value());
  const std::int64_t load = instance.bound();
  const auto steps = [&](std::uint32_t i) {
    const Instance::Item& item = instance.items[i];
    const std::int64_t fullest =
        *std::max_element(instance.loads.begin() + item.first, instance.loads.begin() + item.last);
    return 32 * fullest / load + 8 * (32 * item.size / load);
  };
  const std::vector<std::uint32_t> order = item_order(instance, "BS");
  REQUIRE(order.size() == instance.items.size());
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto key = [&](std::uint32_t i) {
      return std::tuple(-steps(i), instance.items[i].first, i);
    };
    CHECK(key(order[k - 1]) < key(order[k]));
  }
}

TEST_CASE("hard fit: what is placed and live in some sections, by rising offset, for both of its structures") {
  for (const std::size_t buffers : {std::size_t{300}, std::size_t{1'000}}) {
    const Instance instance = largest_instance(make_problem(synthetic_family(buffers, 1)).value());
    HardFit fit(instance);
    CHECK(fit.many_live() == (buffers == 300));
    for (std::uint32_t i = 0; i < instance.items.size(); i += 2) fit.place(i, kMaxInt64, HardFit::Rule::kFirst);
    const SectionRange some{40, 52};
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < instance.items.size(); i += 2) {
      if (some.overlaps({instance.items[i].first, instance.items[i].last})) expected.push_back(i);
    }
    std::vector<std::uint32_t> met;
    fit.meeting(some, met);
    CHECK(std::is_sorted(met.begin(), met.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return fit.offsets()[a] < fit.offsets()[b]; }));
    std::sort(met.begin(), met.end());
    CHECK(met == expected);
  }
}

TEST_CASE("core first: the fullest stretches are placed below the capacity, all that touches them and nothing else") {
  const Instance instance = largest_instance(make_problem(synthetic_family(3'000, 3)).value());
  const std::int64_t capacity = instance.bound();
  const auto core = solve_core(instance, capacity, 0.97, 1, 100'000, RunContext());
  REQUIRE_FALSE(core.empty());
  CHECK(core.size() < instance.items.size() / 2);
  std::vector<std::int64_t> offsets(instance.items.size(), kNoOffset);
  for (const auto& [item, offset] : core) offsets[item] = offset;
  check_offsets(instance, offsets, capacity);
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const Instance::Item& item = instance.items[i];
    const std::int64_t most =
        *std::max_element(instance.loads.begin() + item.first, instance.loads.begin() + item.last);
    if (static_cast<double>(most) >= 0.97 * static_cast<double>(capacity)) CHECK(offsets[i] != kNoOffset);
  }
  CHECK(solve_core(instance, capacity, 0.97, 1, 0, RunContext()).empty());
}

TEST_CASE("core first: what is live through a whole stretch goes to its bottom, the longest lowest") {
  // Hundreds that are live for long around a full stretch, more than a search would take, and little inside it.
  ProblemInput input;
  constexpr std::int64_t kLong = 300;
  for (std::int64_t k = 0; k < kLong; ++k) input.add(fmt::format("long{}", k), buffer(k, 2 * kLong + 100 - k, 10));
  for (std::int64_t k = 0; k < 50; ++k) {
    input.add(fmt::format("short{}", k), buffer(kLong + 2 * k, kLong + 2 * k + 2, 100 + k % 7));
  }
  const Instance instance = largest_instance(make_problem(std::move(input)).value());
  const std::int64_t capacity = instance.bound();
  const auto core = solve_core(instance, capacity, 0.999, 1, 1'000, RunContext());
  REQUIRE(core.size() > static_cast<std::size_t>(kLong));
  std::vector<std::int64_t> offsets(instance.items.size(), kNoOffset);
  for (const auto& [item, offset] : core) offsets[item] = offset;
  check_offsets(instance, offsets, capacity);
  constexpr std::size_t kThrough = kLong - 10;  // the last of them begin in its margin
  for (std::size_t i = 1; i < kThrough; ++i) CHECK(offsets[i] > offsets[i - 1]);
  LargeFit fit(instance, 1);
  CHECK(fit.attempt(0, capacity, 0, RunContext()));
}

TEST_CASE("window repair: never leaves more bytes without a place, and keeps what is placed sound") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const Instance instance = largest_instance(make_problem(synthetic_family(1'000, seed)).value());
    const std::int64_t capacity = instance.bound() * 101 / 100;
    HardFit fit(instance);
    std::vector<std::uint32_t> failed;
    const std::vector<std::uint32_t> order = item_order(instance, "TZ");
    std::vector<std::uint32_t> ranks(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      ranks[order[k]] = k;
      if (!fit.place(order[k], capacity, HardFit::Rule::kFirst)) failed.push_back(order[k]);
    }
    const auto bytes = [&](const std::vector<std::uint32_t>& items) {
      std::int64_t sum = 0;
      for (const std::uint32_t i : items) sum += instance.items[i].size;
      return sum;
    };
    const std::int64_t before = bytes(failed);
    WindowRepair repair(instance, fit, capacity, ranks, failed, std::vector<bool>(ranks.size(), false), seed);
    const bool done = repair.go_on(200'000, RunContext());
    CHECK(done == repair.failed().empty());
    CHECK(bytes(repair.failed()) <= before);
    std::size_t without = 0;
    for (const std::int64_t offset : fit.offsets()) without += offset == kNoOffset ? 1U : 0U;
    CHECK(without == repair.failed().size());
    check_offsets(instance, fit.offsets(), capacity);
  }
}

TEST_CASE("large fit: the synthetic family at its load; what has no place lies above") {
  int at_load = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const Instance instance = largest_instance(make_problem(synthetic_family(2'000, seed)).value());
    LargeFit fit(instance, seed);
    for (std::size_t number = 0; number < 3; ++number) {
      const bool found = fit.attempt(number, instance.bound(), 100'000, RunContext());
      const auto offsets = fit.complete();
      REQUIRE(offsets);
      CHECK(std::count(offsets->begin(), offsets->end(), kNoOffset) == 0);
      check_offsets(instance, *offsets, instance.height(*offsets));
      CHECK((instance.height(*offsets) == instance.bound()) == found);
      at_load += found ? 1 : 0;
      if (found) break;
    }
  }
  CHECK(at_load >= 4);
}

TEST_CASE("window repair: solving what is full around an item finds places that shaking does not") {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Instance instance = largest_instance(make_problem(synthetic_family(3'000, seed)).value());
    const std::int64_t capacity = instance.bound();
    HardFit fit(instance);
    REQUIRE_FALSE(fit.many_live());
    std::vector<std::uint32_t> failed;
    const std::vector<std::uint32_t> order = item_order(instance, "BS");
    std::vector<std::uint32_t> ranks(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      ranks[order[k]] = k;
      if (!fit.place(order[k], capacity, HardFit::Rule::kFirst)) failed.push_back(order[k]);
    }
    WindowRepair repair(instance, fit, capacity, ranks, failed, std::vector<bool>(ranks.size(), false), seed);
    solved += repair.go_on(200'000, RunContext()) ? 1 : 0;
    check_offsets(instance, fit.offsets(), capacity);
    CHECK(static_cast<std::size_t>(std::count(fit.offsets().begin(), fit.offsets().end(), kNoOffset)) ==
          repair.failed().size());
  }
  CHECK(solved >= 8);
}

TEST_CASE("descent: comes down to the load of a tiling, and its bound is never above a plan") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Instance instance = largest_instance(make_problem(tiling_family(40, 60, 900, random.next())).value());
    LargeFit greedy(instance, seed);
    greedy.attempt(0, instance.bound(), 0, RunContext());
    Descent descent(instance, *greedy.complete(), seed);
    std::int64_t height = descent.height();
    for (std::int64_t nodes = 500; !descent.optimal() && nodes < 1'000'000; nodes *= 2) {
      for (std::size_t member = 0; member < Descent::kMembers; ++member) {
        descent.take(descent.search(member, descent.wish(0, std::nullopt, nodes), RunContext()));
      }
      CHECK(descent.height() <= height);
      CHECK(descent.lower() <= descent.height());
      height = descent.height();
    }
    CHECK(descent.height() == instance.bound());
    check_offsets(instance, descent.offsets(), descent.height());
  }
}
