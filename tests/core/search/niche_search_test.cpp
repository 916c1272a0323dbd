// The exact search against an enumeration that shares nothing with it.

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate_puzzles.h"
#include "core/search/capacity_question.h"
#include "tests/core/search/enumerator.h"
#include "tests/core/search/tight_problem.h"
#include "tests/support/effort.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct Answer {
  bool fits = false;
  Plan plan;
};

/// Asks every partition; bytes above the last whole unit are of no use to anybody.
Answer ask(const Problem& problem, std::int64_t capacity, std::uint64_t seed) {
  Answer answer;
  answer.fits = true;
  answer.plan.offsets.assign(problem.size(), kNoOffset);
  for (const Instance& instance : instances_of(problem, 0)) {
    REQUIRE(NicheSearch::affordable(instance, capacity / instance.unit));
    CapacityQuestion question(instance, capacity / instance.unit, seed);
    const Verdict verdict = question.go_on(kMaxInt64 / 2, RunContext());
    if (verdict != Verdict::kFits) {
      REQUIRE(verdict == Verdict::kDoesNotFit);
      answer.fits = false;
      return answer;
    }
    const std::vector<std::int64_t> offsets = question.offsets();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      answer.plan.offsets[instance.items[i].buffer] = offsets[i] * instance.unit;
    }
  }
  return answer;
}

struct Count {
  int fits = 0;
  int not_above_load = 0;  // does not fit although the load does
};

/// One decision, compared.
void decide(const Problem& problem, std::int64_t capacity, std::uint64_t seed, Count& count) {
  const Problem limited = make_problem(with_capacity(problem, capacity)).value();
  const Answer answer = ask(limited, capacity, seed);
  CHECK(answer.fits == Enumerator(problem, capacity).fits());
  if (answer.fits) {
    CHECK(check_plan(limited, answer.plan).valid());
    ++count.fits;
  } else if (capacity >= problem.sections().load()) {
    ++count.not_above_load;
  }
}

}  // namespace

TEST_CASE("niche search: agrees with enumeration on problems of 12 to 15 buffers filled to the load") {
  Random random(2024);
  Count count;
  for (int decisions = 0; decisions < tried(18'000);) {
    const auto buffers = static_cast<std::size_t>(random.uniform(12, 15));
    const auto input = tight_problem(random, buffers);
    if (!input) continue;
    const std::uint64_t seed = random.next();
    CAPTURE(seed);
    const Problem problem = make_problem(*input).value();
    decide(problem, problem.sections().load(), seed, count);
    ++decisions;
  }
  CHECK(count.fits > tried(10'000));
  CHECK(count.not_above_load > tried(100));
}

TEST_CASE("niche search: agrees with enumeration under alignment and pins, from one below the optimum on") {
  Random random(77);
  Count count;
  for (int decisions = 0; decisions < tried(8'000);) {
    const auto input = tight_problem(random, static_cast<std::size_t>(random.uniform(5, 11)));
    if (!input) continue;
    ProblemInput changed = *input;
    const bool aligned = random.uniform(0, 2) > 0;
    const bool pinned = random.uniform(0, 2) > 0;
    if (random.uniform(0, 1) == 0) changed.spaces[0].base = static_cast<std::uint64_t>(random.uniform(0, 12));
    for (Buffer& buffer : changed.buffers) {
      if (aligned && random.uniform(0, 1) == 0) buffer.alignment = random.uniform(1, 6);
    }
    const std::uint64_t seed = random.next();
    CAPTURE(seed);
    std::int64_t capacity = make_problem(changed).value().sections().load();
    if (pinned) {
      for (int k = 0; k < 2; ++k) {
        Buffer& pin = changed.buffers[static_cast<std::size_t>(
            random.uniform(0, static_cast<std::int64_t>(changed.buffers.size()) - 1))];
        pin.alignment = 1;
        pin.fixed = random.uniform(0, capacity - pin.size);
      }
    }
    const Problem problem = make_problem(changed).value();
    // Up to the lowest capacity that fits; pins may exclude each other at any.
    for (int step = 0; step < 12; ++step, ++capacity) {
      const int fitted = count.fits;
      decide(problem, capacity, seed + static_cast<std::uint64_t>(step), count);
      ++decisions;
      if (count.fits > fitted) break;
    }
  }
  CHECK(count.fits > tried(500));
  CHECK(count.not_above_load > tried(1'000));
}

TEST_CASE("niche search: finds a plan as high as the load for tilings of a rectangle") {
  Random random(5);
  for (int k = 0; k < 400; ++k) {
    CAPTURE(k);
    const Problem problem =
        make_problem(tiling_family(14 + static_cast<std::size_t>(k % 12), 20, 30, random.next())).value();
    const std::int64_t capacity = problem.sections().load();
    const Answer answer = ask(problem, capacity, static_cast<std::uint64_t>(k));
    REQUIRE(answer.fits);
    CHECK(check_plan(make_problem(with_capacity(problem, capacity)).value(), answer.plan).valid());
  }
}

TEST_CASE("niche search: what it answers does not depend on the seed") {
  Random random(6);
  int different = 0;
  for (int decisions = 0; decisions < 300;) {
    const auto input = tight_problem(random, 18);
    if (!input) continue;
    const Problem problem = make_problem(*input).value();
    const std::int64_t load = problem.sections().load();
    const bool fits = ask(problem, load, 1).fits;
    for (std::uint64_t seed = 2; seed < 6; ++seed) different += ask(problem, load, seed).fits != fits ? 1 : 0;
    ++decisions;
  }
  CHECK(different == 0);
}

TEST_CASE("niche search: the same answer in numbers of each width, with and without masks") {
  Random random(8);
  int fits = 0;
  for (int problems = 0; problems < 120;) {
    const auto input = tight_problem(random, 24);
    if (!input) continue;
    ProblemInput changed = *input;
    if (problems % 3 == 0) {
      for (Buffer& buffer : changed.buffers) buffer.alignment = random.uniform(0, 3) == 0 ? 2 : 1;
    }
    if (problems % 4 == 0) changed.buffers.front().fixed = 0;
    for (const Instance& narrow : instances_of(make_problem(changed).value(), 0)) {
      // Which states the memory displaces depends on their numbers; what is found first does not.
      std::vector<double> priority;
      for (std::size_t k = 0; k < narrow.items.size(); ++k) priority.push_back(random.unit());
      NicheSearch search(narrow, narrow.bound());
      const Verdict verdict = search.run(priority, kMaxInt64 / 2, RunContext());
      for (const std::int64_t scale : {std::int64_t{100'000}, std::int64_t{10'000'000'000}}) {
        CAPTURE(scale);
        Instance wide = narrow;
        for (Instance::Item& item : wide.items) {
          item.size *= scale;
          item.grid.step *= scale;
          item.grid.phase *= scale;
          if (item.is_fixed()) item.fixed *= scale;
        }
        for (std::int64_t& load : wide.loads) load *= scale;
        NicheSearch wider(wide, narrow.bound() * scale);
        REQUIRE(wider.run(priority, kMaxInt64 / 2, RunContext()) == verdict);
        if (verdict != Verdict::kFits) continue;
        std::vector<std::int64_t> offsets = search.offsets();
        for (std::int64_t& offset : offsets) offset *= scale;
        CHECK(wider.offsets() == offsets);
        ++fits;
      }
    }
    ++problems;
  }
  CHECK(fits > 20);
}

TEST_CASE("niche search: stops when asked and when its nodes are spent") {
  Random random(7);
  const Problem problem = make_problem(tiling_family(120, 200, 5000, random.next())).value();
  std::vector<Instance> instances = instances_of(problem, 0);
  std::sort(instances.begin(), instances.end(),
            [](const Instance& a, const Instance& b) { return a.items.size() > b.items.size(); });
  REQUIRE(instances[0].items.size() > 60);
  CapacityQuestion question(instances[0], instances[0].bound(), 1);
  CHECK(question.go_on(40, RunContext()) == Verdict::kOutOfNodes);
  CHECK(question.nodes() <= 45);
  std::stop_source source;
  source.request_stop();
  RunContext stopped;
  stopped.stop = source.get_token();
  CHECK(question.go_on(1'000'000, stopped) == Verdict::kStopped);
  CHECK(question.nodes() < 2'000);
}
