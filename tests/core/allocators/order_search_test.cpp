// The searches over orders: never worse than where they begin, the same again with the same seed, and a state that
// places after each move what placing everything anew would give.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/order_state.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr const char* kSearches[] = {"greedy-by-conflicts", "hill-climb", "simulated-annealing", "tabu", "genetic"};

Problem any_problem(std::uint64_t seed) {
  RandomShape shape;
  shape.alignments = seed % 2 == 0;
  shape.fixed = seed % 3 == 0;
  shape.gaps = seed % 4 == 0;
  shape.spaces = seed % 5 == 0;
  shape.empty_ones = seed % 7 == 0;
  return random_problem(seed, shape);
}

std::int64_t makespan_of(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  std::int64_t highest = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) highest = std::max(highest, offsets[i] + problem[i].size);
  }
  return highest;
}

/// The rule by its words: the buffer with the lowest floor comes next, of several the first in the order.
std::vector<std::int64_t> places_of(const Problem& problem, std::span<const BufferIndex> order) {
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].is_fixed() && problem[i].takes_memory()) offsets[i] = problem[i].fixed;
  }
  const auto is_free = [&](BufferIndex i, std::int64_t at) {
    for (BufferIndex other = 0; other < problem.size(); ++other) {
      if (offsets[other] == kNoOffset) continue;
      const auto below = effective_size(problem, i, other);
      const auto above = effective_size(problem, other, i);
      if (below && at > offsets[other] - *below && at < offsets[other] + *above) return false;
    }
    return true;
  };
  std::vector<std::int64_t> floors(problem.size(), 0);
  std::vector<BufferIndex> left(order.begin(), order.end());
  while (!left.empty()) {
    for (const BufferIndex i : left) {
      floors[i] = problem.grid(i).up(floors[i]);
      while (!is_free(i, floors[i])) floors[i] = problem.grid(i).up(floors[i] + 1);
    }
    const auto next =
        std::min_element(left.begin(), left.end(), [&](BufferIndex a, BufferIndex b) { return floors[a] < floors[b]; });
    offsets[*next] = floors[*next];
    left.erase(next);
  }
  return offsets;
}

}  // namespace

TEST_CASE("order state: after every move, made or refused or taken back, it is where the order leads") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Problem problem = any_problem(seed);
    OrderState state(problem, make_order(problem, "size").value());
    REQUIRE(state.fits());
    if (state.size() < 2) continue;
    const std::int64_t target = measure(problem).lower_bound;
    state.aim_at(target);
    Random random(seed);
    const auto last = static_cast<std::int64_t>(state.size()) - 1;
    for (int k = 0; k < 60; ++k) {
      const OrderMove move{static_cast<std::size_t>(random.uniform(0, last)),
                           static_cast<std::size_t>(random.uniform(0, last))};
      const bool strict = random.uniform(0, 1) == 0;
      const std::int64_t present = state.excess();
      const bool made =
          state.move(move, strict ? static_cast<double>(present) : std::numeric_limits<double>::infinity());
      CHECK((made || strict));
      if (made && strict) CHECK(state.excess() <= present);
      if (made && random.uniform(0, 3) == 0) {
        state.undo();
        CHECK(state.excess() == present);
      }
      const std::vector<std::int64_t> expected = places_of(problem, state.order());
      double excess = 0;
      for (const BufferIndex i : state.order()) {
        REQUIRE(state.offset(i) == expected[i]);
        excess += std::max(0.0, state.in_units(expected[i] + problem[i].size) - std::floor(state.in_units(target)));
      }
      CHECK(static_cast<double>(state.excess()) == excess);
      CHECK(state.makespan() == makespan_of(problem, expected));
    }
  }
}

TEST_CASE("order state: first fit in the order of the places reaches no higher, where there are no gaps") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Problem problem = any_problem(seed);
    if (problem.has_gaps()) continue;
    const OrderState state(problem, make_order(problem, "start").value());
    std::vector<BufferIndex> order(state.sequence().begin(), state.sequence().end());
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (!state.is_movable(i)) order.push_back(i);
    }
    RunContext context;
    const auto placed = place_in_order(problem, order, FitRule::kFirst, context);
    REQUIRE(placed);
    for (const BufferIndex i : state.sequence()) CHECK(placed->offsets[i] <= state.offset(i));
  }
}

TEST_CASE("greedy by conflicts: with one order it is first fit by conflicts") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Problem problem = any_problem(seed);
    RunContext context;
    const auto one = run_allocator(*find_allocator("greedy-by-conflicts"), problem, {{"iterations", "1"}}, context);
    const auto first_fit = run_allocator(*find_allocator("first-fit-conflicts"), problem, {}, context);
    REQUIRE(one);
    REQUIRE(first_fit);
    CHECK(one->plan.offsets == first_fit->plan.offsets);
  }
}

TEST_CASE("searches over orders: never worse than the start, and the same with the same seed") {
  for (const char* id : kSearches) {
    CAPTURE(id);
    const Allocator& search = *find_allocator(id);
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      CAPTURE(seed);
      const Problem problem = any_problem(seed);
      for (const char* start : {"size", "given"}) {
        CAPTURE(start);
        RunContext context;
        context.seed = seed;
        const ParamValues params = {{"iterations", "300"}, {"start", start}};
        const auto run = run_allocator(search, problem, params, context);
        const auto again = run_allocator(search, problem, params, context);
        const auto begin = run_allocator(*find_allocator("first-fit"), problem, {{"order", start}}, context);
        REQUIRE(run);
        REQUIRE(again);
        REQUIRE(begin);
        CHECK(check_plan(problem, run->plan).valid());
        CHECK(run->plan.offsets == again->plan.offsets);
        CHECK(run->result.iterations <= 301);
        CHECK(makespan_of(problem, run->plan.offsets) <= makespan_of(problem, begin->plan.offsets));
      }
    }
  }
}

TEST_CASE("searches over orders: more orders find a better one where the start is bad") {
  for (const char* id : kSearches) {
    CAPTURE(id);
    int better = 0;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      const Problem problem = any_problem(seed);
      RunContext context;
      const auto run = run_allocator(*find_allocator(id), problem, {{"start", "given"}}, context);
      const auto begin = run_allocator(*find_allocator("first-fit"), problem, {}, context);
      REQUIRE(run);
      better += makespan_of(problem, run->plan.offsets) < makespan_of(problem, begin->plan.offsets) ? 1 : 0;
    }
    CHECK(better >= 6);
  }
}

TEST_CASE("searches over orders: a number of orders below 1 is a usage error") {
  const Problem problem = any_problem(1);
  for (const char* bad : {"0", "-3", "many", "1.5", ""}) {
    CAPTURE(bad);
    RunContext context;
    const auto run = run_allocator(*find_allocator("tabu"), problem, {{"iterations", bad}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kUsage);
  }
}

TEST_CASE("searches over orders: once the time is up they end, with what they have") {
  const Problem problem = make_problem(synthetic_family(300, 1)).value();
  for (const char* id : kSearches) {
    CAPTURE(id);
    RunContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    const auto run = run_allocator(*find_allocator(id), problem, {}, context);
    REQUIRE(run);  // a search that overlooks the deadline never comes here
    CHECK(check_plan(problem, run->plan).valid());
    const bool best_there_is = measure(problem, measure(problem), run->plan).optimal;
    CHECK((best_there_is || run->result.status == RunStatus::kStopped));
  }
}
