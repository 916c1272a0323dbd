// XLA's heap simulator and repacker against their descriptions, byte by byte.

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/slice_times.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/support/buffer.h"
#include "tests/support/planned_run.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Four buffers of 10, 30, 20 and 40 bytes that all live at time 4 (DecreasingSize of the origin).
ProblemInput decreasing_size() {
  ProblemInput input;
  input.add("a", buffer(0, 5, 10));
  input.add("b", buffer(1, 6, 30));
  input.add("c", buffer(2, 7, 20));
  input.add("d", buffer(3, 8, 40));
  return input;
}

/// The heap simulator with spatial order, from its description: chunks are what no byte of a conflict touches.
std::vector<std::int64_t> slow_best_fit(const Problem& problem, std::int64_t alignment, bool lowest) {
  std::vector<BufferIndex> order;
  for (BufferIndex i = 0; i < problem.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    if (problem[a].size != problem[b].size) return problem[a].size > problem[b].size;
    return problem[a].lifetime() > problem[b].lifetime();
  });
  std::vector<std::int64_t> offsets(problem.size(), -1);
  for (const BufferIndex i : order) {
    const Buffer& me = problem[i];
    std::vector<bool> used(4000, false);
    for (BufferIndex j = 0; j < problem.size(); ++j) {
      const Buffer& other = problem[j];
      if (offsets[j] < 0 || other.start >= me.end || me.start >= other.end) continue;
      for (std::int64_t k = 0; k < other.size; ++k) used[static_cast<std::size_t>(offsets[j] + k)] = true;
    }
    std::int64_t best = -1;
    std::int64_t best_length = kMaxInt64;
    std::size_t at = 0;
    while (at < used.size()) {
      std::size_t end = at;
      while (end < used.size() && !used[end]) ++end;
      const std::int64_t start = align_up(static_cast<std::int64_t>(at), alignment);
      const auto length = static_cast<std::int64_t>(end) - start;
      if (length >= me.size && (best < 0 || (!lowest && length < best_length))) {
        best = start;
        best_length = length;
      }
      at = end;
      while (at < used.size() && used[at]) ++at;
    }
    offsets[i] = best;
  }
  return offsets;
}

}  // namespace

TEST_CASE("xla-best-fit: the smallest free chunk, or the lowest, as the bytes say") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::int64_t alignment = seed % 3 == 0 ? 8 : 1;
    ProblemInput input = random_problem(seed, RandomShape{}).input();
    for (Buffer& b : input.buffers) b.alignment = alignment;
    const Problem problem = make_problem(input).value();
    const auto best = run("xla-best-fit", problem);
    const auto lowest = run("xla-best-fit", problem, {{"placement", "lowest"}});
    REQUIRE(best);
    REQUIRE(lowest);
    CHECK(best->plan.offsets == slow_best_fit(problem, alignment, false));
    CHECK(lowest->plan.offsets == slow_best_fit(problem, alignment, true));
  }
}

TEST_CASE("xla-best-fit: a limit on heaps, with the numbers of the origin's tests") {
  const Problem problem = make_problem(decreasing_size()).value();
  struct Expected {
    const char* strategy;
    std::size_t heaps;
  };
  for (const Expected& expected : {Expected{"spatial", 2}, Expected{"fast-merge", 3}, Expected{"fast-split", 2}}) {
    CAPTURE(expected.strategy);
    const auto run_limited = run("xla-best-fit", problem, {{"strategy", expected.strategy}, {"limit", "50"}});
    REQUIRE(run_limited);
    REQUIRE(run_limited->plan.objects);
    CHECK(run_limited->plan.objects->sizes.size() == expected.heaps);
    CHECK(run_limited->plan.objects->total() == 100);
    CHECK(check_plan(problem, run_limited->plan).valid());
  }
}

TEST_CASE(
    "xla-best-fit: every strategy gives valid plans, with and without a limit; a heap above it holds one buffer") {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 40;
    shape.alignments = seed % 2 == 0;
    shape.spaces = seed % 3 == 0;
    shape.empty_ones = seed % 5 == 0;
    const Problem problem = random_problem(seed, shape);
    for (const std::string& strategy : find_allocator("xla-best-fit")->params.front().choices) {
      CAPTURE(strategy);
      for (const char* limit : {"none", "45"}) {
        CAPTURE(limit);
        const auto planned = run("xla-best-fit", problem, {{"strategy", strategy}, {"limit", limit}});
        REQUIRE(planned);
        CHECK(check_plan(problem, planned->plan).valid());
        if (!planned->plan.objects) continue;
        const Objects& heaps = *planned->plan.objects;
        for (std::uint32_t h = 0; h < heaps.sizes.size(); ++h) {
          std::size_t members = 0;
          for (BufferIndex i = 0; i < problem.size(); ++i) {
            members += heaps.object_of[i] == h && problem[i].takes_memory() ? 1U : 0U;
          }
          CHECK((heaps.sizes[h] <= 45 || members == 1));
        }
      }
    }
  }
}

TEST_CASE("xla-best-fit: phase-window-end, also called end, takes what is over first") {
  ProblemInput input;
  input.add("a", buffer(0, 6, 40));
  input.add("b", buffer(1, 4, 35));
  input.add("c", buffer(2, 5, 10));
  input.add("d", buffer(2, 5, 12));
  const Problem problem = make_problem(input).value();
  const auto heaps = [&](const char* strategy) {
    const auto planned = run("xla-best-fit", problem, {{"strategy", strategy}, {"limit", "50"}});
    REQUIRE(planned);
    REQUIRE(planned->plan.objects);
    return planned->plan.objects->object_of;
  };
  using Heaps = std::vector<std::uint32_t>;
  // b ends first, then d and c by size; a is last. By size a comes first and d is the one beside it.
  CHECK(heaps("phase-window-end") == Heaps{1, 0, 1, 0});
  CHECK(heaps("end") == heaps("phase-window-end"));
  CHECK(heaps("spatial") == Heaps{0, 1, 0, 1});
  const auto whole = run("xla-best-fit", problem, {{"strategy", "end"}});
  REQUIRE(whole);
  CHECK(whole->plan.offsets == std::vector<std::int64_t>{57, 0, 47, 35});
}

TEST_CASE("xla-best-fit: fast-split takes the first 500 by size, the rest above them") {
  ProblemInput input;
  for (int i = 0; i < 510; ++i) input.add("b", buffer(i, i + 1, i < 500 ? 20 : 10));
  const Problem problem = make_problem(input).value();
  const auto planned = run("xla-best-fit", problem, {{"strategy", "fast-split"}});
  REQUIRE(planned);
  for (BufferIndex i = 0; i < 510; ++i) CHECK(planned->plan.offsets[i] == (i < 500 ? 0 : 20));
}

TEST_CASE("xla-best-fit: the packing search is as good as the best of its six tries, silent and recorded") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, RandomShape{});
    const ProblemMetrics facts = measure(problem);
    std::int64_t least = kMaxInt64;
    for (const char* strategy : {"spatial", "temporal", "spatial-temporal"}) {
      for (const char* placement : {"best", "lowest"}) {
        const auto one = run("xla-best-fit", problem, {{"strategy", strategy}, {"placement", placement}});
        REQUIRE(one);
        least = std::min(least, measure(problem, facts, one->plan).makespan);
      }
    }
    const auto found = run("xla-best-fit", problem, {{"strategy", "packing-search"}});
    REQUIRE(found);
    CHECK(measure(problem, facts, found->plan).makespan == least);
  }
}

TEST_CASE("xla-best-fit: a group is placed once, where all of its members are free, with its largest size") {
  ProblemInput input;
  input.add("leader", buffer(0, 2, 10));
  input.add("beside", buffer(4, 6, 15));
  input.add("member", buffer(4, 6, 20));
  input.constraints.colocations = {{0, 2}};
  const Problem problem = make_problem(input).value();
  const auto planned = run("xla-best-fit", problem);
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{15, 0, 15});  // by the leader's size it comes second
}

TEST_CASE("xla-best-fit: a preferred offset is taken when its whole extent is free") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 30));
  Details wants;
  wants.hint = 40;
  input.add("b", buffer(0, 4, 20), wants);
  wants.hint = 50;  // inside b
  input.add("c", buffer(0, 4, 10), wants);
  const auto planned = run("xla-best-fit", make_problem(input).value());
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 40, 30});
}

TEST_CASE("xla-best-fit: edges and ties are honoured, by the fast strategies refused") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    ProblemInput input = random_problem(seed, RandomShape{}).input();
    const auto count = static_cast<BufferIndex>(input.buffers.size());
    if (count < 8) continue;
    input.constraints.conflicts = {{0, 1}, {2, 3}, {4, 0}};
    input.constraints.colocations = {{0, 5}};
    input.constraints.groups = {Group{{6, 7}, 3}};
    const Problem problem = make_problem(input).value();
    for (const char* id : {"xla-best-fit", "xla-repacker", "somas"}) {
      CAPTURE(id);
      const auto planned = run(id, problem);
      REQUIRE(planned);
      CHECK(check_plan(problem, planned->plan).valid());
    }
    const auto fast = run("xla-best-fit", problem, {{"strategy", "fast-merge"}});
    REQUIRE_FALSE(fast);
    CHECK(fast.error().kind == Error::Kind::kRefused);
  }
}

TEST_CASE("xla-repacker: above its capacity it changes nothing and says what is missing") {
  ProblemInput input = decreasing_size();
  input.capacity = 99;
  const auto refused = run("xla-repacker", make_problem(input).value());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kRefused);
  CHECK(refused.error().message.find("100 bytes, 1 more") != std::string::npos);
  input.capacity = 100;
  CHECK(run("xla-repacker", make_problem(input).value()));
}

TEST_CASE("xla-repacker: sliced buffers keep sizes with their starts, and collide with nothing") {
  std::size_t sliced = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input;
    for (int i = 0; i < 14; ++i) {
      Buffer b = buffer(random.uniform(0, 20), 0, 0);
      b.end = b.start + random.uniform(2, 12);
      Details details;
      const std::int64_t parts = random.uniform(1, 3);
      for (std::int64_t k = 0; k < parts; ++k) {
        const std::int64_t begin = k == 0 ? b.start : random.uniform(b.start, b.end - 1);
        details.slices.push_back({random.uniform(1, 3), begin});
        b.size += details.slices.back().size;
      }
      input.add("b", b, details);
    }
    if (seed % 4 == 0) input.constraints.colocations = {{0, 1}};
    const Problem problem = make_problem(input).value();
    for (const char* order : {"longest", "given"}) {
      for (const char* times : {"all", "preferred"}) {
        const auto planned = run("xla-repacker", problem, {{"order", order}, {"slice-times", times}});
        REQUIRE(planned);
        CHECK(check_plan(problem, planned->plan).valid());
        for (const auto& found : planned->plan.slices) {
          ++sliced;
          const std::vector<Slice>& given = problem.details(found.first)->slices;
          REQUIRE(found.second.size() == given.size());
          std::multiset<std::pair<std::int64_t, std::int64_t>> before;
          std::multiset<std::pair<std::int64_t, std::int64_t>> after;
          for (std::size_t k = 0; k < given.size(); ++k) {
            before.emplace(given[k].size, given[k].start);
            after.emplace(given[k].size, found.second[k]);
          }
          CHECK(before == after);
        }
      }
    }
  }
  CHECK(sliced > 1000);
}

TEST_CASE("xla-repacker: a sliced buffer takes the lowest offset of the smallest chunk, the first order of times") {
  ProblemInput input;
  input.add("low", buffer(0, 6, 2));    // frees bytes [0, 2) at 6
  input.add("high", buffer(0, 10, 3));  // [2, 5) to the end
  Details details;
  details.slices = {{2, 4}, {2, 6}};
  input.add("parts", buffer(4, 10, 4), details);
  const auto planned = run("xla-repacker", make_problem(input).value(), {{"order", "given"}});
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 2, 5});
  CHECK(planned->plan.slices.at(2) == std::vector<std::int64_t>{4, 6});
}

TEST_CASE("xla-repacker: a sliced buffer with a gap is kept whole, and others may lie in the gap") {
  ProblemInput input;
  Details details;
  details.slices = {{4, 0}, {4, 6}};
  details.gaps = {{2, 5, {}}};
  input.add("parts", buffer(0, 10, 8), details);
  input.add("inside", buffer(2, 5, 8));
  const Problem problem = make_problem(input).value();
  const auto planned = run("xla-repacker", problem);
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 0});
  CHECK(planned->plan.slices.empty());
  CHECK(check_plan(problem, planned->plan).valid());
}

TEST_CASE("slice times: all orders in turn, or rising, falling and from the middle outwards") {
  std::vector<Slice> slices;
  for (std::int64_t k = 0; k < 5; ++k) slices.push_back({1, k});
  const Buffer whole = buffer(0, 10, 5);
  ProblemInput input;
  for (int k = 0; k < 5; ++k) input.add("wall", buffer(-1, 10, 1));
  Details details;
  details.slices = slices;
  input.add("parts", whole, details);
  RunContext context;
  // Byte k is in use until starts[k]: only an order with times no earlier than these begins at offset 0.
  const auto chosen_with = [&](const std::vector<std::int64_t>& starts, SliceTimes::Which which) {
    ProblemInput walled = input;
    for (std::size_t k = 0; k < 5; ++k) walled.buffers[k].end = starts[k];
    const Problem with_walls = make_problem(walled).value();
    XlaHeap used(with_walls, XlaHeap::Commit::kOwnBytes, context);
    for (BufferIndex k = 0; k < 5; ++k) used.commit_parts(k, {{k, k + 1, -1}});
    SliceTimes times(&slices, whole, which);
    const auto offset = times.lowest(used, {5, 0}, Grid{}, 0);
    REQUIRE(offset);
    return *offset == 0 ? times.chosen() : std::vector<std::int64_t>();
  };
  using Starts = std::vector<std::int64_t>;
  CHECK(chosen_with({0, 1, 2, 3, 4}, SliceTimes::Which::kPreferred) == Starts{0, 1, 2, 3, 4});
  CHECK(chosen_with({4, 3, 2, 1, 0}, SliceTimes::Which::kPreferred) == Starts{4, 3, 2, 1, 0});
  CHECK(chosen_with({3, 1, 0, 2, 4}, SliceTimes::Which::kPreferred) == Starts{3, 1, 0, 2, 4});
  CHECK(chosen_with({1, 0, 2, 3, 4}, SliceTimes::Which::kPreferred).empty());
  CHECK(chosen_with({1, 0, 2, 3, 4}, SliceTimes::Which::kAll) == Starts{1, 0, 2, 3, 4});
}
