// What every registered allocator must do; a new one is tested by its line in allocators.def.

#include <set>
#include <string>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/core/allocators/soundness.h"
#include "tests/support/buffer.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("every allocator has an id of its own, a title, a summary and a source") {
  std::set<std::string> ids;
  for (const Allocator& allocator : allocators()) {
    CHECK(ids.insert(allocator.id).second);
    CHECK_FALSE(allocator.title.empty());
    CHECK_FALSE(allocator.summary.empty());
    CHECK_FALSE(allocator.source.empty());
    CHECK(find_allocator(allocator.id) == &allocator);
  }
  for (const char* id : {"naive", "first-fit", "first-fit-size", "best-fit-size", "skyline", "tflite-greedy-by-size"}) {
    CHECK(find_allocator(id) != nullptr);
  }
  CHECK(find_allocator("tflite-strip-packing") == find_allocator("tflite-arena"));
  CHECK(find_allocator("no-such") == nullptr);
}

TEST_CASE("every allocator: valid plans, recorded like silent, and a replay gives the plan") {
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    for (std::uint64_t seed = 1; seed <= tried(60); ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.alignments = seed % 2 == 0;
      shape.fixed = seed % 3 == 0;
      shape.gaps = seed % 4 == 0;
      shape.spaces = seed % 5 == 0;
      shape.empty_ones = seed % 7 == 0;
      shape.edges = seed % 13 == 0;
      shape.only_edges = seed % 17 == 0;
      shape.clocks = seed % 19 == 0;
      shape.colocations = seed % 4 == 1;
      shape.groups = seed % 8 == 3;
      check_sound(allocator, random_problem(seed, shape));
    }
  }
}

TEST_CASE("every allocator: valid plans where spaces can be chosen and where buffers come in slices") {
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    int planned = 0;
    for (std::uint64_t seed = 201; seed <= 240; ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.buffers = 12;
      shape.candidates = seed % 2 == 0;
      shape.slices = seed % 3 != 1;
      shape.alignments = seed % 5 == 0;
      shape.fixed = seed % 7 == 0 && !shape.candidates;  // they would lie above the limit
      shape.empty_ones = seed % 11 == 0;
      shape.edges = seed % 13 == 0;
      if (check_sound(allocator, random_problem(seed, shape))) ++planned;
    }
    CHECK(planned > 0);
  }
}

TEST_CASE("every allocator: who keeps a sliced buffer whole claims nothing about the plans that do not") {
  ProblemInput input;
  Details sliced;
  sliced.slices = {{50, 0}, {50, 5}};
  input.add("x", buffer(0, 10, 100), sliced);
  input.add("y", buffer(0, 5, 50));
  input.spaces.front().capacity = 120;
  const Problem problem = make_problem(input).value();
  int below = 0;
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    RunContext context;
    const auto run = run_allocator(allocator, problem, {}, context);
    if (!run) continue;
    const std::int64_t makespan = measure(problem, measure(problem), run->plan).makespan;
    if (makespan < 150) ++below;
    CHECK(run->result.status != RunStatus::kProvedInfeasible);
    CHECK(run->result.lower_bound.value_or(0) <= 100);
    if (makespan > 100) CHECK(run->result.status != RunStatus::kProvedOptimal);
  }
  CHECK(below == 1);  // y lies where the second slice begins later
}

TEST_CASE("every allocator: valid plans with each value of each of its parameters") {
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    for (const ParamSpec& spec : allocator.params) {
      CAPTURE(spec.key);
      for (const std::string& choice : spec.choices) {
        if (!spec.closed || choice == spec.value) continue;
        CAPTURE(choice);
        for (std::uint64_t seed = 101; seed <= 106; ++seed) {
          CAPTURE(seed);
          RandomShape shape;
          shape.buffers = 12;
          shape.alignments = seed % 2 == 0;
          shape.fixed = seed % 6 == 0;
          shape.gaps = seed % 4 == 0;
          shape.spaces = seed % 5 == 0;
          shape.empty_ones = seed % 3 == 0;
          check_sound(allocator, random_problem(seed, shape), {{spec.key, choice}});
        }
      }
    }
  }
}

TEST_CASE("every allocator: empty, single, identical, touching and huge problems") {
  std::vector<ProblemInput> inputs(6);
  inputs[1].add("single", buffer(5, 6, 1));
  for (int i = 0; i < 40; ++i) inputs[2].add("same", buffer(0, 9, 100));
  for (int i = 0; i < 40; ++i) inputs[3].add("touching", buffer(i, i + 1, 100));
  const std::int64_t far = std::int64_t{1} << 61;
  inputs[4].add("huge", buffer(-far, far, far));
  inputs[4].add("huger", buffer(0, far, far + 1));
  inputs[4].add("small", buffer(-1, 1, 3));
  inputs[5].add("nothing", buffer(0, 5, 0));
  inputs[5].add("never", buffer(3, 3, 5));
  for (const ProblemInput& input : inputs) {
    const Problem problem = make_problem(input).value();
    for (const Allocator& allocator : allocators()) {
      CAPTURE(allocator.id);
      check_sound(allocator, problem);
    }
  }
}

TEST_CASE("every allocator: the same problem scaled by 2^33 has the same plan, scaled") {
  const std::int64_t scale = std::int64_t{1} << 33U;
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    const Problem problem = random_problem(21, RandomShape{});
    ProblemInput large = problem.input();
    for (Buffer& b : large.buffers) b.size *= scale;
    RunContext context;
    ParamValues params;
    if (allocator.id == "somas") params["single-object-gain"] = "0";  // else it compares with 100 MiB
    const auto small_run = run_allocator(allocator, problem, params, context);
    const auto large_run = run_allocator(allocator, make_problem(large).value(), params, context);
    REQUIRE(small_run);
    REQUIRE(large_run);
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      CHECK(large_run->plan.offsets[i] == small_run->plan.offsets[i] * scale);
    }
  }
}

TEST_CASE("every allocator: no room below 2^63 is refused, never wrapped") {
  ProblemInput input;
  Buffer pin = buffer(0, 9, 16);
  pin.fixed = kMaxInt64 - 16;
  input.add("pin", pin);
  Buffer low = buffer(0, 9, 16);
  low.fixed = 64;
  input.add("low", low);
  input.add("wide", buffer(0, 9, kMaxInt64 - 64));
  // The same where all sizes and pins are multiples of a large number, which some count in.
  constexpr std::int64_t kUnit = std::int64_t{1} << 39;
  ProblemInput coarse;
  Buffer most = buffer(0, 9, ((std::int64_t{1} << 24) - 4) * kUnit);
  most.fixed = kUnit;
  coarse.add("most", most);
  coarse.add("above", buffer(0, 9, 3 * kUnit));
  for (const Problem& problem : {make_problem(input).value(), make_problem(coarse).value()}) {
    for (const Allocator& allocator : allocators()) {
      CAPTURE(allocator.id);
      RunContext context;
      const auto run = run_allocator(allocator, problem, {}, context);
      REQUIRE_FALSE(run);
      CHECK(run.error().kind == Error::Kind::kRefused);
    }
  }
}

TEST_CASE("every allocator stops soon after it was asked, and its progress never falls") {
  const Problem problem = make_problem(synthetic_family(kSanitized ? 8'000 : 20'000, 1)).value();
  for (const Allocator& allocator : allocators()) {
    CAPTURE(allocator.id);
    double last = 0;
    RunContext watched;
    watched.progress = [&](double share) {
      CHECK(share >= last);
      CHECK(share <= 1);
      last = share;
    };
    REQUIRE(run_allocator(allocator, problem, {}, watched));
    CHECK(last == 1);

    std::stop_source source;
    source.request_stop();
    RunContext stopped;
    stopped.stop = source.get_token();
    const auto run = run_allocator(allocator, problem, {}, stopped);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kCancelled);
  }
}

TEST_CASE("an unknown parameter or order is a usage error") {
  const Problem problem = random_problem(1, RandomShape{});
  RunContext context;
  const auto key = run_allocator(*find_allocator("naive"), problem, {{"order", "size"}}, context);
  REQUIRE_FALSE(key);
  CHECK(key.error().kind == Error::Kind::kUsage);
  const auto order = run_allocator(*find_allocator("first-fit"), problem, {{"order", "sizes"}}, context);
  REQUIRE_FALSE(order);
  CHECK(order.error().kind == Error::Kind::kUsage);
}
