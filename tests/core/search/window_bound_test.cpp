#include "core/search/window_bound.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/model/generate.h"
#include "core/search/levels.h"
#include "tests/core/search/enumerator.h"
#include "tests/core/search/tight_problem.h"
#include "tests/support/buffer.h"
#include "tests/support/effort.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr std::int64_t kNodes = 3'000;

std::int64_t bound_of(const Problem& problem) {
  std::int64_t bound = 0;
  for (const Instance& instance : instances_of(problem, 0)) {
    bound = std::max(bound, window_bound(instance, kNodes, RunContext()) * instance.unit);
  }
  return bound;
}

std::int64_t optimum_of(const Problem& problem) {
  std::int64_t capacity = problem.sections().load();
  while (!Enumerator(problem, capacity).fits()) ++capacity;
  return capacity;
}

}  // namespace

TEST_CASE("window bound: never above the lowest height, and mostly there when that lies above the load") {
  Random random(41);
  int above = 0;
  int reached = 0;
  for (int problems = 0; problems < tried(6'000);) {
    auto input = tight_problem(random, static_cast<std::size_t>(random.uniform(8, 12)));
    if (!input) continue;
    ++problems;
    if (problems % 3 == 0) {
      for (Buffer& b : input->buffers) b.alignment = random.uniform(1, 3);
    }
    const Problem problem = make_problem(*input).value();
    const std::int64_t bound = bound_of(problem);
    CHECK(bound >= problem.sections().load());
    CHECK(Enumerator(problem, bound - 1).fits() == false);
    if (Enumerator(problem, problem.sections().load()).fits()) {
      CHECK(bound == problem.sections().load());
      continue;
    }
    ++above;
    reached += bound == optimum_of(problem) ? 1 : 0;
  }
  MESSAGE("above the load: ", above, ", of these reached: ", reached);
  CHECK(above > tried(200));
  CHECK(reached * 100 >= above * 95);
}

TEST_CASE("window bound: one hard stretch in a long problem is found, and it ends soon in a large one") {
  Random random(43);
  int lifted = 0;
  for (int problems = 0; problems < 20;) {
    const auto hard = tight_problem(random, 12);
    if (!hard) continue;
    const Problem alone = make_problem(*hard).value();
    const std::int64_t load = alone.sections().load();
    if (Enumerator(alone, load).fits()) continue;
    ++problems;
    ProblemInput input = *hard;  // followed by a long easy part that is tied to it
    const std::int64_t end = alone.sections().all().back().end;
    std::find_if(input.buffers.begin(), input.buffers.end(), [&](const Buffer& b) { return b.end == end; })->end += 1;
    for (std::int64_t k = 0; k < 300; ++k) input.add("easy", buffer(end + k, end + k + 2, 1));
    const Problem problem = make_problem(input).value();
    lifted += bound_of(problem) > problem.sections().load() ? 1 : 0;
  }
  CHECK(lifted >= 10);
  const Problem large = make_problem(synthetic_family(20'000, 1)).value();
  CHECK(bound_of(large) == large.sections().load());
}

TEST_CASE("levels: the heights are the sums of some of the sizes") {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    ProblemInput input;
    std::set<std::int64_t> sums = {0};
    for (std::int64_t n = random.uniform(1, 7); n > 0; --n) {
      const std::int64_t size = random.uniform(1, 90);
      input.add("b", buffer(0, 5, size));
      for (const std::int64_t sum : std::set<std::int64_t>(sums)) sums.insert(sum + size);
    }
    const Instance instance = instances_of(make_problem(input).value(), 0).front();
    const Levels levels(instance);
    for (std::int64_t height = 0; height <= *sums.rbegin(); ++height) {
      const std::int64_t in_units = (height + instance.unit - 1) / instance.unit;
      CHECK(levels.at_least(in_units) * instance.unit == *sums.lower_bound(height));
    }
    CHECK(levels.at_least(*sums.rbegin() / instance.unit + 5) == *sums.rbegin() / instance.unit + 5);
  }
}
