#include "core/explain/what_if.h"

#include <algorithm>
#include <stop_token>

#include <doctest/doctest.h>

#include "core/explain/sensitivity.h"
#include "core/model/metrics.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

const Allocator& first_fit() {
  const Allocator* allocator = find_allocator("first-fit-size");
  REQUIRE(allocator != nullptr);
  return *allocator;
}

/// The problem without one buffer, made anew from the others.
Problem without(const Problem& problem, BufferIndex gone) {
  ProblemInput input;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (i != gone) input.add(problem.id(i), problem[i]);
  }
  return make_problem(std::move(input)).value();
}

}  // namespace

TEST_CASE("what if: a buffer of size 0 is as good as gone, for load and for makespan") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);

    RandomShape shape;
    shape.alignments = true;
    const Problem problem = random_problem(seed, shape);
    for (BufferIndex i = 0; i < problem.size(); i += 3) {
      const Problem emptied = make_problem(with_size(problem, i, 0)).value();
      const Problem gone = without(problem, i);
      CHECK(measure(emptied).load == measure(gone).load);
      RunContext context;
      const auto a = run_allocator(first_fit(), emptied, {}, context);
      const auto b = run_allocator(first_fit(), gone, {}, context);
      REQUIRE(a);
      REQUIRE(b);
      CHECK(makespan_of_space(emptied, a->plan, 0) == makespan_of_space(gone, b->plan, 0));
    }
  }
}

TEST_CASE("what if: a smaller buffer keeps what still fits it, and one of size 0 is no longer pinned") {
  ProblemInput input;
  Details details;
  details.gaps = {Gap{2, 4, Window{2, 18}}};
  details.requested = 19;
  Buffer pinned = buffer(0, 9, 20);
  pinned.fixed = 64;
  input.add("b", pinned, details);
  const Problem problem = make_problem(std::move(input)).value();
  const Problem half = make_problem(with_size(problem, 0, 10)).value();
  CHECK(half.gaps(0)[0].window == Window{2, 10});
  CHECK(half[0].fixed == 64);
  CHECK_FALSE(half.details(0)->requested);
  const Problem gone = make_problem(with_size(problem, 0, 0)).value();
  CHECK_FALSE(gone[0].is_fixed());
  CHECK(measure(gone).lower_bound == 0);
}

TEST_CASE("what if: buffers below a capacity are counted as the metrics count them") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);

    const Problem problem = random_problem(seed, RandomShape{});
    RunContext context;
    const auto run = run_allocator(first_fit(), problem, {}, context);
    REQUIRE(run);
    const std::int64_t makespan = makespan_of_space(problem, run->plan, 0);
    for (std::int64_t capacity = 0; capacity <= makespan + 1; capacity += 7) {
      const Problem limited = make_problem(with_capacity(problem, capacity)).value();
      CHECK(count_below(problem, run->plan, 0, capacity) == measure(limited, measure(limited), run->plan).fits);
    }
    CHECK(count_below(problem, run->plan, 0, makespan) == static_cast<std::int64_t>(problem.size()));
  }
}

TEST_CASE("what if: each alignment is planned by itself, the smallest changes nothing") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 10));
  input.add("b", buffer(2, 6, 3));
  input.add("c", buffer(5, 9, 30));
  const Problem problem = make_problem(std::move(input)).value();
  const std::vector<std::int64_t> alignments = {1, 16, 64};
  const auto outcomes = try_alignments(problem, first_fit(), 0, alignments, RunContext{});
  REQUIRE(outcomes);
  REQUIRE(outcomes->size() == 3);
  CHECK((*outcomes)[0].makespan == 33);
  // c at 0 and a at 0 share no time; b lies above both at a multiple of the alignment.
  CHECK((*outcomes)[1].makespan == 35);
  CHECK((*outcomes)[2].makespan == 67);
  for (const AlignmentOutcome& outcome : *outcomes) CHECK(outcome.planned);
  std::stop_source source;
  source.request_stop();
  RunContext stopped;
  stopped.stop = source.get_token();
  CHECK_FALSE(try_alignments(problem, first_fit(), 0, alignments, stopped));
}

TEST_CASE("sensitivity: the ranking is what planning without each buffer gives") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);

    RandomShape shape;
    shape.buffers = 25;
    const Problem problem = random_problem(seed, shape);
    double last = 0;
    RunContext context;
    context.progress = [&](double share) {
      CHECK(share >= last);
      last = share;
    };
    const auto report = sensitivity(problem, first_fit(), 0, context);
    REQUIRE(report);
    CHECK(report->complete);
    CHECK(last == 1);
    RunContext plain;
    const auto now = run_allocator(first_fit(), problem, {}, plain);
    CHECK(report->now.makespan == makespan_of_space(problem, now->plan, 0));
    CHECK(report->now.load == measure(problem).load);
    std::int64_t before = 0;
    const std::int64_t peak = measure(problem).peak_start;
    for (const Sensitivity& one : report->ranks) {
      const Problem gone = without(problem, one.buffer);
      const auto run = run_allocator(first_fit(), gone, {}, plain);
      REQUIRE(one.without);
      CHECK(one.without->makespan == makespan_of_space(gone, run->plan, 0));
      CHECK(one.without->load == measure(gone).load);
      CHECK(one.without->makespan >= before);
      before = one.without->makespan;
      const Buffer& b = problem[one.buffer];
      CHECK(one.at_peak == (b.start <= peak && peak < b.end && b.size > 0));
    }
    CHECK(report->ranks.size() + report->left_out ==
          static_cast<std::size_t>(std::count_if(problem.buffers().begin(), problem.buffers().end(),
                                                 [](const Buffer& b) { return b.takes_memory(); })));
  }
}

TEST_CASE("sensitivity: asked to stop it returns what it has tried") {
  RandomShape shape;
  shape.buffers = 30;
  const Problem problem = random_problem(3, shape);
  std::stop_source source;
  RunContext context;
  context.stop = source.get_token();
  int steps = 0;
  context.progress = [&](double) {
    if (++steps == 4) source.request_stop();
  };
  const auto report = sensitivity(problem, first_fit(), 0, context);
  REQUIRE(report);
  CHECK_FALSE(report->complete);
  CHECK(report->ranks.size() == 4);
  CHECK(report->left_out > 0);
}
