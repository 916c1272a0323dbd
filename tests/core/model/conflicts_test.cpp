#include "core/model/conflicts.h"

#include <doctest/doctest.h>

#include "core/model/lifetime.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

nlohmann::json as_json(std::optional<std::int64_t> size) {
  return size ? nlohmann::json(*size) : nlohmann::json("none");
}

/// From the definition: at each instant, the highest needed byte of `below` less the lowest of `above`.
std::optional<std::int64_t> slow_effective_size(const Problem& problem, BufferIndex below, BufferIndex above) {
  std::optional<std::int64_t> size;
  for (std::int64_t t = -20; t < 100; ++t) {
    for (const Piece& p : pieces_of(problem[below], problem.gaps(below))) {
      for (const Piece& q : pieces_of(problem[above], problem.gaps(above))) {
        if (t < p.start || t >= p.end || t < q.start || t >= q.end) continue;
        size = std::max(size.value_or(p.high - q.low), p.high - q.low);
      }
    }
  }
  return size;
}

}  // namespace

TEST_CASE("effective sizes are minimalloc's") {
  STOWAGE_NEED_SHARED(shared);
  const auto cases = conformance_cases(shared / "conformance/others.json", {"effective-size"});
  REQUIRE(cases.size() >= 6);
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    const auto& expected = c.json["expected"]["effective_size"];
    if (expected["A_below_B"] != "unchecked") CHECK(as_json(effective_size(c.problem, 0, 1)) == expected["A_below_B"]);
    if (expected["B_below_A"] != "unchecked") CHECK(as_json(effective_size(c.problem, 1, 0)) == expected["B_below_A"]);
  }
}

TEST_CASE("effective sizes, conflict lists and counts agree with the definition") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 10;
    shape.gaps = seed % 3 != 0;
    const Problem problem = random_problem(seed, shape);
    const auto counts = conflict_counts(problem);
    const auto overlaps = all_overlaps(problem);
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      std::vector<BufferIndex> expected;
      for (BufferIndex b = 0; b < problem.size(); ++b) {
        if (a == b) continue;
        const auto size = slow_effective_size(problem, a, b);
        CHECK(effective_size(problem, a, b) == size);
        if (size) expected.push_back(b);
      }
      CHECK(conflicts_of(problem, a) == expected);
      CHECK(counts[a] == static_cast<std::int64_t>(expected.size()));
      CHECK(overlaps[a].size() == expected.size());
    }
  }
}
