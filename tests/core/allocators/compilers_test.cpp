// Triton, Glow, MLIR, IREE and SOMAS against slow readings of their descriptions, and their known results.

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/order.h"
#include "core/model/check.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"
#include "tests/support/buffer.h"
#include "tests/support/planned_run.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

bool meet(std::int64_t a_start, std::int64_t a_end, std::int64_t b_start, std::int64_t b_end) {
  return a_start < b_end && b_start < a_end;
}

/// Triton's two passes, word for word; lives begin at 0 or later.
std::vector<std::int64_t> slow_coloring(const Problem& problem) {
  struct Range {
    std::int64_t start = 0;
    std::int64_t end = kMaxInt64;
  };
  const std::vector<BufferIndex> order = make_order(problem, "size").value();
  std::vector<std::int64_t> offsets(problem.size(), 0);
  std::vector<BufferIndex> left = order;
  std::multimap<std::int64_t, Range> slots = {{0, Range{}}};
  while (!left.empty()) {
    const std::int64_t offset = slots.begin()->first;
    const Range slot = slots.begin()->second;
    slots.erase(slots.begin());
    const auto chosen = std::find_if(left.begin(), left.end(), [&](BufferIndex i) {
      const Buffer& b = problem[i];
      return meet(slot.start, slot.end, b.start, b.end) &&
             std::none_of(slots.begin(), slots.end(), [&](const auto& other) {
               return meet(other.second.start, other.second.end, b.start, b.end);
             });
    });
    if (chosen == left.end()) continue;
    const Buffer& b = problem[*chosen];
    offsets[*chosen] = align_up(offset, b.alignment);
    slots.emplace(offsets[*chosen] + b.size, Range{std::max(slot.start, b.start), std::min(slot.end, b.end)});
    if (slot.start < b.start) slots.emplace(offset, Range{slot.start, b.end});
    if (b.end < slot.end) slots.emplace(offset, Range{b.start, slot.end});
    left.erase(chosen);
  }
  const auto collide = [&](BufferIndex a, BufferIndex b) {
    return a != b && meet(problem[a].start, problem[a].end, problem[b].start, problem[b].end) &&
           meet(offsets[a], offsets[a] + problem[a].size, offsets[b], offsets[b] + problem[b].size);
  };
  while (true) {
    std::vector<std::vector<BufferIndex>> near(problem.size());
    bool any = false;
    for (const BufferIndex a : order) {
      for (const BufferIndex b : order) {
        if (!collide(a, b)) continue;
        near[a].push_back(b);
        any = true;
      }
    }
    if (!any) return offsets;
    std::vector<int> colors(problem.size(), -1);
    for (const BufferIndex i : order) {
      int color = 0;
      while (std::any_of(near[i].begin(), near[i].end(), [&](BufferIndex j) { return colors[j] == color; })) ++color;
      colors[i] = color;
    }
    for (const BufferIndex i : order) {
      if (colors[i] == 0) continue;
      std::int64_t floor = 0;
      for (const BufferIndex j : near[i]) floor = std::max(floor, offsets[j] + problem[j].size);
      offsets[i] = align_up(floor, problem[i].alignment);
    }
  }
}

/// One strategy of Glow's allocate-all: 0 largest, 1 longest at the busiest time, 2 in the order given.
std::vector<std::int64_t> slow_glow(const Problem& problem, int strategy) {
  const auto size = [&](BufferIndex i) {
    return align_up(problem[i].size, problem[i].alignment);
  };
  std::vector<std::int64_t> offsets(problem.size(), -1);
  for (std::size_t placed = 0; placed < problem.size(); ++placed) {
    std::optional<BufferIndex> chosen;
    if (strategy == 2) {
      chosen = static_cast<BufferIndex>(placed);
    } else {
      std::int64_t busiest = 0;
      std::int64_t most = -1;
      for (std::int64_t t = -10; t < 70; ++t) {
        std::int64_t bytes = 0;
        for (BufferIndex i = 0; i < problem.size(); ++i) {
          if (offsets[i] < 0 && problem[i].start <= t && t < problem[i].end) bytes += size(i);
        }
        if (bytes > most) {
          most = bytes;
          busiest = t;
        }
      }
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        if (offsets[i] >= 0 || busiest < problem[i].start || problem[i].end <= busiest) continue;
        const auto key = [&](BufferIndex j) {
          const std::pair by_size(size(j), problem[j].lifetime());
          return strategy == 0 ? by_size : std::pair(by_size.second, by_size.first);
        };
        if (!chosen || key(i) > key(*chosen)) chosen = i;
      }
    }
    std::vector<std::int64_t> candidates = {0};
    for (BufferIndex j = 0; j < problem.size(); ++j) {
      if (offsets[j] >= 0 && conflict(problem, *chosen, j)) candidates.push_back(offsets[j] + size(j));
    }
    std::sort(candidates.begin(), candidates.end());
    for (const std::int64_t at : candidates) {
      bool free = true;
      for (BufferIndex j = 0; j < problem.size(); ++j) {
        if (offsets[j] < 0 || !conflict(problem, *chosen, j)) continue;
        free = free && !meet(at, at + size(*chosen), offsets[j], offsets[j] + size(j));
      }
      if (!free) continue;
      offsets[*chosen] = at;
      break;
    }
  }
  return offsets;
}

/// Five tensors of the SOMAS example; by default in one stream.
ProblemInput somas_example() {
  ProblemInput input;
  input.add("t0", buffer(0, 3, 1024));
  input.add("t1", buffer(1, 4, 1024));
  input.add("t2", buffer(2, 5, 512));
  input.add("t3", buffer(3, 5, 1024));
  input.add("t4", buffer(4, 5, 512));
  return input;
}

}  // namespace

TEST_CASE("triton-coloring: the tree of slots picks what a search through all of them picks") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.buffers = 50;
    shape.horizon = seed % 2 == 0 ? 40 : 12;
    ProblemInput input = random_problem(seed, shape).input();
    for (Buffer& b : input.buffers) {
      b.start += 5;
      b.end += 5;
      b.alignment = seed % 3 == 0 ? 16 : 1;
    }
    const Problem problem = make_problem(input).value();
    const auto planned = run("triton-coloring", problem);
    REQUIRE(planned);
    CHECK(planned->plan.offsets == slow_coloring(problem));
  }
}

TEST_CASE("triton-coloring: buffers that an edge keeps apart share no partition") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    ProblemInput input = random_problem(seed, RandomShape{}).input();
    const auto count = static_cast<BufferIndex>(input.buffers.size());
    if (count < 6) continue;
    for (BufferIndex i = 0; i + 2 < count; i += 2) input.constraints.conflicts.push_back({i, i + 2});
    const Problem problem = make_problem(input).value();
    const auto planned = run("triton-coloring", problem, {{"partition", "64"}});
    REQUIRE(planned);
    CHECK(check_plan(problem, planned->plan).valid());
    for (const ConflictEdge& edge : input.constraints.conflicts) {
      const std::int64_t a = planned->plan.offsets[edge.a];
      const std::int64_t b = planned->plan.offsets[edge.b];
      CHECK_FALSE(
          meet(a / 64, (a + problem[edge.a].size - 1) / 64 + 1, b / 64, (b + problem[edge.b].size - 1) / 64 + 1));
    }
  }
}

TEST_CASE("triton-coloring: what takes no memory keeps nobody out of a partition") {
  ProblemInput input;
  input.add("nothing", buffer(0, 2, 0));
  input.add("something", buffer(0, 2, 8));
  input.constraints.conflicts = {{0, 1}};
  const auto planned = run("triton-coloring", make_problem(input).value(), {{"partition", "16"}});
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("glow-allocate-all: the best of three strategies, the first that reaches what is live") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    ProblemInput input = random_problem(seed, RandomShape{}).input();
    for (Buffer& b : input.buffers) b.alignment = seed % 2 == 0 ? 8 : 1;
    const Problem problem = make_problem(input).value();
    ProblemInput rounded = input;
    for (Buffer& b : rounded.buffers) b.size = align_up(b.size, b.alignment);
    const std::int64_t bound = measure(make_problem(rounded).value()).load;
    std::vector<std::int64_t> best;
    std::int64_t least = kMaxInt64;
    for (int strategy = 0; strategy < 3 && least > bound; ++strategy) {
      const std::vector<std::int64_t> offsets = slow_glow(problem, strategy);
      std::int64_t total = 0;
      for (BufferIndex i = 0; i < problem.size(); ++i) total = std::max(total, offsets[i] + rounded.buffers[i].size);
      if (total >= least) continue;
      least = total;
      best = offsets;
    }
    const auto planned = run("glow-allocate-all", problem);
    REQUIRE(planned);
    CHECK(planned->plan.offsets == best);
  }
}

TEST_CASE(
    "glow-allocate-all: online it sees one buffer after the other, and evicts what is in the way only if told to") {
  ProblemInput input;
  for (const Buffer& b : {buffer(0, 2, 10), buffer(1, 4, 10), buffer(3, 5, 20)}) {
    input.add(std::to_string(input.buffers.size()), b);
  }
  using Offsets = std::vector<std::int64_t>;
  const Problem free = make_problem(input).value();
  const auto all = run("glow-allocate-all", free);
  REQUIRE(all);
  CHECK(measure(free, measure(free), all->plan).makespan == 30);
  for (const char* online : {"first-fit", "evict"}) {
    const auto planned = run("glow-allocate-all", free, {{"online", online}});
    REQUIRE(planned);
    CHECK(planned->plan.offsets == Offsets{0, 10, 20});
  }
  input.capacity = 30;
  const Problem limited = make_problem(input).value();
  const auto full = run("glow-allocate-all", limited, {{"online", "first-fit"}});
  REQUIRE_FALSE(full);
  CHECK(full.error().message ==
        "glow-allocate-all: memory needs 40 bytes, 10 more than its capacity 30; 2 does not fit");
  const auto evicting = run("glow-allocate-all", limited, {{"online", "evict"}});
  REQUIRE_FALSE(evicting);
  CHECK(evicting.error().message ==
        "glow-allocate-all: 1 is evicted at 3 to make room for 2; a plan holds all buffers");
}

TEST_CASE("glow-allocate-all: rounded sizes above the capacity are refused with the missing bytes") {
  ProblemInput input;
  Buffer b = buffer(0, 1, 100);
  b.alignment = 64;
  input.add("b", b);
  input.capacity = 120;
  const auto planned = run("glow-allocate-all", make_problem(input).value());
  REQUIRE_FALSE(planned);
  CHECK(planned.error().kind == Error::Kind::kRefused);
  CHECK(planned.error().message.find("needs 128 bytes, 8 more than its capacity 120") != std::string::npos);
}

TEST_CASE("iree-layout-slices: what alignment loses in a gap counts when it is remembered, not when it is compared") {
  ProblemInput input;
  Buffer b;
  const auto add = [&](const char* id, std::int64_t size, std::int64_t alignment, std::int64_t start,
                       std::int64_t end) {
    b = buffer(start, end, size);
    b.alignment = alignment;
    input.add(id, b);
  };
  add("low", 4, 4, 0, 9);        // 0
  add("gone", 20, 4, 0, 1);      // 4, then a gap of 20
  add("middle", 4, 4, 0, 9);     // 24
  add("gone too", 20, 4, 0, 1);  // 28, then a gap of 20
  add("high", 4, 4, 0, 9);       // 48
  add("new", 8, 16, 2, 9);       // gap [4, 24): at 16, 8 left; remembered as 20; gap [28, 48): at 32, 16 left: wins
  const auto planned = run("iree-layout-slices", make_problem(input).value());
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 4, 24, 28, 48, 32});
}

TEST_CASE("somas: the worked example, in two streams, in one, and with a contiguous list") {
  const auto peak_of = [](const Problem& problem, const Plan& plan) {
    return measure(problem, measure(problem), plan).makespan;
  };
  ProblemInput two_streams = somas_example();
  // Only {t0, t4} and {t1, t4} may share: everything else conflicts.
  two_streams.constraints.conflicts = {{0, 3}};
  const Problem parallel = make_problem(two_streams).value();
  const auto apart = run("somas", parallel);
  REQUIRE(apart);
  CHECK(peak_of(parallel, apart->plan) == 3584);

  const Problem serial = make_problem(somas_example()).value();
  const auto together = run("somas", serial);
  REQUIRE(together);
  CHECK(peak_of(serial, together->plan) == 2560);
  CHECK(together->plan.offsets == std::vector<std::int64_t>{0, 1024, 2048, 0, 1024});
  CHECK(together->result.iterations == 8);

  ProblemInput with_list = somas_example();
  with_list.constraints.groups = {Group{{1, 2}, 0}};
  const Problem contiguous = make_problem(with_list).value();
  const auto list = run("somas", contiguous);
  REQUIRE(list);
  CHECK(check_plan(contiguous, list->plan).valid());
  CHECK(list->plan.offsets == std::vector<std::int64_t>{1536, 0, 1024, 1536, 0});
}

TEST_CASE("somas: lifelong tensors share with nobody, with nobody before them, or with nobody after them") {
  ProblemInput input;
  const auto add = [&](const char* id, std::int64_t at, const char* kind) {
    Buffer b = buffer(at, at + 1, 8);
    b.kind = input.kind_index(kind);
    input.add(id, b);
  };
  for (int i = 0; i < 4; ++i) add("plain", i, "");
  const auto offsets_with = [&](BufferIndex which, const char* kind) {
    ProblemInput changed = input;
    changed.buffers[which].kind = changed.kind_index(kind);
    const auto planned = run("somas", make_problem(changed).value());
    REQUIRE(planned);
    return planned->plan.offsets;
  };
  using Offsets = std::vector<std::int64_t>;
  CHECK(offsets_with(0, "") == Offsets{0, 0, 0, 0});
  CHECK(offsets_with(1, "lifelong-all") == Offsets{0, 8, 0, 0});
  CHECK(offsets_with(2, "lifelong-start") == Offsets{0, 0, 8, 0});
  CHECK(offsets_with(1, "lifelong-end") == Offsets{0, 0, 8, 8});
  CHECK(offsets_with(3, "output") == Offsets{0, 0, 0, 0});
}

TEST_CASE("somas: a single object is chosen only when it saves more than the gain") {
  std::size_t lower = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Problem problem = random_problem(seed, RandomShape{});
    const auto shared = run("somas", problem);
    const auto any = run("somas", problem, {{"single-object-gain", "0"}});
    REQUIRE(shared);
    REQUIRE(any);
    const ProblemMetrics facts = measure(problem);
    const std::int64_t before = measure(problem, facts, shared->plan).makespan;
    const std::int64_t after = measure(problem, facts, any->plan).makespan;
    CHECK(after <= before);
    lower += after < before ? 1U : 0U;
    if (after == before) continue;
    const auto exactly = run("somas", problem, {{"single-object-gain", std::to_string(before - after)}});
    const auto below = run("somas", problem, {{"single-object-gain", std::to_string(before - after - 1)}});
    REQUIRE(exactly);
    REQUIRE(below);
    CHECK(measure(problem, facts, exactly->plan).makespan == before);
    CHECK(measure(problem, facts, below->plan).makespan < before);
  }
  CHECK(lower > 5);
}

TEST_CASE("mlir-best-fit: when no gap fits, the arena grows at its end, even above what has ended") {
  ProblemInput input;
  input.add("first", buffer(0, 2, 10));
  input.add("second", buffer(0, 5, 5));
  input.add("ended", buffer(0, 1, 7));
  input.add("new", buffer(2, 5, 12));
  const auto planned = run("mlir-best-fit", make_problem(input).value());
  REQUIRE(planned);
  CHECK(planned->plan.offsets == std::vector<std::int64_t>{0, 10, 15, 22});
}
