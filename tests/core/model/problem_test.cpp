#include "core/model/problem.h"

#include <doctest/doctest.h>

#include "tests/support/buffer.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

bool mentions(const std::vector<Fault>& faults, BufferIndex i, std::string_view field) {
  for (const Fault& fault : faults) {
    if (fault.buffer == i && fault.field == field) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the gate reports every fault, not only the first") {
  ProblemInput input;
  input.add("late", buffer(5, 3, 1));
  input.add("negative", buffer(0, 1, -4));
  Buffer odd = buffer(0, 1, 4);
  odd.alignment = 0;
  input.add("odd", odd);
  Buffer high = buffer(0, 1, 16);
  high.fixed = kMaxInt64 - 7;
  input.add("high", high);
  const auto made = make_problem(input);
  REQUIRE_FALSE(made);
  CHECK(made.error().size() == 4);
  CHECK(mentions(made.error(), 0, "upper"));
  CHECK(mentions(made.error(), 1, "size"));
  CHECK(mentions(made.error(), 2, "alignment"));
  CHECK(mentions(made.error(), 3, "fixed"));
}

TEST_CASE("a sum of sizes above 2^63-1 is a fault, also when only padding pushes it there") {
  const std::int64_t half = std::int64_t{1} << 62;
  ProblemInput sizes;
  sizes.add("a", buffer(0, 1, half));
  sizes.add("b", buffer(5, 6, half));
  CHECK_FALSE(make_problem(sizes));

  ProblemInput padded;
  padded.add("a", buffer(0, 1, half - 1));
  Buffer b = buffer(5, 6, 1);
  b.alignment = half + 1;
  padded.add("b", b);
  CHECK_FALSE(make_problem(padded));

  ProblemInput fits;
  fits.add("a", buffer(0, 1, half));
  fits.add("b", buffer(0, 1, half - 1));
  const auto made = make_problem(fits);
  REQUIRE(made);
  CHECK(made->sections().load() == kMaxInt64);
}

TEST_CASE("gaps must be ordered, inside the lifetime, with a window inside the buffer") {
  const auto with = [](std::vector<Gap> gaps) {
    ProblemInput input;
    Details details;
    details.gaps = std::move(gaps);
    input.add("a", buffer(0, 10, 8), details);
    return make_problem(input).has_value();
  };
  CHECK(with({{1, 4, {}}, {4, 6, Window{0, 8}}}));
  CHECK_FALSE(with({{4, 1, {}}}));
  CHECK_FALSE(with({{8, 11, {}}}));
  CHECK_FALSE(with({{-1, 2, {}}}));
  CHECK_FALSE(with({{1, 5, {}}, {4, 6, {}}}));
  CHECK_FALSE(with({{1, 5, Window{0, 9}}}));
  CHECK_FALSE(with({{1, 5, Window{3, 2}}}));
}

TEST_CASE("zero sizes and zero lengths pass the gate, are kept and count nowhere") {
  ProblemInput input;
  input.add("empty", buffer(0, 4, 0));
  input.add("instant", buffer(2, 2, 9));
  input.add("real", buffer(0, 4, 5));
  const auto problem = make_problem(input);
  REQUIRE(problem);
  CHECK(problem->size() == 3);
  CHECK(problem->sections().load() == 5);
}

TEST_CASE("alignment holds for base plus offset") {
  ProblemInput input;
  input.spaces = {Space{"device", (std::uint64_t{1} << 63U) + 5, {}, {}}};
  Buffer b = buffer(0, 1, 4);
  b.alignment = 8;
  input.add("a", b);
  const Problem problem = make_problem(input).value();
  const Grid grid = problem.grid(0);
  CHECK(grid.up(0) == 3);
  CHECK(grid.up(3) == 3);
  CHECK(grid.up(4) == 11);
  CHECK(grid.holds(11));
  CHECK_FALSE(grid.holds(8));
  CHECK(grid.up(kMaxInt64) == kMaxInt64);
}

TEST_CASE("times at both ends of int64 are refused when their distance does not fit") {
  ProblemInput input;
  input.add("long", buffer(kMinInt64, kMaxInt64, 1));
  CHECK_FALSE(make_problem(input));
}
