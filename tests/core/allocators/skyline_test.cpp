#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/allocators/floors.h"
#include "core/allocators/min_queue.h"
#include "core/allocators/order.h"
#include "core/model/generate.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Skyline from its description: all waiting buffers are looked at before each placement.
std::vector<std::int64_t> slow_skyline(const Problem& problem) {
  const auto order = make_order(problem, "size").value();
  std::vector<std::int64_t> floors(problem.sections().count(), 0);
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  for (std::size_t placed = 0; placed < order.size(); ++placed) {
    BufferIndex best = kNoBuffer;
    std::int64_t lowest = kMaxInt64;
    for (const BufferIndex i : order) {
      if (offsets[i] != kNoOffset) continue;
      std::int64_t at = 0;
      problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
        for (auto s = span.first; s < span.last; ++s) {
          at = std::max(at, floors[static_cast<std::size_t>(s)] - span.low);
        }
      });
      at = problem.grid(i).up(at);
      if (at < lowest) {
        lowest = at;
        best = i;
      }
    }
    offsets[best] = lowest;
    problem.sections().for_each_span(problem[best], best, [&](const Span& span) {
      for (auto s = span.first; s < span.last; ++s) floors[static_cast<std::size_t>(s)] = lowest + span.high;
    });
  }
  return offsets;
}

}  // namespace

TEST_CASE("skyline places what looking at all waiting buffers each time would place") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.alignments = seed % 2 == 0;
    shape.gaps = seed % 3 == 0;
    const Problem problem = random_problem(seed, shape);
    RunContext context;
    CHECK(run_allocator(*find_allocator("skyline"), problem, {}, context)->plan.offsets == slow_skyline(problem));
  }
  const Problem large = make_problem(synthetic_family(400, 9)).value();
  RunContext context;
  CHECK(run_allocator(*find_allocator("skyline"), large, {}, context)->plan.offsets == slow_skyline(large));
}

TEST_CASE("floors agree with a plain array, over many levels") {
  for (const std::size_t sections : {1U, 63U, 64U, 65U, 5000U, 300000U}) {
    CAPTURE(sections);
    Random random(sections);
    Floors floors(sections);
    std::vector<std::int64_t> plain(sections, 0);
    for (int round = 0; round < 60; ++round) {
      const auto most = static_cast<std::int64_t>(sections) - 1;
      std::int64_t first = random.uniform(0, most);
      std::int64_t last = round % 2 == 0 ? random.uniform(first, most) : std::min(most, first + random.uniform(0, 90));
      ++last;
      const auto begin = plain.begin() + first;
      const auto end = plain.begin() + last;
      CHECK(floors.highest(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)) ==
            *std::max_element(begin, end));
      const std::int64_t floor = *std::max_element(begin, end) + random.uniform(0, 50);
      std::fill(begin, end, floor);
      floors.raise(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last), floor);
    }
  }
}

TEST_CASE("the queue hands out the least element, also after its top was replaced") {
  Random random(3);
  std::vector<std::int64_t> values;
  for (int i = 0; i < 500; ++i) values.push_back(random.uniform(0, 99));
  MinQueue<std::int64_t> queue;
  for (const std::int64_t value : values) queue.append(value);
  queue.arrange();
  std::vector<std::int64_t> model = values;
  while (!queue.empty()) {
    const auto least = std::min_element(model.begin(), model.end());
    REQUIRE(queue.top() == *least);
    if (random.uniform(0, 2) == 0) {
      *least += 10;
      queue.replace_top(*least);
    } else {
      model.erase(least);
      queue.pop();
    }
  }
  CHECK(model.empty());
}
