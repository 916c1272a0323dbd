#include "core/search/live_plan.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/search/large_fit.h"
#include "tests/support/buffer.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

Plan plan_of(std::vector<std::int64_t> offsets) {
  Plan plan;
  plan.offsets = std::move(offsets);
  return plan;
}

/// A sound plan to begin with.
std::vector<std::int64_t> first_plan(const Problem& problem) {
  std::vector<std::int64_t> offsets(problem.size(), 0);
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    for (const Instance& instance : instances_of(problem, static_cast<std::uint16_t>(s))) {
      LargeFit greedy(instance, 1);
      greedy.attempt(0, instance.bound(), 20'000, RunContext());
      const auto placed = greedy.complete();
      REQUIRE(placed);
      for (std::size_t k = 0; k < placed->size(); ++k) {
        offsets[instance.items[k].buffer] = (*placed)[k] * instance.unit;
      }
    }
  }
  return offsets;
}

struct Changed {
  Replanned what;
  std::vector<std::int64_t> offsets;
};

/// One edit with nothing kept: `before` has kNoOffset where there is no place yet.
std::optional<Changed> replan(const Problem& problem, std::span<const std::int64_t> before,
                              const std::vector<BufferIndex>& edited, const ReplanLimits& limits,
                              const RunContext& context) {
  std::vector<std::int64_t> placed(before.begin(), before.end());
  std::vector<LiveEdit> edits;
  for (const BufferIndex i : edited) placed[i] = kNoOffset;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (placed[i] == kNoOffset) edits.push_back({i, problem[i], before[i]});
  }
  LivePlan live(problem, placed);
  const auto done = live.change(edits, limits, context);
  if (!done) return std::nullopt;
  return Changed{*done, live.offsets()};
}

BufferIndex any_buffer(Random& random, const ProblemInput& input) {
  return static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(input.buffers.size()) - 1));
}

/// A change of the kind that hands make.
void change(Random& random, Buffer& b) {
  switch (random.uniform(0, 3)) {
    case 0:
      b.end += random.uniform(0, 1 + b.lifetime() / 4);
      break;
    case 1:
      b.size = std::max<std::int64_t>(1, b.size * random.uniform(50, 200) / 100);
      break;
    case 2:
      b.start -= random.uniform(0, 1 + b.lifetime() / 4);
      break;
    default:
      b.size += b.size / 10;
  }
}

/// Alignments, spaces and empty buffers, each in some of them.
ProblemInput mixed_problem(std::uint64_t seed, int buffers) {
  RandomShape shape;
  shape.buffers = buffers;
  shape.alignments = seed % 2 == 0;
  shape.spaces = seed % 3 == 0;
  shape.empty_ones = seed % 5 == 0;
  return random_problem(seed, shape).input();
}

}  // namespace

TEST_CASE("live plan: after each of many edits the plan is sound, near the load, and most buffers stay") {
  for (const std::size_t buffers : {1'000U, 10'000U}) {
    CAPTURE(buffers);
    Random random(buffers);
    ProblemInput input = synthetic_family(buffers, 3);
    Problem problem = make_problem(input).value();
    std::vector<std::int64_t> offsets = first_plan(problem);
    REQUIRE(check_plan(problem, plan_of(offsets)).valid());
    std::size_t moved = 0;
    int stayed = 0;
    constexpr int kEdits = 120;
    for (int k = 0; k < kEdits; ++k) {
      CAPTURE(k);
      const BufferIndex edited = any_buffer(random, input);
      change(random, input.buffers[edited]);
      problem = make_problem(input).value();
      const auto done = replan(problem, offsets, std::vector<BufferIndex>{edited}, ReplanLimits(), RunContext());
      REQUIRE(done);
      CHECK(check_plan(problem, plan_of(done->offsets)).valid());
      CHECK(done->what.bound == problem.sections().load());
      std::int64_t highest = 0;
      std::size_t differ = 0;
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        highest = std::max(highest, done->offsets[i] + problem[i].size);
        differ += done->offsets[i] != offsets[i] ? 1U : 0U;
      }
      CHECK(done->what.makespan == highest);
      CHECK(done->what.moved.size() == differ);
      CHECK(done->what.wants_new_plan() == (highest > done->what.bound));
      CHECK((done->what.tier != ReplanTier::kStay || differ == 0));
      CHECK((done->what.tier != ReplanTier::kFit || differ <= 1));
      moved += differ;
      stayed += done->what.tier <= ReplanTier::kEject ? 1 : 0;
      offsets = done->offsets;
    }
    CHECK(stayed > kEdits * 3 / 4);
    CHECK(moved < kEdits * buffers / 50);
  }
}

TEST_CASE("live plan: where nothing is to spare nineteen of twenty edits end within half a per cent of the load") {
  int edits = 0;
  int near = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(tried(8)); ++seed) {
    Random random(seed);
    ProblemInput input = synthetic_family(1'000, seed);
    Problem problem = make_problem(input).value();
    LivePlan live(problem, first_plan(problem));
    for (int k = 0; k < 60; ++k) {
      const std::int32_t peak = problem.sections().peak();
      std::vector<BufferIndex> there;
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        const SectionRange range = problem.sections().range(i);
        if (range.first <= peak && peak < range.last) there.push_back(i);
      }
      const BufferIndex i = there[static_cast<std::size_t>(random.uniform(0, std::int64_t(there.size()) - 1))];
      input.buffers[i].end += 1 + input.buffers[i].lifetime() / 10;
      const LiveEdit edit{i, input.buffers[i], kNoOffset};
      const auto done = live.change({&edit, 1}, ReplanLimits(), RunContext());
      REQUIRE(done);
      problem = make_problem(input).value();
      CHECK(check_plan(problem, plan_of(live.offsets())).valid());
      ++edits;
      near += static_cast<double>(done->makespan) <= 1.005 * static_cast<double>(done->bound) ? 1 : 0;
    }
  }
  CHECK(edits > 0);
  CHECK(near * 20 >= edits * 19);
}

TEST_CASE("live plan: alignment, pins, spaces and new buffers; the same again for the same seed") {
  for (std::uint64_t seed = 1; seed <= tried(30); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input = mixed_problem(seed, 60);
    std::vector<std::int64_t> offsets = first_plan(make_problem(input).value());
    for (int k = 0; k < 40; ++k) {
      CAPTURE(k);
      std::vector<BufferIndex> edited;
      for (std::int64_t n = random.uniform(1, 3); n > 0; --n) {
        const BufferIndex i = any_buffer(random, input);
        Buffer& b = input.buffers[i];
        if (b.is_fixed()) {
          b.fixed = kNoOffset;
        } else if (random.uniform(0, 6) == 0) {
          b.alignment = 1;
          b.fixed = random.uniform(0, 100);
        } else {
          change(random, b);
        }
        edited.push_back(i);
      }
      if (random.uniform(0, 3) == 0) {
        input.add("new", buffer(random.uniform(0, 20), 25, random.uniform(1, 30)));
        offsets.push_back(kNoOffset);
      }
      const Problem problem = make_problem(input).value();
      RunContext context;
      context.seed = seed;
      const auto done = replan(problem, offsets, edited, ReplanLimits(), context);
      if (!done) {  // pins collide
        for (Buffer& b : input.buffers) b.fixed = kNoOffset;
        offsets = first_plan(make_problem(input).value());
        continue;
      }
      CHECK(check_plan(problem, plan_of(done->offsets)).valid());
      CHECK(replan(problem, offsets, edited, ReplanLimits(), context)->offsets == done->offsets);
      offsets = done->offsets;
    }
  }
}

TEST_CASE("live plan: takes the cheapest tier that does") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 4));  // at 0
  input.add("b", buffer(0, 2, 2));  // at 4
  input.add("c", buffer(2, 4, 2));  // at 4
  input.add("d", buffer(4, 8, 6));  // at 0: the height
  const std::vector<std::int64_t> offsets = {0, 4, 4, 0};
  const auto after = [&](const ProblemInput& changed, std::vector<BufferIndex> edited) {
    return *replan(make_problem(changed).value(), offsets, edited, ReplanLimits(), RunContext());
  };
  ProblemInput smaller = input;
  smaller.buffers[1].size = 1;
  CHECK(after(smaller, {1}).what.tier == ReplanTier::kStay);
  ProblemInput later = input;
  later.buffers[0] = buffer(4, 5, 4);
  later.buffers[3].size = 2;  // both: the larger stays, the other finds the gap above
  const Changed two = after(later, {0, 3});
  CHECK(two.what.tier == ReplanTier::kFit);
  CHECK(two.offsets[0] == 0);
  CHECK(two.offsets[3] == 4);
  CHECK(two.what.moved.size() == 1);
  CHECK_FALSE(two.what.wants_new_plan());
  CHECK(name_of(two.what.tier) == "fit");
}

TEST_CASE("live plan: pins that collide have no plan, and effort of nothing still gives a sound one") {
  ProblemInput input;
  input.add("a", buffer(0, 4, 4));
  input.add("b", buffer(0, 4, 4));
  input.buffers[0].fixed = 0;
  input.buffers[1].fixed = 2;
  const std::vector<std::int64_t> offsets = {0, 4};
  CHECK_FALSE(replan(make_problem(input).value(), offsets, std::vector<BufferIndex>{1}, {}, RunContext()));
  Random random(9);
  ProblemInput tight = synthetic_family(300, 2);
  std::vector<std::int64_t> at = first_plan(make_problem(tight).value());
  for (int k = 0; k < 60; ++k) {
    const BufferIndex i = any_buffer(random, tight);
    change(random, tight.buffers[i]);
    const Problem problem = make_problem(tight).value();
    at = replan(problem, at, std::vector{i}, ReplanLimits{0, 0}, RunContext())->offsets;
    CHECK(check_plan(problem, plan_of(at)).valid());
  }
}

TEST_CASE("live plan: kept over many edits it is what it would be made anew, and a change can be taken back") {
  for (std::uint64_t seed = 1; seed <= tried(12); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input = mixed_problem(seed, 80);
    const Problem first = make_problem(input).value();
    LivePlan live(first, first_plan(first));
    for (int k = 0; k < 60; ++k) {
      CAPTURE(k);
      const std::vector<std::int64_t> before = live.offsets();
      ProblemInput wanted = input;
      const bool grows = random.uniform(0, 5) == 0;
      if (grows) wanted.add("new", buffer(random.uniform(0, 20), 25, random.uniform(0, 30)));
      const BufferIndex i = grows ? static_cast<BufferIndex>(wanted.buffers.size() - 1) : any_buffer(random, wanted);
      Buffer& b = wanted.buffers[i];
      if (b.is_fixed() || random.uniform(0, 8) == 0) {
        b.fixed = b.is_fixed() ? kNoOffset : random.uniform(0, 100);
        b.alignment = 1;
      } else if (!grows) {
        change(random, b);
      }
      if (!b.is_fixed() && random.uniform(0, 9) == 0) b.size = 0;
      const auto done = live.change(std::vector{LiveEdit{i, b, kNoOffset}}, ReplanLimits(), RunContext());
      if (!done) {
        CHECK(live.offsets() == before);
        continue;
      }
      const std::vector<std::int64_t> after = live.offsets();
      if (random.uniform(0, 3) == 0) {
        live.take_back();
        REQUIRE(live.offsets() == before);
        continue;
      }
      input = wanted;
      const Problem problem = make_problem(input).value();
      CHECK(check_plan(problem, plan_of(after)).valid());
      std::vector<std::int64_t> padded = before;
      padded.resize(problem.size(), kNoOffset);
      const auto anew = replan(problem, padded, {i}, ReplanLimits(), RunContext());
      REQUIRE(anew);
      CHECK(anew->offsets == after);
      CHECK(anew->what.tier == done->tier);
      CHECK(anew->what.moved == done->moved);
      CHECK(anew->what.bound == done->bound);
      CHECK(anew->what.makespan == done->makespan);
    }
  }
}
