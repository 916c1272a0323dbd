// Planners of shared objects: against the results of the originals, and against their rules written down literally.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <tuple>

#include <doctest/doctest.h>

#include "core/allocators/min_cost_flow.h"
#include "core/allocators/task_profile.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/generate.h"
#include "core/model/metrics.h"
#include "tests/core/allocators/object_planning.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr const char* kObjectPlanners[] = {"tflite-naive",
                                           "tflite-equality",
                                           "tflite-greedy-in-order",
                                           "tflite-greedy-by-breadth",
                                           "tflite-greedy-by-size-objects",
                                           "tflite-greedy-best",
                                           "tflite-mincostflow",
                                           "executorch-greedy",
                                           "inductor-pools",
                                           "llvm-stack-coloring"};

/// Like problems of executed graphs: short lifetimes, by rising start, few different sizes so that ties are common.
Problem random_chain(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<std::int64_t, 3>> buffers;
  const std::int64_t count = random.uniform(1, 14);
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    start += random.uniform(0, 1);
    buffers.push_back({start, start + random.uniform(1, 5), random.uniform(1, 6) * 4});
  }
  return problem_of(buffers);
}

using Assignment = std::vector<std::uint32_t>;

/// Objects of one space while a literal planner works.
struct Literal {
  explicit Literal(const Problem& p) : problem(p), object_of(p.size(), Objects::kNone) {}

  void put(BufferIndex i, std::size_t object) {
    if (object == sizes.size()) sizes.push_back(0);
    sizes[object] = std::max(sizes[object], problem[i].size);
    object_of[i] = static_cast<std::uint32_t>(object);
  }
  bool is_free(std::size_t object, BufferIndex i) const {
    for (BufferIndex other = 0; other < problem.size(); ++other) {
      if (object_of[other] == object && conflict(problem, i, other)) return false;
    }
    return true;
  }

  const Problem& problem;
  std::vector<std::int64_t> sizes;
  Assignment object_of;
};

/// Free objects at the time a buffer starts: none of their buffers is live then.
std::vector<std::size_t> free_objects(const Literal& state, BufferIndex i) {
  std::vector<std::size_t> free;
  for (std::size_t object = 0; object < state.sizes.size(); ++object) {
    if (state.is_free(object, i)) free.push_back(object);
  }
  return free;
}

Literal literal_in_order(const Problem& problem) {
  Literal state(problem);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::int64_t size = problem[i].size;
    std::size_t chosen = state.sizes.size();
    // The nearest in size: of equally near ones the larger, of equal sizes the lowest id above and the highest below.
    for (const std::size_t object : free_objects(state, i)) {
      if (chosen == state.sizes.size()) {
        chosen = object;
        continue;
      }
      const auto rank = [&](std::size_t o) {
        const bool large = state.sizes[o] >= size;
        const auto id = static_cast<std::int64_t>(o);
        return std::tuple(std::abs(state.sizes[o] - size), large ? 0 : 1, large ? id : -id);
      };
      if (rank(object) < rank(chosen)) chosen = object;
    }
    state.put(i, chosen);
  }
  return state;
}

/// Every task looked at, also those whose buffers are a part of a neighbour's.
Literal literal_by_breadth(const Problem& problem) {
  Literal state(problem);
  std::map<std::int64_t, std::int64_t> breadth;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    for (std::int64_t task = problem[i].start; task < problem[i].end; ++task) breadth[task] += problem[i].size;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> tasks;
  for (const auto& [task, sum] : breadth) tasks.emplace_back(-sum, task);
  std::sort(tasks.begin(), tasks.end());
  for (const auto& entry : tasks) {
    std::vector<BufferIndex> profile;
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem[i].start <= entry.second && entry.second < problem[i].end) profile.push_back(i);
    }
    std::stable_sort(profile.begin(), profile.end(),
                     [&](BufferIndex a, BufferIndex b) { return problem[a].size > problem[b].size; });
    for (const BufferIndex i : profile) {
      if (state.object_of[i] != Objects::kNone) continue;
      std::size_t best = state.sizes.size();
      for (std::size_t object = 0; object < state.sizes.size(); ++object) {
        const bool exists = best != state.sizes.size();
        const std::int64_t size = state.sizes[object];
        if (exists && state.sizes[best] < problem[i].size && size <= state.sizes[best]) continue;
        if (exists && state.sizes[best] >= problem[i].size && (size < problem[i].size || size >= state.sizes[best])) {
          continue;
        }
        if (state.is_free(object, i)) best = object;
      }
      state.put(i, best);
    }
  }
  return state;
}

/// Distances are found anew each time, from all pairs.
Literal literal_by_size_and_distance(const Problem& problem) {
  Literal state(problem);
  const std::vector<std::int64_t> maximums = positional_maximums(problem);
  const auto distance_to = [&](BufferIndex i, std::size_t object) {
    std::int64_t least = kMaxInt64;
    for (BufferIndex other = 0; other < problem.size(); ++other) {
      if (state.object_of[other] != object) continue;
      if (conflict(problem, i, other)) return kMaxInt64;
      const Buffer& a = problem[i].start < problem[other].start ? problem[i] : problem[other];
      const Buffer& b = problem[i].start < problem[other].start ? problem[other] : problem[i];
      least = std::min(least, b.start - (a.end - 1));
    }
    return least;
  };
  for (std::size_t done = 0; done < problem.size(); ++done) {
    std::tuple<std::int64_t, std::int64_t, std::int64_t> least = {kMaxInt64, kMaxInt64, kMaxInt64};
    BufferIndex chosen = kNoBuffer;
    std::size_t into = state.sizes.size();
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (state.object_of[i] != Objects::kNone) continue;
      std::int64_t position = -1;
      for (const std::int64_t maximum : maximums) position += maximum >= problem[i].size ? 1 : 0;
      std::int64_t best = kMaxInt64;
      std::size_t nearest = state.sizes.size();
      for (std::size_t object = 0; object < state.sizes.size(); ++object) {
        if (distance_to(i, object) >= best) continue;
        best = distance_to(i, object);
        nearest = object;
      }
      const std::tuple priority(position, best, -problem[i].size);
      if (chosen != kNoBuffer && priority >= least) continue;
      least = priority;
      chosen = i;
      into = nearest;
    }
    state.put(chosen, into);
  }
  return state;
}

void check_like(const std::string& id, const Problem& problem, const Literal& expected) {
  const Objects objects = objects_of(id, problem);
  CHECK(objects.object_of == expected.object_of);
  CHECK(objects.sizes == expected.sizes);
}

/// The least sum of costs over all ways to chain the buffers, each chain paying for its first and for growth.
std::int64_t cheapest_chains(const Problem& problem, BufferIndex i, std::vector<bool>& given) {
  if (i == problem.size()) return 0;
  std::int64_t least = problem[i].size + cheapest_chains(problem, i + 1, given);
  for (BufferIndex j = 0; j < problem.size(); ++j) {
    if (given[j] || problem[j].end > problem[i].start) continue;
    given[j] = true;
    const std::int64_t growth = std::max<std::int64_t>(0, problem[i].size - problem[j].size);
    least = std::min(least, growth + cheapest_chains(problem, i + 1, given));
    given[j] = false;
  }
  return least;
}

std::int64_t cost_of_chains(const Problem& problem, const Objects& objects) {
  std::map<std::uint32_t, std::int64_t> last;  // size of the last buffer by object
  std::int64_t cost = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto before = last.find(objects.object_of[i]);
    cost += std::max<std::int64_t>(0, problem[i].size - (before == last.end() ? 0 : before->second));
    last[objects.object_of[i]] = problem[i].size;
  }
  return cost;
}

}  // namespace

TEST_CASE("planners of shared objects: the results of the originals") {
  STOWAGE_NEED_SHARED(shared);
  std::vector<std::string> names(std::begin(kObjectPlanners), std::end(kObjectPlanners));
  names.insert(names.end(), {"tflite-equality-multidim", "tflite-greedy-in-order-multidim"});
  std::size_t seen = 0;
  for (const char* file : {"tflite.json", "others.json"}) {
    for (const ConformanceCase& c : conformance_cases(shared / "conformance" / file, names)) {
      CAPTURE(c.name);
      ++seen;
      const std::string id = c.allocator.substr(0, c.allocator.find("-multidim"));
      const PlannedRun run = planned(id, c.problem);
      const auto& expected = c.json["expected"];
      if (expected["objects"].is_object()) {
        CHECK(run.plan.objects->object_of == expected["objects"]["ids"].get<Assignment>());
        if (id == c.allocator) {
          CHECK(run.plan.objects->sizes == expected["objects"]["sizes"].get<std::vector<std::int64_t>>());
        } else {
          CHECK(run.plan.objects->shapes == expected["objects"]["sizes"].get<std::vector<std::vector<std::int64_t>>>());
        }
      }
      if (expected.contains("offset_multiset")) {
        std::vector<std::int64_t> offsets = run.plan.offsets;
        std::sort(offsets.begin(), offsets.end());
        CHECK(offsets == expected["offset_multiset"].get<std::vector<std::int64_t>>());
      }
      if (expected["makespan"].is_number()) CHECK(run.plan.objects->total() == expected["makespan"]);
    }
  }
  CHECK(seen >= 15);
}

TEST_CASE("positional maximums and task profiles: the results of the original") {
  STOWAGE_NEED_SHARED(shared);
  const auto cases = conformance_cases(shared / "conformance" / "tflite.json", {"tflite-positional-maximums"});
  CHECK_FALSE(cases.empty());
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    const auto& expected = c.json["expected"];
    CHECK(positional_maximums(c.problem) == expected["positional_maximums"].get<std::vector<std::int64_t>>());
    std::vector<std::vector<BufferIndex>> by_task;
    for (const TaskProfile& profile : task_profiles(c.problem)) {
      for (std::int64_t task = profile.start; task < profile.end; ++task) by_task.push_back(profile.buffers);
    }
    CHECK(by_task == expected["profiles"].get<std::vector<std::vector<BufferIndex>>>());
  }
}

TEST_CASE("task profiles list what is live, largest first, and their maximums bound every plan of shared objects") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.spaces = seed % 2 == 0;
    shape.empty_ones = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      std::vector<std::int64_t> maximums;
      for (const TaskProfile& profile : task_profiles(problem, space)) {
        REQUIRE(profile.start < profile.end);
        CHECK(profile.buffers.size() == live_at(problem, profile.start, space).size());
        CHECK(live_at(problem, profile.start, space) == live_at(problem, profile.end - 1, space));
        maximums.resize(std::max(maximums.size(), profile.buffers.size()), 0);
        for (std::size_t k = 0; k < profile.buffers.size(); ++k) {
          if (k > 0) CHECK(problem[profile.buffers[k - 1]].size >= problem[profile.buffers[k]].size);
          maximums[k] = std::max(maximums[k], problem[profile.buffers[k]].size);
        }
      }
      CHECK(positional_maximums(problem, space) == maximums);
    }
    std::int64_t bound = 0;
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      for (const std::int64_t maximum : positional_maximums(problem, space)) bound += maximum;
    }
    for (const char* id : {"tflite-greedy-in-order", "tflite-greedy-best", "tflite-mincostflow", "tflite-equality"}) {
      CHECK(objects_of(id, problem).total() >= bound);
    }
  }
}

TEST_CASE("shared objects: buffers of one object never conflict, except where they lie apart inside it") {
  for (const char* id : kObjectPlanners) {
    CAPTURE(id);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      CAPTURE(seed);
      RandomShape shape;
      shape.alignments = seed % 2 == 0;
      shape.spaces = seed % 3 == 0;
      shape.gaps = seed % 4 == 0 && find_allocator(id)->can.gaps;
      const Problem problem = random_problem(seed, shape);
      const Objects objects = objects_of(id, problem);
      for (BufferIndex a = 0; a < problem.size(); ++a) {
        if (!problem[a].takes_memory()) continue;
        REQUIRE(objects.object_of[a] < objects.sizes.size());
        const std::int64_t inner = objects.inner.empty() ? 0 : objects.inner[a];
        CHECK(inner + problem[a].size <= objects.sizes[objects.object_of[a]]);
        for (BufferIndex b = a + 1; b < problem.size() && objects.inner.empty(); ++b) {
          if (objects.object_of[a] == objects.object_of[b]) CHECK_FALSE(conflict(problem, a, b));
        }
      }
    }
  }
}

TEST_CASE("tflite: greedy in order, by breadth and by size and distance follow their rules literally") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_chain(seed);
    check_like("tflite-greedy-by-breadth", problem, literal_by_breadth(problem));
    check_like("tflite-greedy-by-size-objects", problem, literal_by_size_and_distance(problem));
    check_like("tflite-greedy-in-order", problem, literal_in_order(problem));
  }
}

TEST_CASE("tflite-equality: objects keep one size, and the one released last is reused first") {
  // 0 and 1 are released before 2 begins, 1 last.
  const Problem problem = problem_of({{0, 2, 8}, {1, 3, 8}, {4, 6, 8}, {4, 6, 4}, {5, 6, 8}});
  CHECK(objects_of("tflite-equality", problem).object_of == Assignment{0, 1, 1, 2, 0});
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    const Problem random = random_chain(seed);
    const Objects objects = objects_of("tflite-equality", random);
    for (BufferIndex i = 0; i < random.size(); ++i) CHECK(objects.sizes[objects.object_of[i]] == random[i].size);
  }
}

TEST_CASE("tflite-equality and greedy in order work on shapes where buffers have them, or when they are told to") {
  ProblemInput input;
  const auto add = [&](std::int64_t start, std::vector<std::int64_t> shape, std::int64_t bytes) {
    Buffer buffer;
    buffer.start = start;
    buffer.end = start + 1;
    buffer.size = bytes;
    Details details;
    details.shape = std::move(shape);
    input.add(fmt::format("t{}", start), buffer, details);
  };
  add(0, {2, 8}, 16);
  add(1, {8, 2}, 16);
  add(2, {2, 4}, 8);
  add(3, {2, 8}, 32);  // as many elements as the first, larger ones
  const Problem problem = make_problem(input).value();
  CHECK(objects_of("tflite-equality", problem).object_of == Assignment{0, 1, 2, 3});
  CHECK(objects_of("tflite-greedy-in-order", problem).object_of == Assignment{0, 1, 0, 2});
  CHECK(objects_of("tflite-greedy-in-order", problem).shapes.size() == 3);
  CHECK(objects_of("tflite-greedy-in-order", problem, {{"sizes", "bytes"}}).object_of == Assignment{0, 0, 0, 0});
  CHECK(objects_of("tflite-equality", problem, {{"sizes", "bytes"}}).object_of == Assignment{0, 0, 1, 2});
}

TEST_CASE("tflite-greedy-in-order: a reallocation graph says whose object may be taken over") {
  // When 3 comes, the objects of 0 and 1 are free; 2 still lives. That of 1 is nearer in size.
  const Problem problem = problem_of({{0, 1, 32}, {0, 2, 16}, {1, 4, 8}, {3, 5, 20}, {5, 6, 20}});
  const auto bound = [&](const char* graph) {
    return objects_of("tflite-greedy-in-order", problem, {{"reallocation", graph}});
  };
  CHECK(bound("any").object_of == Assignment{0, 1, 0, 1, 1});
  CHECK(bound("2;;0;1;").object_of == Assignment{0, 1, 0, 1, 2});   // 4 may follow nobody
  CHECK(bound(";;;0,1;3").object_of == Assignment{0, 1, 2, 1, 1});  // the nearest of both
  CHECK(bound(";;;0,2;3").object_of == Assignment{0, 1, 2, 0, 0});
  CHECK(bound(";;;0;0").object_of == Assignment{0, 1, 2, 0, 3});  // 0 is no longer the last of its object
  CHECK(bound(";;;;").sizes == std::vector<std::int64_t>{32, 16, 8, 20, 20});
  for (const char* graph : {"", "0;1", "9;;;;", "x;;;;", ";;;;;", "-1;;;;"}) {
    CAPTURE(graph);
    RunContext context;
    const auto run =
        run_allocator(*find_allocator("tflite-greedy-in-order"), problem, {{"reallocation", graph}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kUsage);
  }
}

TEST_CASE("planners that compare bytes give their objects shapes that cover those of all their buffers") {
  ProblemInput input = problem_of({{0, 1, 16}, {1, 2, 16}, {0, 1, 8}}).input();
  const std::vector<std::vector<std::int64_t>> shapes = {{2, 8}, {4, 4}, {8}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    input.details.push_back(Details{});
    input.details.back().shape = shapes[i];
    input.buffers[i].details = i;
  }
  const Problem problem = make_problem(input).value();
  for (const char* id :
       {"tflite-greedy-by-breadth", "tflite-greedy-by-size-objects", "tflite-greedy-best", "tflite-mincostflow"}) {
    CAPTURE(id);
    const Objects objects = objects_of(id, problem);
    CHECK(objects.object_of == Assignment{0, 0, 1});
    CHECK(objects.shapes == std::vector<std::vector<std::int64_t>>{{4, 8}, {8}});
    CHECK(objects_of(id, problem, {{"sizes", "bytes"}}).shapes.empty());
  }
  CHECK(objects_of("tflite-naive", problem).shapes == shapes);
}

TEST_CASE("strict planners take buffers as they are listed, and refuse what then collides") {
  const Problem late_first = problem_of({{4, 6, 8}, {0, 2, 8}});
  // Row 2 releases the objects of rows 0 and 1 and takes one; row 3 then has the other, though row 0 is live with it.
  const Problem collides = problem_of({{0, 2, 8}, {0, 2, 4}, {5, 6, 4}, {1, 3, 8}});
  for (const char* id : {"tflite-equality", "tflite-greedy-in-order", "tflite-mincostflow"}) {
    CAPTURE(id);
    CHECK(objects_of(id, late_first).object_of == Assignment{0, 0});
    CHECK(objects_of(id, late_first, {{"strict", "true"}}).object_of == Assignment{0, 1});
    planned(id, collides);
    RunContext context;
    const auto run = run_allocator(*find_allocator(id), collides, {{"strict", "true"}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kRefused);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Problem sorted = random_chain(seed);
      CHECK(objects_of(id, sorted, {{"strict", "true"}}) == objects_of(id, sorted));
    }
  }
}

TEST_CASE("planners that choose among objects say of each that is in use who is in the way") {
  const Problem problem = problem_of({{0, 4, 10}, {0, 2, 8}, {3, 5, 8}});
  for (const char* id :
       {"tflite-equality", "tflite-greedy-in-order", "tflite-greedy-by-breadth", "tflite-greedy-by-size-objects",
        "tflite-greedy-best", "executorch-greedy", "inductor-pools", "llvm-stack-coloring"}) {
    CAPTURE(id);
    StepLog log;
    RunContext context;
    context.steps = &log;
    // Inductor's only pool would grow for all of them.
    const ParamValues params = std::string(id) == "inductor-pools" ? ParamValues{{"pool", "none"}} : ParamValues{};
    REQUIRE(run_allocator(*find_allocator(id), problem, params, context));
    bool said = false;
    for (const Step& step : log.steps()) {
      const auto* reject = std::get_if<step::Reject>(&step.fact);
      if (reject == nullptr) continue;
      CHECK(conflict(problem, reject->buffer, reject->blocker));
      CHECK(reject->needed == problem[reject->buffer].size);
      said = true;
    }
    CHECK(said);
  }
}

TEST_CASE("tflite-greedy-best is never worse than either of its two") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, RandomShape{});
    const std::int64_t by_size = objects_of("tflite-greedy-by-size-objects", problem).total();
    const std::int64_t by_breadth = objects_of("tflite-greedy-by-breadth", problem).total();
    const Objects best = objects_of("tflite-greedy-best", problem);
    CHECK(best.total() == std::min(by_size, by_breadth));
    if (by_size <= by_breadth) CHECK(best == objects_of("tflite-greedy-by-size-objects", problem));
  }
}

TEST_CASE("tflite-mincostflow: the chains cost as little as any") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::array<std::int64_t, 3>> buffers;
    std::int64_t start = 0;
    for (int i = 0; i < 7; ++i) {
      start += random.uniform(0, 2);
      buffers.push_back({start, start + random.uniform(1, 4), random.uniform(1, 20)});
    }
    const Problem problem = problem_of(buffers);
    std::vector<bool> given(problem.size(), false);
    const Objects objects = objects_of("tflite-mincostflow", problem);
    CHECK(cost_of_chains(problem, objects) == cheapest_chains(problem, 0, given));
    CHECK(objects_of("tflite-mincostflow", problem, {{"part", "all"}}) == objects);
    CHECK(objects_of("tflite-mincostflow", problem, {{"part", "3"}}).total() >= problem.sections().load());
  }
}

TEST_CASE("tflite-mincostflow: a part that is no number is a usage error") {
  RunContext context;
  for (const char* part : {"0", "-1", "x", "", "1.5"}) {
    const auto run = run_allocator(*find_allocator("tflite-mincostflow"), random_chain(1), {{"part", part}}, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kUsage);
  }
}

TEST_CASE("minimum-cost flow: of equally cheap paths the one whose edges were added first") {
  MinCostFlow flow(4);
  flow.add(0, 1, 2);
  flow.add(0, 2, 1);
  flow.add(1, 3, 1);
  flow.add(2, 3, 2);
  REQUIRE(flow.augment(0, 3));
  CHECK(flow.edges_of(0)[0].carries());
  CHECK_FALSE(flow.edges_of(0)[1].carries());
  REQUIRE(flow.augment(0, 3));
  CHECK(flow.edges_of(0)[1].carries());
  CHECK_FALSE(flow.augment(0, 3));
}

TEST_CASE("shared objects lie one above the other, each aligned for all of its buffers") {
  ProblemInput input = problem_of({{0, 1, 5}, {0, 1, 4}, {1, 2, 4}}).input();
  input.spaces[0].base = 2;
  input.buffers[1].alignment = 4;
  input.buffers[2].alignment = 6;
  const PlannedRun run = planned("tflite-greedy-in-order", make_problem(input).value());
  CHECK(run.plan.objects->object_of == Assignment{0, 1, 1});
  CHECK(run.plan.offsets == std::vector<std::int64_t>{0, 10, 10});  // 2 + 10 is a multiple of 4 and of 6
}

TEST_CASE("shared objects: alignments without a common multiple below 2^63 are refused") {
  ProblemInput input = problem_of({{0, 1, 4}, {1, 2, 4}}).input();
  input.buffers[0].alignment = (std::int64_t{1} << 40) + 1;
  input.buffers[1].alignment = (std::int64_t{1} << 40) - 1;
  const Problem problem = make_problem(input).value();
  for (const char* id : kObjectPlanners) {
    CAPTURE(id);
    RunContext context;
    const auto run = run_allocator(*find_allocator(id), problem, {}, context);
    REQUIRE(run.has_value() == (std::string(id) == "tflite-naive"));
    if (!run) CHECK(run.error().kind == Error::Kind::kRefused);
  }
}
