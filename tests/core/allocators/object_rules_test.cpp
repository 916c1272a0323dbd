// TensorFlow Lite's planners of shared objects against their rules, written down literally.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/allocators/task_profile.h"
#include "core/model/conflicts.h"
#include "tests/core/allocators/object_planning.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

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

/// The largest first, into the smallest object that is free.
Literal literal_largest_first(const Problem& problem) {
  Literal state(problem);
  for (std::size_t done = 0; done < problem.size(); ++done) {
    BufferIndex largest = kNoBuffer;
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (state.object_of[i] != Objects::kNone) continue;
      if (largest == kNoBuffer || problem[i].size > problem[largest].size) largest = i;
    }
    std::size_t smallest = state.sizes.size();
    for (const std::size_t object : free_objects(state, largest)) {
      if (smallest == state.sizes.size() || state.sizes[object] < state.sizes[smallest]) smallest = object;
    }
    state.put(largest, smallest);
  }
  return state;
}

void check_like(const std::string& id, const Problem& problem, const Literal& expected,
                const ParamValues& params = {}) {
  const Objects objects = objects_of(id, problem, params);
  CHECK(objects.object_of == expected.object_of);
  CHECK(objects.sizes == expected.sizes);
}

}  // namespace

TEST_CASE("tflite: greedy in order, by breadth and by size and distance follow their rules literally") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_chain(seed);
    check_like("tflite-greedy-by-breadth", problem, literal_by_breadth(problem));
    check_like("tflite-greedy-by-size-objects", problem, literal_by_size_and_distance(problem));
    check_like("tflite-greedy-by-size-objects", problem, literal_largest_first(problem), {{"rule", "paper"}});
    check_like("tflite-greedy-in-order", problem, literal_in_order(problem));
  }
}

TEST_CASE("tflite-greedy-by-size-objects: rule=paper takes the smallest free object, improved the nearest in time") {
  // For 3 both objects are free: that of 1 is the smaller one, that of 4 the nearer one.
  const Problem problem = problem_of({{0, 2, 40}, {2, 3, 30}, {0, 1, 30}, {6, 7, 20}, {2, 5, 40}});
  const auto bound = [&](const char* rule) {
    return objects_of("tflite-greedy-by-size-objects", problem, {{"rule", rule}}).object_of;
  };
  CHECK(bound("paper") == Assignment{0, 1, 1, 1, 0});
  CHECK(bound("improved") == Assignment{0, 1, 1, 0, 0});
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
