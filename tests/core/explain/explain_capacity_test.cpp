#include "core/explain/explain_capacity.h"

#include <algorithm>
#include <functional>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/explain/feasibility.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "tests/support/all_rows.h"
#include "tests/support/buffer.h"
#include "tests/support/conformance.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Rows = std::vector<BufferIndex>;
using Verdict = CapacityExplanation::Verdict;
using Reason = CapacityExplanation::Reason;

/// Tries every offset of every buffer: nothing in common with the search.
bool fits_by_force(const Problem& problem, const Rows& rows, std::int64_t capacity) {
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  const std::function<bool(std::size_t)> place = [&](std::size_t k) {
    if (k == rows.size()) return true;
    const BufferIndex i = rows[k];
    for (std::int64_t at = 0; at + problem[i].size <= capacity; ++at) {
      if (!problem.grid(i).holds(at) || (problem[i].is_fixed() && at != problem[i].fixed)) continue;
      const bool free = std::all_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k), [&](BufferIndex j) {
        const auto i_below = effective_size(problem, i, j);
        const auto j_below = effective_size(problem, j, i);
        return !i_below || at + *i_below <= offsets[j] || offsets[j] + *j_below <= at;
      });
      if (!free) continue;
      offsets[i] = at;
      if (place(k + 1)) return true;
    }
    return false;
  };
  return place(0);
}

Problem small_problem(std::uint64_t seed) {
  Random random(seed);
  ProblemInput input;
  const std::int64_t count = random.uniform(5, 7);
  for (std::int64_t i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.start = random.uniform(0, 7);
    buffer.end = buffer.start + random.uniform(1, 5);
    buffer.size = random.uniform(1, 4);
    if (seed % 4 == 0) buffer.alignment = random.uniform(1, 3);
    if (seed % 5 == 0 && random.uniform(0, 4) == 0) {
      buffer.fixed = random.uniform(0, 4);
      buffer.alignment = 1;
    }
    input.add(fmt::format("b{}", i), buffer);
  }
  return make_problem(std::move(input)).value();
}

void check_set(const Problem& problem, const CapacityExplanation& explanation) {
  const std::int64_t capacity = explanation.capacity;
  CHECK(explanation.minimal);
  CHECK_FALSE(fits_by_force(problem, explanation.set, capacity));
  for (const BufferIndex dropped : explanation.set) {
    Rows rest = explanation.set;
    std::erase(rest, dropped);
    CHECK(fits_by_force(problem, rest, capacity));
  }
}

void check_remedies(const Problem& problem, const CapacityExplanation& explanation) {
  const Rows all = all_rows(problem);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    Rows rest = all;
    std::erase(rest, i);
    const auto found = std::find_if(explanation.remedies.begin(), explanation.remedies.end(),
                                    [&](const Remedy& remedy) { return remedy.buffer == i; });
    const bool helps = fits_by_force(problem, rest, explanation.capacity);
    CHECK(helps == (found != explanation.remedies.end()));
    if (!helps) continue;
    CHECK(found->least_is_proved);
    for (std::int64_t shrink = 0; shrink <= found->shrink; ++shrink) {
      ProblemInput input = problem.input();
      input.buffers[i].size -= shrink;
      const Problem smaller = make_problem(input).value();
      const Rows rows = smaller[i].size == 0 ? rest : all;
      CHECK(fits_by_force(smaller, rows, explanation.capacity) == (shrink == found->shrink));
    }
  }
  CHECK(std::is_sorted(explanation.remedies.begin(), explanation.remedies.end(),
                       [](const Remedy& a, const Remedy& b) { return a.shrink < b.shrink; }));
}

}  // namespace

TEST_CASE("explain: 200 problems that do not fit although their load does: sets are minimal, remedies the least") {
  int unfit = 0;
  for (std::uint64_t seed = 1; unfit < tried(200); ++seed) {
    REQUIRE(seed < 100'000);
    const Problem problem = small_problem(seed);
    const std::int64_t capacity = problem.sections().load();
    const bool pinned_above = std::any_of(problem.buffers().begin(), problem.buffers().end(),
                                          [&](const Buffer& b) { return b.is_fixed() && b.fixed + b.size > capacity; });
    if (pinned_above || fits_by_force(problem, all_rows(problem), capacity)) continue;
    ++unfit;
    CAPTURE(seed);
    const auto explanation = explain_capacity(problem, capacity, RunContext());
    REQUIRE(explanation);
    REQUIRE(explanation->verdict == Verdict::kDoesNotFit);
    CHECK(explanation->reason == Reason::kPacking);
    CHECK(explanation->load <= capacity);
    check_set(problem, *explanation);
    check_remedies(problem, *explanation);
  }
}

TEST_CASE("explain: at every capacity the verdict is that of brute force, and a plan that fits is sound") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Problem problem = small_problem(seed);
    for (std::int64_t capacity = 0; capacity <= problem.sections().load() + 3; ++capacity) {
      CAPTURE(capacity);
      const auto explanation = explain_capacity(problem, capacity, RunContext());
      REQUIRE(explanation);
      const bool fits = fits_by_force(problem, all_rows(problem), capacity);
      REQUIRE((explanation->verdict == Verdict::kFits) == fits);
      if (!fits) {
        CHECK(explanation->verdict == Verdict::kDoesNotFit);
        check_set(problem, *explanation);
        continue;
      }
      Plan plan;
      plan.offsets = explanation->offsets;
      CHECK(check_plan(make_problem(with_capacity(problem, capacity)).value(), plan).count == 0);
    }
  }
}

TEST_CASE("explain: a load above the capacity names the bytes and the time") {
  ProblemInput input;
  input.add("early", buffer(0, 4, 6));
  input.add("long", buffer(2, 9, 5));
  input.add("late", buffer(6, 9, 4));
  const Problem problem = make_problem(input).value();
  const auto explanation = explain_capacity(problem, 10, RunContext());
  REQUIRE(explanation);
  CHECK(explanation->reason == Reason::kLoad);
  CHECK(explanation->set == Rows{0, 1});
  CHECK(explanation->load == 11);
  CHECK(explanation->peak_start == 2);
  CHECK(explanation->peak_end == 4);
  CHECK(explanation->remedies == std::vector<Remedy>{{0, 1, true}, {1, 1, true}});
}

TEST_CASE("explain: a pin above the capacity stands alone") {
  ProblemInput input;
  input.add("free", buffer(0, 4, 6));
  Buffer pin = buffer(0, 4, 6);
  pin.fixed = 8;
  input.add("pin", pin);
  const auto explanation = explain_capacity(make_problem(input).value(), 12, RunContext());
  REQUIRE(explanation);
  CHECK(explanation->reason == Reason::kPin);
  CHECK(explanation->set == Rows{1});
  CHECK(explanation->remedies == std::vector<Remedy>{{1, 2, true}});
}

TEST_CASE("explain: two separate misfits leave no single remedy; the space that does not fit is named") {
  ProblemInput input;
  input.spaces = {Space{"device", 0, {}, {}}, Space{"host", 0, {}, {}}};
  input.add("fits", buffer(0, 9, 3));
  for (const std::int64_t start : {0, 20}) {
    Buffer b = buffer(start, start + 4, 3);
    b.space = 1;
    input.add("a", b);
    input.add("b", b);
  }
  const auto explanation = explain_capacity(make_problem(input).value(), 5, RunContext());
  REQUIRE(explanation);
  CHECK(explanation->verdict == Verdict::kDoesNotFit);
  CHECK(explanation->space == 1);
  CHECK(explanation->set.size() == 2);
  CHECK(explanation->remedies.empty());
}

TEST_CASE("explain: minimalloc's irreducible infeasible subset") {
  STOWAGE_NEED_SHARED(shared);
  int found = 0;
  for (const ConformanceCase& c : conformance_cases(shared / "conformance/minimalloc.json", {"minimalloc"})) {
    if (!c.json["expected"].contains("iis")) continue;
    ++found;
    const auto explanation = explain_capacity(c.problem, c.json["capacity"].get<std::int64_t>(), RunContext());
    REQUIRE(explanation);
    CHECK(explanation->set == c.json["expected"]["iis"].get<Rows>());
  }
  CHECK(found > 0);
}

TEST_CASE("explain refuses constraints that it does not know, and says when it is stopped") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 3));
  input.add("b", buffer(5, 9, 3));
  std::stop_source source;
  source.request_stop();
  RunContext stopped;
  stopped.stop = source.get_token();
  const auto cancelled = explain_capacity(make_problem(input).value(), 1, stopped);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == Error::Kind::kCancelled);

  input.spaces = {Space{"fast", 0, {}, {}}, Space{"slow", 0, {}, {}}};
  Details choice;
  choice.candidates = {0, 1};
  input.add("c", buffer(5, 9, 3), choice);
  const auto refused = explain_capacity(make_problem(input).value(), 3, RunContext());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kRefused);
}
