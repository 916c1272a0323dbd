#include "core/allocators/fit.h"

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/body_fit.h"
#include "core/allocators/order.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// First and best fit from their description, with no structure at all: every allowed offset is tried.
std::vector<std::int64_t> slow_fit(const Problem& problem, const std::vector<BufferIndex>& order, FitRule rule) {
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  for (const BufferIndex i : order) {
    if (problem[i].is_fixed()) offsets[i] = problem[i].fixed;
  }
  for (const BufferIndex i : order) {
    if (offsets[i] != kNoOffset) continue;
    const Grid grid = problem.grid(i);
    std::int64_t best = kNoOffset;
    std::int64_t best_spare = kMaxInt64;
    std::int64_t lowest_free_above = kNoOffset;
    for (std::int64_t at = grid.up(0);; at += grid.step) {
      bool free = true;
      std::int64_t spare = kMaxInt64;  // room between this place and the next buffer above
      for (BufferIndex other = 0; other < problem.size(); ++other) {
        if (other == i || offsets[other] == kNoOffset) continue;
        const auto below = effective_size(problem, i, other);
        if (!below) continue;
        const auto above = effective_size(problem, other, i);
        if (at < offsets[other] + *above && at > offsets[other] - *below) free = false;
        if (at <= offsets[other] - *below) spare = std::min(spare, offsets[other] - *below - at);
      }
      if (!free) continue;
      // Best fit looks at the lowest allowed offset of each room only.
      if (spare == kMaxInt64) {
        lowest_free_above = at;
        break;
      }
      if (rule == FitRule::kFirst) {
        best = at;
        break;
      }
      if (spare < best_spare) {
        bool lowest_of_room = at < grid.step;
        for (BufferIndex other = 0; other < problem.size() && !lowest_of_room; ++other) {
          if (other == i || offsets[other] == kNoOffset) continue;
          const auto above = effective_size(problem, other, i);
          lowest_of_room = above && at == grid.up(std::max<std::int64_t>(0, offsets[other] + *above));
        }
        if (!lowest_of_room) continue;
        best = at;
        best_spare = spare;
      }
    }
    offsets[i] = best != kNoOffset ? best : lowest_free_above;
  }
  return offsets;
}

void check_subset(const ConformanceCase& c, const std::vector<std::int64_t>& offsets) {
  const auto& expected = c.json["expected"];
  for (const char* key : {"offsets", "offsets_subset"}) {
    if (!expected.contains(key) || expected[key].is_null()) continue;
    for (BufferIndex i = 0; i < c.problem.size(); ++i) {
      const std::string id(c.problem.id(i));
      if (expected[key].contains(id)) CHECK(offsets[i] == expected[key][id].get<std::int64_t>());
    }
  }
}

void check_conformance(const std::filesystem::path& file, const std::string& name, const std::string& id,
                       std::size_t at_least) {
  const auto cases = conformance_cases(file, {name});
  REQUIRE(cases.size() >= at_least);
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    RunContext context;
    const auto run = run_allocator(*find_allocator(id), c.problem, {}, context);
    REQUIRE(run);
    check_subset(c, run->plan.offsets);
    if (c.json["expected"]["makespan"].is_number()) {
      CHECK(measure(c.problem, measure(c.problem), run->plan).makespan ==
            c.json["expected"]["makespan"].get<std::int64_t>());
    }
  }
}

}  // namespace

TEST_CASE("conformance: first fit and best fit in the order given, TFLite greedy by size") {
  STOWAGE_NEED_SHARED(shared);
  check_conformance(shared / "conformance/others.json", "first-fit-given-order", "first-fit", 2);
  check_conformance(shared / "conformance/others.json", "best-fit-given-order", "best-fit", 1);
  check_conformance(shared / "conformance/tflite.json", "tflite-greedy-by-size", "tflite-greedy-by-size", 3);
}

TEST_CASE("first fit and best fit do what trying every offset does") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.alignments = seed % 2 == 0;
    shape.gaps = seed % 3 == 0;
    shape.edges = seed % 5 == 0;
    shape.only_edges = seed % 7 == 0;
    shape.clocks = seed % 11 == 0;
    const Problem problem = random_problem(seed, shape);
    const auto order = make_order(problem, "size").value();
    for (const FitRule rule : {FitRule::kFirst, FitRule::kBest}) {
      if (rule == FitRule::kBest && shape.gaps) continue;  // rooms between gapped buffers have no single height
      CAPTURE(rule == FitRule::kFirst);
      RunContext context;
      CHECK(place_in_order(problem, order, rule, context)->offsets == slow_fit(problem, order, rule));
    }
  }
}

TEST_CASE("tied buffers lie at the lowest offset that suits all of them") {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.colocations = seed % 2 == 0;
    shape.groups = !shape.colocations || seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    const auto order = make_order(problem, "size").value();
    RunContext context;
    const auto run = place_in_order(problem, order, FitRule::kFirst, context);
    REQUIRE(run);
    // Whoever is placed later gives way: among those before it in the order, a body can sit nowhere lower.
    std::vector<bool> placed(problem.size(), false);
    for (const BufferIndex i : order) {
      if (placed[i]) continue;
      const std::uint32_t body = problem.bodies().of(i);
      const std::vector<Body::Member> members =
          body == Bodies::kNone ? std::vector<Body::Member>{{i, 0}} : problem.bodies()[body].members;
      const std::int64_t found = run->offsets[i] - problem.bodies().relative(i);
      for (std::int64_t at = 0; at <= found; ++at) {
        bool free = true;
        for (const Body::Member& member : members) {
          for (BufferIndex other = 0; other < problem.size(); ++other) {
            if (!placed[other] || !conflict(problem, member.buffer, other)) continue;
            const std::int64_t low = at + member.relative;
            free = free && (low + problem[member.buffer].size <= run->offsets[other] ||
                            run->offsets[other] + problem[other].size <= low);
          }
        }
        const bool memory = problem[i].takes_memory();
        CHECK(free == (at == found || !memory));
        if (free) break;
      }
      for (const Body::Member& member : members) placed[member.buffer] = true;
    }
  }
}

TEST_CASE("whoever is found by time, by bits or by address lies where lists of conflicts put it") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = seed % 5 == 0 ? 200 : 24;
    shape.colocations = seed % 2 == 0;
    shape.groups = !shape.colocations || seed % 3 == 0;
    shape.alignments = seed % 7 < 3;
    shape.fixed = seed % 11 < 4;
    shape.spaces = seed % 13 < 5;
    shape.empty_ones = seed % 4 == 0;
    shape.edges = seed % 6 == 1;
    shape.only_edges = seed % 6 == 2;
    shape.clocks = seed % 6 == 3;
    const Problem problem = random_problem(seed, shape);
    const BodyConflicts lists(problem, Blocking::kLists);
    const BodyConflicts bits(problem, Blocking::kBits);
    const BodyConflicts chosen(problem, blocking_of(problem));
    CHECK(chosen.blocking == (problem.needs().only_lifetimes() ? Blocking::kRectangles : Blocking::kBits));
    const auto order = make_order(problem, seed % 2 == 0 ? "size" : "area").value();
    for (const FitRule rule : {FitRule::kFirst, FitRule::kBest, FitRule::kArena}) {
      CAPTURE(static_cast<int>(rule));
      RunContext context;
      const auto by_lists = place_bodies_in_order(problem, lists, order, rule, context);
      REQUIRE(by_lists);
      for (const BodyConflicts* conflicts : {&bits, &chosen}) {
        const auto found = place_bodies_in_order(problem, *conflicts, order, rule, context);
        REQUIRE(found);
        CHECK(found->offsets == by_lists->offsets);
        StepLog log;
        RunContext told;  // tells each blocker of its own
        told.steps = &log;
        const auto again = place_bodies_in_order(problem, *conflicts, order, rule, told);
        REQUIRE(again);
        CHECK(again->offsets == by_lists->offsets);
      }
    }
  }
}

TEST_CASE("a buffer with a choice goes to the first space that has room, and what fits nowhere is named") {
  ProblemInput input;
  input.spaces = {Space{"fast", 0, 10, {}}, Space{"slow", 0, 20, {}}};
  const auto add = [&](const char* id, std::int64_t size) {
    Details details;
    details.candidates = {0, 1};
    Buffer b;
    b.end = 4;
    b.size = size;
    input.add(id, b, details);
  };
  add("a", 8);
  add("b", 9);
  add("c", 2);
  RunContext context;
  const auto run = run_allocator(*find_allocator("first-fit"), make_problem(input).value(), {}, context);
  REQUIRE(run);
  CHECK(run->plan.spaces == std::vector<std::uint16_t>{0, 1, 0});
  CHECK(run->plan.offsets == std::vector<std::int64_t>{0, 0, 8});
  CHECK(check_plan(make_problem(input).value(), run->plan).valid());

  add("d", 12);
  const auto refused = run_allocator(*find_allocator("first-fit"), make_problem(input).value(), {}, context);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kRefused);
  CHECK(refused.error().message == "d fits into none of its 2 spaces: 1 bytes are missing");
}

TEST_CASE("a fixed buffer is never moved and others go around it") {
  ProblemInput input;
  input.capacity = 256;
  Buffer b;
  b.end = 9;
  b.size = 64;
  b.fixed = 192;
  input.add("reserve", b);
  for (std::int64_t i = 0; i < 3; ++i) {
    Buffer small;
    small.start = 3 * i;
    small.end = 3 * i + 3;
    small.size = 80;
    input.add("s", small);
  }
  const Problem problem = make_problem(input).value();
  for (const char* id : {"first-fit-size", "best-fit-size", "skyline"}) {
    RunContext context;
    CHECK(run_allocator(*find_allocator(id), problem, {}, context)->plan.offsets ==
          std::vector<std::int64_t>{192, 0, 0, 0});
  }
}

TEST_CASE("greedy by size is trapped where another order is not") {
  ProblemInput input;
  const auto add = [&](const char* id, std::int64_t start, std::int64_t end, std::int64_t size) {
    Buffer b;
    b.start = start;
    b.end = end;
    b.size = size;
    input.add(id, b);
  };
  add("b0", 4, 6, 96);
  add("b1", 0, 1, 96);
  add("b2", 0, 4, 96);
  add("b3", 0, 4, 64);
  add("b4", 3, 5, 96);
  const Problem problem = make_problem(input).value();
  RunContext context;
  const auto run = run_allocator(*find_allocator("first-fit-size"), problem, {}, context);
  CHECK(measure(problem, measure(problem), run->plan).makespan == 352);
  CHECK(measure(problem).load == 256);
}

TEST_CASE("few that meet nearly all among many short lives: the same plan as without a list of their own") {
  Random random(11);
  ProblemInput input;
  for (int i = 0; i < 2'000; ++i) {
    const bool stays = i % 100 == 0;
    Buffer buffer;
    buffer.start = stays ? random.uniform(0, 99) : random.uniform(0, 1'990);
    buffer.end = buffer.start + (stays ? random.uniform(1'500, 1'900) : random.uniform(1, 4));
    buffer.size = random.uniform(1, 64);
    input.add(std::to_string(i), buffer);
  }
  const Problem problem = *make_problem(std::move(input));
  for (const FitRule rule : {FitRule::kFirst, FitRule::kBest}) {
    for (const char* order : {"size", "lifetime", "given"}) {
      CAPTURE(order);
      RunContext silent;
      RunContext told;  // who tells its steps has no such list
      StepLog steps;
      told.steps = &steps;
      const auto rows = make_order(problem, order);
      CHECK(place_in_order(problem, *rows, rule, silent)->offsets ==
            place_in_order(problem, *rows, rule, told)->offsets);
    }
  }
}
