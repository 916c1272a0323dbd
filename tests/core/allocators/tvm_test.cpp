// TVM's planners against a second, slow reading of their description.

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/allocators/tvm_random.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/load.h"
#include "core/model/metrics.h"
#include "tests/support/conformance.h"
#include "tests/support/planned_run.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Hill climb, word for word, in one pool without limit: every order is planned from nothing.
class SlowHillClimb {
 public:
  SlowHillClimb(const Problem& problem, std::uint32_t seed) : problem_(problem), random_(seed) {
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      lists_.push_back(conflicts_of(problem, i));
      std::stable_sort(lists_.back().begin(), lists_.back().end(),
                       [&](BufferIndex a, BufferIndex b) { return problem.id(a) < problem.id(b); });
      order_.push_back(i);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](BufferIndex a, BufferIndex b) {
      if (problem[a].size != problem[b].size) return problem[a].size > problem[b].size;
      if (lists_[a].size() != lists_[b].size()) return lists_[a].size() > lists_[b].size();
      return problem.id(a) > problem.id(b);
    });
  }

  std::vector<std::int64_t> run(int attempts) {
    const std::int64_t pressure = load(problem_, 0);
    std::vector<std::int64_t> result;
    std::vector<std::int64_t> current;
    std::int64_t total_size = 0;
    std::size_t swap_a = order_.size();
    std::size_t swap_b = order_.size();
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const std::vector<std::int64_t> previous = current;
      current = plan();
      std::int64_t total = 0;
      for (BufferIndex i = 0; i < current.size(); ++i) total = std::max(total, current[i] + problem_[i].size);
      if (total_size == 0 || total < total_size || draw(100) < 50 * (total - total_size) / total / attempt) {
        result = current;
        total_size = total;
        if (total <= pressure) break;
      } else {
        if (swap_a < order_.size()) std::swap(order_[swap_a], order_[swap_b]);
        current = previous;
      }
      std::vector<std::int64_t> top;
      for (std::size_t k = 0; k < order_.size(); ++k) {
        if (current[order_[k]] + problem_[order_[k]].size == total_of(current)) {
          top.push_back(static_cast<std::int64_t>(k));
        }
      }
      const BufferIndex node = order_[static_cast<std::size_t>(pick(top))];
      std::vector<std::int64_t> first;
      std::vector<std::int64_t> second;
      for (const BufferIndex c1 : lists_[node]) {
        if (position(c1) < position(node)) first.push_back(position(c1));
        for (const BufferIndex c2 : lists_[c1]) {
          if (position(c2) < position(c1)) second.push_back(position(c2));
        }
      }
      std::sort(first.begin(), first.end());
      std::sort(second.begin(), second.end());
      if (first.empty()) continue;
      const std::int64_t one = pick(first);
      std::int64_t other = one;
      while (other == one) {
        other = !second.empty() && draw(100) > 25 ? pick(second) : pick(first);
        if (first.size() < 2 && second.size() < 2) break;
        const auto same = [&](std::int64_t k) {
          return k == one;
        };
        if (std::all_of(first.begin(), first.end(), same) && std::all_of(second.begin(), second.end(), same)) break;
      }
      if (other == one) continue;
      swap_a = static_cast<std::size_t>(one);
      swap_b = static_cast<std::size_t>(other);
      std::swap(order_[swap_a], order_[swap_b]);
    }
    return result;
  }

 private:
  std::int64_t draw(std::int64_t sides) { return static_cast<std::int64_t>(random_.next()) % sides; }
  std::int64_t pick(const std::vector<std::int64_t>& from) {
    return from[static_cast<std::size_t>(draw(static_cast<std::int64_t>(from.size())))];
  }
  std::int64_t position(BufferIndex i) const { return std::find(order_.begin(), order_.end(), i) - order_.begin(); }
  std::int64_t total_of(const std::vector<std::int64_t>& plan) const {
    std::int64_t total = 0;
    for (BufferIndex i = 0; i < plan.size(); ++i) total = std::max(total, plan[i] + problem_[i].size);
    return total;
  }
  std::vector<std::int64_t> plan() const {
    std::vector<std::int64_t> offsets(problem_.size(), -1);
    for (const BufferIndex i : order_) {
      std::vector<BufferIndex> placed;
      for (const BufferIndex c : lists_[i]) {
        if (offsets[c] >= 0) placed.push_back(c);
      }
      std::stable_sort(placed.begin(), placed.end(),
                       [&](BufferIndex a, BufferIndex b) { return offsets[a] < offsets[b]; });
      std::int64_t at = 0;
      for (const BufferIndex c : placed) {
        const std::int64_t next = align_up(offsets[c] + problem_[c].size, problem_[c].alignment);
        if (next > at && at + problem_[i].size > offsets[c]) at = next;
      }
      offsets[i] = at;
    }
    return offsets;
  }

  const Problem& problem_;
  GlibcRandom random_;
  std::vector<std::vector<BufferIndex>> lists_;
  std::vector<BufferIndex> order_;
};

ProblemInput graph(std::vector<ConflictEdge> edges, std::size_t buffers, std::int64_t size) {
  ProblemInput input;
  Buffer b;
  b.end = 1;
  b.size = size;
  for (std::size_t i = 0; i < buffers; ++i) input.add(fmt::format("b{}", i), b);
  input.constraints.conflicts_only = true;
  input.constraints.conflicts = std::move(edges);
  return input;
}

}  // namespace

#ifdef __GLIBC__
TEST_CASE("the random numbers are those of rand_r") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    GlibcRandom ours(seed);
    unsigned state = seed;
    for (int k = 0; k < 20; ++k) CHECK(ours.next() == static_cast<std::uint32_t>(::rand_r(&state)));
  }
}
#endif

TEST_CASE("tvm-hill-climb: planning anew only what can move changes nothing") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 60;
    shape.horizon = seed % 2 == 0 ? 200 : 30;
    ProblemInput input = random_problem(seed, shape).input();
    if (seed % 3 == 0) {
      for (Buffer& b : input.buffers) b.alignment = 4;
    }
    const Problem problem = make_problem(input).value();
    if (problem.size() == 0) continue;
    const auto planned = run("tvm-hill-climb", problem, {}, seed % 5);
    REQUIRE(planned);
    CHECK(planned->plan.offsets == SlowHillClimb(problem, static_cast<std::uint32_t>(seed % 5)).run(500));
  }
}

TEST_CASE("tvm-hill-climb: the origin's own runs") {
  STOWAGE_NEED_SHARED(shared);
  for (const ConformanceCase& one : conformance_cases(shared / "conformance" / "tvm.json", {"tvm-hill-climb"})) {
    CAPTURE(one.name);
    const auto planned = run("tvm-hill-climb", one.problem);
    REQUIRE(planned);
    const std::int64_t makespan = measure(one.problem, measure(one.problem), planned->plan).makespan;
    if (one.name.find("deep_speech") != std::string::npos) {
      CHECK(makespan == 102416);
      CHECK(planned->result.iterations == 500);
    }
    if (one.name.find("intervals_simple") != std::string::npos) CHECK(planned->result.iterations == 3);
    if (one.name.find("alloc_max") != std::string::npos) CHECK(planned->result.iterations == 1);
  }
}

TEST_CASE("tvm: what does not fit is named with the pool and the missing bytes") {
  ProblemInput input = graph({{0, 1}}, 2, 10);
  input.spaces = {Space{"tiny", 0, 15, {}}};
  const Problem problem = make_problem(input).value();
  for (const char* id : {"tvm-greedy-by-size", "tvm-greedy-by-conflicts", "tvm-hill-climb"}) {
    CAPTURE(id);
    const auto planned = run(id, problem);
    REQUIRE_FALSE(planned);
    CHECK(planned.error().kind == Error::Kind::kRefused);
    CHECK(planned.error().message.find("fits into none of its pools, 5 bytes are missing in tiny") !=
          std::string::npos);
  }
}

TEST_CASE("tvm: a full pool spills into the next candidate") {
  ProblemInput input = graph({{0, 1}, {1, 2}, {0, 2}}, 3, 10);
  input.spaces = {Space{"fast", 0, 10, {}}, Space{"slow", 0, std::nullopt, {}}};
  Details both;
  both.candidates = {0, 1};
  for (Buffer& b : input.buffers) {
    b.details = static_cast<std::uint32_t>(input.details.size());
    input.details.push_back(both);
  }
  const Problem problem = make_problem(input).value();
  for (const char* id : {"tvm-greedy-by-size", "tvm-greedy-by-conflicts", "tvm-hill-climb"}) {
    CAPTURE(id);
    const auto planned = run(id, problem);
    REQUIRE(planned);
    CHECK(check_plan(problem, planned->plan).valid());
    CHECK(std::count(planned->plan.spaces.begin(), planned->plan.spaces.end(), std::uint16_t{0}) == 1);
    CHECK(planned->plan.spaces[0] == 0);  // it has the longest list, so it goes first
    CHECK(makespan_of_space(problem, planned->plan, 1) == 20);
  }
}

TEST_CASE("tvm: one-sided lists are completed; strict takes them as they are and refuses what collides") {
  // b1 goes first (the greater name), and only its own list knows the conflict.
  const Problem problem = make_problem(graph({{1, 0}}, 2, 10)).value();
  const auto planned = run("tvm-greedy-by-size", problem);
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{10, 0});
  const auto climbed = run("tvm-hill-climb", problem);
  REQUIRE(climbed);
  CHECK(climbed->plan.offsets == std::vector<std::int64_t>{10, 0});
  for (const char* id : {"tvm-greedy-by-size", "tvm-hill-climb"}) {
    CAPTURE(id);
    const auto strict = run(id, problem, {{"strict", "true"}});
    REQUIRE_FALSE(strict);
    CHECK(strict.error().kind == Error::Kind::kRefused);
  }
}

TEST_CASE("tvm: where conflict lists are two-sided, strict changes nothing, even when buffers list themselves") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input = graph({}, 8, 1);
    for (BufferIndex a = 0; a < 8; ++a) {
      input.buffers[a].size = random.uniform(1, 40);
      if (random.uniform(0, 1) == 0) input.constraints.conflicts.push_back({a, a});
      for (BufferIndex b = 0; b < a; ++b) {
        if (random.uniform(0, 3) == 0) continue;
        input.constraints.conflicts.push_back({a, b});
        input.constraints.conflicts.push_back({b, a});
      }
    }
    const Problem problem = make_problem(input).value();
    for (const char* id : {"tvm-greedy-by-size", "tvm-greedy-by-conflicts", "tvm-hill-climb"}) {
      CAPTURE(id);
      const auto planned = run(id, problem);
      const auto strict = run(id, problem, {{"strict", "true"}});
      REQUIRE(planned);
      REQUIRE(strict);
      CHECK(planned->plan.offsets == strict->plan.offsets);
    }
  }
}

TEST_CASE("tvm-greedy: never fills a gap, the hill climb's greedy does") {
  ProblemInput input;
  Buffer b;
  const auto add = [&](const char* id, std::int64_t start, std::int64_t end, std::int64_t size) {
    b.start = start;
    b.end = end;
    b.size = size;
    input.add(id, b);
  };
  add("base", 0, 2, 50);
  add("high", 1, 4, 40);
  add("late", 3, 5, 10);
  const Problem problem = make_problem(input).value();
  const auto greedy = run("tvm-greedy-by-size", problem);
  const auto climb = run("tvm-hill-climb", problem);
  REQUIRE(greedy);
  REQUIRE(climb);
  CHECK(greedy->plan.offsets == std::vector<std::int64_t>{0, 50, 90});
  CHECK(climb->plan.offsets == std::vector<std::int64_t>{0, 50, 0});
}

TEST_CASE("tvm: random conflict graphs with pools give valid plans or a refusal") {
  std::size_t valid = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input = graph({}, 12, 1);
    for (int k = 0; k < 25; ++k) {
      input.constraints.conflicts.push_back(
          {static_cast<BufferIndex>(random.uniform(0, 11)), static_cast<BufferIndex>(random.uniform(0, 11))});
    }
    std::erase_if(input.constraints.conflicts, [](const ConflictEdge& edge) { return edge.a == edge.b; });
    input.spaces = {Space{"fast", 24, random.uniform(40, 120), {}}, Space{"slow", 0, random.uniform(80, 300), {}}};
    for (Buffer& b : input.buffers) {
      b.size = random.uniform(1, 60);
      b.alignment = random.uniform(1, 8);
      Details details;
      details.candidates = {0, 1};
      if (random.uniform(0, 3) == 0) details.candidates = {1, 0};
      b.details = static_cast<std::uint32_t>(input.details.size());
      input.details.push_back(details);
    }
    const Problem problem = make_problem(input).value();
    for (const char* id : {"tvm-greedy-by-size", "tvm-greedy-by-conflicts", "tvm-hill-climb"}) {
      for (const char* strict : {"false", "true"}) {
        CAPTURE(id);
        const auto planned = run(id, problem, {{"strict", strict}});
        if (planned) {
          CHECK(check_plan(problem, planned->plan).valid());
          ++valid;
        } else {
          CHECK(planned.error().kind == Error::Kind::kRefused);
        }
      }
    }
  }
  CHECK(valid > 100);
}
