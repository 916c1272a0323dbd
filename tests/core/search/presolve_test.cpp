#include "core/search/presolve.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/model/check.h"
#include "core/search/capacity_question.h"
#include "tests/core/search/enumerator.h"
#include "tests/support/buffer.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Lives that often last from end to end, of the whole or of what is left.
ProblemInput nested_problem(Random& random, bool aligned) {
  ProblemInput input;
  const std::int64_t horizon = random.uniform(2, 9);
  const std::int64_t buffers = random.uniform(1, 8);
  const auto unit = aligned ? random.uniform(1, 3) : 1;
  for (std::int64_t k = 0; k < buffers; ++k) {
    std::int64_t start = random.uniform(0, horizon - 1);
    std::int64_t end = random.uniform(start + 1, horizon);
    if (random.uniform(0, 2) == 0) start = 0;
    if (random.uniform(0, 2) == 0) end = horizon;
    input.add("b", buffer(start, end, unit * random.uniform(1, 6), aligned ? random.uniform(1, 3) : 1));
  }
  if (random.uniform(0, 5) == 0) {
    input.buffers[0].alignment = 1;
    input.buffers[0].fixed = random.uniform(0, 5);
  }
  if (random.uniform(0, 3) == 0) input.spaces[0].base = static_cast<std::uint64_t>(random.uniform(0, 5));
  return input;
}

/// The lowest height of an instance, units, and the offsets; by asking one capacity after the other.
std::int64_t lowest(const Instance& instance, std::vector<std::int64_t>& offsets) {
  for (std::int64_t capacity = instance.bound();; ++capacity) {
    CapacityQuestion question(instance, capacity, 1);
    if (question.go_on(kMaxInt64 / 2, RunContext()) != Verdict::kFits) continue;
    offsets = question.offsets();
    return instance.height(offsets);
  }
}

}  // namespace

TEST_CASE("presolve: the lowest plans of what is left, on top of what is settled, are the lowest plan of the whole") {
  Random random(11);
  int settled = 0;
  int fell_apart = 0;
  for (int k = 0; k < 3'000; ++k) {
    CAPTURE(k);
    const Problem problem = make_problem(nested_problem(random, k % 2 == 0)).value();
    Plan plan;
    plan.offsets.assign(problem.size(), kNoOffset);
    std::int64_t height = 0;
    for (const Instance& instance : instances_of(problem, 0)) {
      const Presolved presolved = presolve(instance);
      REQUIRE_FALSE(presolved.pieces.empty());
      settled += static_cast<int>(presolved.settled.size());
      fell_apart += presolved.pieces.size() > 1 ? 1 : 0;
      for (const auto& [buffer, offset] : presolved.settled) plan.offsets[buffer] = offset;
      for (const Presolved::Piece& piece : presolved.pieces) {
        std::vector<std::int64_t> offsets;
        height = std::max(height, piece.base + lowest(piece.instance, offsets) * piece.instance.unit);
        std::int64_t below = 0;
        for (const BufferIndex i : piece.below) below += problem[i].size;
        CHECK(below == piece.base);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
          plan.offsets[piece.instance.items[i].buffer] = piece.base + offsets[i] * piece.instance.unit;
        }
      }
    }
    CHECK(check_plan(problem, plan).valid());
    CHECK(Enumerator(problem, height).fits());
    CHECK_FALSE(Enumerator(problem, height - 1).fits());
  }
  CHECK(settled > 1'000);
  CHECK(fell_apart > 100);
}

TEST_CASE("presolve: equal buffers all but one settle, and deep nesting ends soon") {
  ProblemInput equal;
  for (int k = 0; k < 20'000; ++k) equal.add("b", buffer(0, 5, 3));
  const Presolved one = presolve(instances_of(make_problem(equal).value(), 0).front());
  REQUIRE(one.pieces.size() == 1);
  CHECK(one.pieces[0].instance.items.size() == 1);
  CHECK(one.pieces[0].base == 3 * 19'999);

  ProblemInput stairs;
  for (int k = 0; k < 30'000; ++k) {
    stairs.add("long", buffer(k, 60'000, 1));
    stairs.add("short", buffer(k, k + 1, 1));
  }
  const Presolved some = presolve(instances_of(make_problem(stairs).value(), 0).front());
  std::size_t left = some.settled.size();
  for (const Presolved::Piece& piece : some.pieces) left += piece.instance.items.size();
  CHECK(left == 60'000);
}
