#include "core/allocators/order.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include <doctest/doctest.h>

#include "core/model/conflicts.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Rows = std::vector<BufferIndex>;

Rows sorted(const Problem& problem, const std::function<bool(BufferIndex, BufferIndex)>& before) {
  Rows rows(problem.size());
  for (BufferIndex i = 0; i < rows.size(); ++i) rows[i] = i;
  std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

std::int64_t highest_load(const Problem& problem, BufferIndex i) {
  const SectionRange range = problem.sections().range(i);
  std::int64_t load = 0;
  for (std::int32_t s = range.first; s < range.last; ++s) {
    load = std::max(load, problem.sections()[static_cast<std::size_t>(s)].load);
  }
  return load;
}

}  // namespace

TEST_CASE("named orders sort as they say and break ties by row") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = seed == 50 ? 2000 : 30;
    shape.largest = 6;  // many ties
    shape.horizon = 12;
    const Problem problem = random_problem(seed, shape);
    const auto b = problem.buffers();
    const auto counts = conflict_counts(problem);
    CHECK(make_order(problem, "size") == sorted(problem, [&](auto x, auto y) { return b[x].size > b[y].size; }));
    CHECK(make_order(problem, "lifetime") ==
          sorted(problem, [&](auto x, auto y) { return b[x].lifetime() > b[y].lifetime(); }));
    CHECK(make_order(problem, "area") ==
          sorted(problem, [&](auto x, auto y) { return b[x].size * b[x].lifetime() > b[y].size * b[y].lifetime(); }));
    CHECK(make_order(problem, "conflicts") == sorted(problem, [&](auto x, auto y) { return counts[x] > counts[y]; }));
    CHECK(make_order(problem, "start") == sorted(problem, [&](auto x, auto y) {
            return b[x].start != b[y].start ? b[x].start < b[y].start : b[x].size > b[y].size;
          }));
    CHECK(make_order(problem, "given") == sorted(problem, [](auto, auto) { return false; }));
  }
}

TEST_CASE("letters are compared in turn, larger first") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.horizon = 12;
    const Problem problem = random_problem(seed, shape);
    const auto b = problem.buffers();
    CHECK(make_order(problem, "TW") == sorted(problem, [&](auto x, auto y) {
            const auto tx = highest_load(problem, x);
            const auto ty = highest_load(problem, y);
            return tx != ty ? tx > ty : b[x].lifetime() > b[y].lifetime();
          }));
    CHECK(make_order(problem, "LUZ") == sorted(problem, [&](auto x, auto y) {
            return std::tuple(b[x].start, b[x].end, b[x].size) > std::tuple(b[y].start, b[y].end, b[y].size);
          }));
    CHECK(make_order(problem, "C") == sorted(problem, [&](auto x, auto y) {
            return problem.sections().range(x).length() > problem.sections().range(y).length();
          }));
  }
}

TEST_CASE("an area above 64 bits is compared exactly") {
  ProblemInput input;
  Buffer b;
  b.end = std::int64_t{1} << 40;
  b.size = std::int64_t{1} << 40;
  input.add("less", b);
  b.size += 1;
  input.add("more", b);
  CHECK(make_order(make_problem(input).value(), "area").value() == Rows{1, 0});
}

TEST_CASE("what is neither a name nor letters is refused") {
  const Problem problem = random_problem(1, RandomShape{});
  for (const char* order : {"", "sizes", "tw", "TWX", "size "}) CHECK_FALSE(make_order(problem, order));
}
