#include "core/search/priorities.h"

#include <numeric>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/problem.h"
#include "tests/support/buffer.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr std::int64_t kItems = 60;

/// The share of pairs in which the lower one in the plan comes first.
double agreement(std::span<const double> drawn, const std::vector<std::int64_t>& offsets) {
  int pairs = 0;
  int agree = 0;
  for (std::size_t a = 0; a < offsets.size(); ++a) {
    for (std::size_t b = a + 1; b < offsets.size(); ++b) {
      ++pairs;
      agree += (offsets[a] < offsets[b]) == (drawn[a] > drawn[b]) ? 1 : 0;
    }
  }
  return static_cast<double>(agree) / pairs;
}

int followed(Priorities& priorities, Random& random, const std::vector<std::int64_t>& offsets, int runs) {
  const std::vector<std::int32_t> failures(kItems, 0);
  int count = 0;
  for (int run = 0; run < runs; ++run) count += agreement(priorities.draw(random, failures), offsets) > 0.75 ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("priorities: most runs follow a plan at first, ever fewer do, and only a lower one is worth it again") {
  // Equal buffers: all that tells them apart is noise and the plan.
  ProblemInput input;
  for (std::int64_t k = 0; k < kItems; ++k) input.add(fmt::format("b{}", k), buffer(0, 1, 1));
  const std::vector<Instance> instances = instances_of(make_problem(input).value(), 0);
  REQUIRE(instances.size() == 1);
  Random random(1);
  std::vector<std::int64_t> offsets(kItems);
  std::iota(offsets.begin(), offsets.end(), 0);

  Priorities alone(instances[0]);
  CHECK(followed(alone, random, offsets, 100) == 0);

  Priorities priorities(instances[0]);
  priorities.follow(offsets, kItems);
  CHECK(followed(priorities, random, offsets, 10) >= 6);
  followed(priorities, random, offsets, 1'000);
  const int later = followed(priorities, random, offsets, 100);
  CHECK(later > 0);
  CHECK(later < 20);

  priorities.follow(offsets, kItems);
  CHECK(followed(priorities, random, offsets, 10) < 5);
  const std::vector<std::int64_t> other(offsets.rbegin(), offsets.rend());
  priorities.follow(other, kItems - 1);
  CHECK(followed(priorities, random, other, 10) >= 6);
}
