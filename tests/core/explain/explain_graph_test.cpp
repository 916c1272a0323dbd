#include <algorithm>
#include <functional>
#include <map>

#include <doctest/doctest.h>

#include "core/explain/clique.h"
#include "core/explain/explain_capacity.h"
#include "core/explain/graph_search.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "tests/support/all_rows.h"
#include "tests/support/buffer.h"
#include "tests/support/effort.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

using Rows = std::vector<BufferIndex>;
using Verdict = CapacityExplanation::Verdict;
using Reason = CapacityExplanation::Reason;

/// Buffers with their sizes; tied ones stay tied.
using Sizes = std::map<BufferIndex, std::int64_t>;

Sizes sizes_of(const Problem& problem, const Rows& rows) {
  Sizes sizes;
  for (const BufferIndex i : rows) {
    if (problem[i].takes_memory()) sizes[i] = problem[i].size;
  }
  return sizes;
}

/// Tries every offset of every buffer; one that is tied to another one before it has only one.
bool fits_by_force(const Problem& problem, const Sizes& sizes, std::int64_t capacity) {
  std::vector<BufferIndex> rows;
  for (const auto& [i, size] : sizes) {
    if (size > 0) rows.push_back(i);
  }
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  const std::function<bool(std::size_t)> place = [&](std::size_t k) {
    if (k == rows.size()) return true;
    const BufferIndex i = rows[k];
    const std::int64_t size = sizes.at(i);
    for (std::int64_t at = 0; at + size <= capacity; ++at) {
      if (problem[i].is_fixed() && at != problem[i].fixed) continue;
      const std::uint32_t body = problem.bodies().of(i);
      const std::int64_t base = at - problem.bodies().relative(i);
      if (!(body == Bodies::kNone ? problem.grid(i) : problem.bodies()[body].grid).holds(base)) continue;
      const bool free = std::all_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k), [&](BufferIndex j) {
        if (problem.bodies().together(i, j)) return offsets[j] - problem.bodies().relative(j) == base;
        if (!conflict(problem, i, j)) return true;
        return at + size <= offsets[j] || offsets[j] + sizes.at(j) <= at;
      });
      if (!free) continue;
      offsets[i] = at;
      if (place(k + 1)) return true;
    }
    return false;
  };
  return place(0);
}

Problem small_graph(std::uint64_t seed) {
  RandomShape shape;
  shape.buffers = 7;
  shape.horizon = 8;
  shape.largest = 4;
  shape.edges = seed % 4 == 0;
  shape.only_edges = seed % 4 == 1;
  shape.clocks = seed % 4 == 2;
  shape.colocations = seed % 4 == 3 || seed % 8 == 0;
  shape.groups = seed % 8 == 3 || seed % 8 == 6;
  shape.alignments = seed % 5 == 0;
  const Problem problem = random_problem(seed, shape);
  if (seed % 7 != 0 || shape.colocations || shape.groups) return problem;
  ProblemInput input = problem.input();
  Random random(seed);
  for (Buffer& buffer : input.buffers) {
    if (random.uniform(0, 3) > 0) continue;
    buffer.fixed = random.uniform(0, 5);
    buffer.alignment = 1;
  }
  return make_problem(std::move(input)).value();
}

void check_misfit(const Problem& problem, const CapacityExplanation& explanation) {
  const std::int64_t capacity = explanation.capacity;
  CHECK(explanation.minimal);
  const Sizes set = sizes_of(problem, explanation.set);
  CHECK_FALSE(fits_by_force(problem, set, capacity));
  for (const BufferIndex dropped : explanation.set) {
    Sizes rest = set;
    rest.erase(dropped);
    CHECK(fits_by_force(problem, rest, capacity));
  }
  const Sizes all = sizes_of(problem, all_rows(problem));
  for (const auto& [i, size] : all) {
    Sizes rest = all;
    rest.erase(i);
    const BufferIndex buffer = i;
    const auto found = std::find_if(explanation.remedies.begin(), explanation.remedies.end(),
                                    [&](const Remedy& remedy) { return remedy.buffer == buffer; });
    CHECK(fits_by_force(problem, rest, capacity) == (found != explanation.remedies.end()));
    if (found == explanation.remedies.end()) continue;
    CHECK(found->least_is_proved);
    Sizes shrunk = all;
    shrunk[i] = size - found->shrink;
    CHECK(fits_by_force(problem, shrunk, capacity));
    ++shrunk[i];
    CHECK_FALSE(fits_by_force(problem, shrunk, capacity));
  }
  if (explanation.reason != Reason::kLoad) return;
  std::int64_t sum = 0;
  for (const BufferIndex a : explanation.set) {
    sum += problem[a].size;
    for (const BufferIndex b : explanation.set) {
      if (a != b && !explanation.timed) CHECK(conflict(problem, a, b));
    }
  }
  CHECK(sum == explanation.load);
}

}  // namespace

TEST_CASE("explain: 400 problems with edges, clocks and ties at every capacity are as brute force says") {
  std::map<Reason, int> reasons;
  for (std::uint64_t seed = 1; seed <= tried(400); ++seed) {
    CAPTURE(seed);
    const Problem problem = small_graph(seed);
    std::int64_t most = 12;  // above, pins that collide are all that can be wrong
    for (const Buffer& b : problem.buffers()) most += b.size;
    for (std::int64_t capacity = 0; capacity <= most; capacity += capacity < 20 ? 1 : 9) {
      CAPTURE(capacity);
      const auto explanation = explain_capacity(problem, capacity, RunContext());
      REQUIRE(explanation);
      const bool fits = fits_by_force(problem, sizes_of(problem, all_rows(problem)), capacity);
      REQUIRE((explanation->verdict == Verdict::kFits) == fits);
      if (!fits) {
        REQUIRE(explanation->verdict == Verdict::kDoesNotFit);
        // Below, nearly all misfits are of one buffer alone.
        if (capacity >= 4) check_misfit(problem, *explanation);
        if (capacity >= 4) ++reasons[explanation->reason];
        continue;
      }
      Plan plan;
      plan.offsets = explanation->offsets;
      CHECK(check_plan(make_problem(with_capacity(problem, capacity)).value(), plan).count == 0);
      break;
    }
  }
  CHECK(reasons[Reason::kLoad] > tried(100));
  CHECK(reasons[Reason::kPacking] > tried(20));
}

TEST_CASE("explain: an odd cycle of conflicts does not fit although no clique is too heavy") {
  ProblemInput input;
  input.constraints.conflicts_only = true;
  for (BufferIndex i = 0; i < 5; ++i) {
    input.add(fmt::format("b{}", i), buffer(0, 1, 2));
    input.constraints.conflicts.push_back({i, (i + 1) % 5});
  }
  const auto explanation = explain_capacity(make_problem(input).value(), 4, RunContext());
  REQUIRE(explanation);
  CHECK(explanation->verdict == Verdict::kDoesNotFit);
  CHECK(explanation->reason == Reason::kPacking);
  CHECK_FALSE(explanation->timed);
  CHECK(explanation->load == 4);
  CHECK(explanation->set.size() == 5);
  CHECK(explanation->minimal);
  REQUIRE(explanation->remedies.size() == 5);
  CHECK(explanation->remedies[0].shrink == 2);  // one byte less does not help: the two beside it meet
  CHECK(explanation->remedies[0].least_is_proved);
}

TEST_CASE("explain: a search that may not go on knows nothing and claims nothing") {
  ProblemInput input;
  input.constraints.conflicts_only = true;
  for (BufferIndex i = 0; i < 5; ++i) {
    input.add(fmt::format("b{}", i), buffer(0, 1, 2));
    input.constraints.conflicts.push_back({i, (i + 1) % 5});
  }
  const auto explanation = explain_capacity(make_problem(input).value(), 4, RunContext(), 0);
  REQUIRE(explanation);
  CHECK(explanation->verdict == Verdict::kUnknown);
  CHECK(explanation->set.empty());
  CHECK(explanation->offsets.empty());
}

TEST_CASE("explain: values near the end of int64 stay right on a conflict graph") {
  constexpr std::int64_t kHuge = std::int64_t{1} << 61U;
  ProblemInput input;
  input.constraints.conflicts_only = true;
  for (BufferIndex i = 0; i < 3; ++i) input.add(fmt::format("b{}", i), buffer(0, 1, kHuge));
  input.constraints.conflicts = {{0, 1}, {1, 2}, {0, 2}};
  const Problem problem = make_problem(input).value();
  CHECK(explain_capacity(problem, 3 * kHuge, RunContext())->verdict == Verdict::kFits);
  CHECK(explain_capacity(problem, kMaxInt64, RunContext())->verdict == Verdict::kFits);
  const auto explanation = explain_capacity(problem, 3 * kHuge - 1, RunContext());
  CHECK(explanation->verdict == Verdict::kDoesNotFit);
  CHECK(explanation->reason == Reason::kLoad);
  CHECK(explanation->remedies.front().shrink == 1);
}

TEST_CASE("cliques: the heaviest is found on random graphs") {
  Random random(2024);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const auto count = static_cast<std::uint32_t>(random.uniform(1, 11));
    std::vector<std::vector<std::uint32_t>> neighbours(count);
    std::vector<std::int64_t> weights;
    for (std::uint32_t a = 0; a < count; ++a) weights.push_back(random.uniform(1, 20));
    std::vector<std::vector<bool>> edge(count, std::vector<bool>(count, false));
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        if (b < a) edge[a][b] = edge[b][a];
        if (b > a) edge[a][b] = random.uniform(0, 2) > 0;
        if (edge[a][b]) neighbours[a].push_back(b);
      }
    }
    std::int64_t heaviest = 0;
    for (std::uint32_t set = 1; set < (1U << count); ++set) {
      std::int64_t weight = 0;
      bool connected = true;
      for (std::uint32_t a = 0; a < count; ++a) {
        if ((set >> a & 1U) == 0) continue;
        weight += weights[a];
        for (std::uint32_t b = a + 1; b < count; ++b) connected = connected && ((set >> b & 1U) == 0 || edge[a][b]);
      }
      if (connected) heaviest = std::max(heaviest, weight);
    }
    CHECK(heavy_clique(neighbours, weights, kMaxInt64, kMaxInt64).weight == heaviest);
    CHECK(heavy_clique(neighbours, weights, heaviest - 1, kMaxInt64).weight == heaviest);
  }
}
