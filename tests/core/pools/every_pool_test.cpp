// What must hold for every pool, on random traces.

#include <map>
#include <set>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "core/steps/step_player.h"
#include "tests/core/pools/traces.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct Way {
  std::string pool;
  ParamValues params;
};

/// Every pool as it is, and what changes how one of them keeps its segments.
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Pool& pool : pools()) all.push_back({pool.id, {}});
  all.push_back({"caching", {{"expandable", "true"}}});
  return all;
}

/// Segments are covered by their blocks without a hole or an overlap, and the counted bytes are those of the blocks.
void check_state(const PoolRun& run, const Trace& trace, std::size_t event) {
  const PoolState state = state_after(run, event);
  const PoolPoint& point = run.points[event];
  std::int64_t allocated = 0, waiting = 0, free = 0, largest = 0, requested = 0, reserved = 0;
  std::map<std::uint32_t, std::int64_t> next;  // by segment: where the next block must begin
  std::int64_t end = kMinInt64;
  for (const SegmentSpan& segment : state.segments) {
    REQUIRE(segment.address >= end);
    end = segment.address + segment.size;
    next[segment.segment] = segment.address;
    reserved += segment.size;
  }
  std::set<BufferIndex> owners;
  for (const BlockSpan& block : state.blocks) {
    REQUIRE(next.contains(block.segment));
    REQUIRE(block.address == next[block.segment]);
    REQUIRE(block.size > 0);
    next[block.segment] = block.address + block.size;
    if (block.state == BlockState::kFree) {
      free += block.size;
      largest = std::max(largest, block.size);
      CHECK(block.owner == kNoBuffer);
    } else if (block.state == BlockState::kWaiting) {
      waiting += block.size;
    } else {
      allocated += block.size;
      const Allocation& owner = trace.allocations()[block.owner];
      requested += owner.bytes;
      CHECK(owners.insert(block.owner).second);
      CHECK(owner.made <= event);
      CHECK((owner.ended == kNoEvent || owner.ended > event));
      CHECK(block.size >= owner.bytes);
      CHECK(block.address == run.addresses[block.owner]);
    }
  }
  for (const SegmentSpan& segment : state.segments) CHECK(next[segment.segment] == segment.address + segment.size);
  CHECK(point.requested == requested);
  CHECK(point.allocated == allocated);
  CHECK(point.waiting == waiting);
  CHECK(point.reserved == reserved);
  CHECK(point.free() == free);
  CHECK(point.largest_free == largest);
  CHECK(point.segments == state.segments.size());
  if (run.capacity) CHECK(reserved <= *run.capacity);
  // Whoever was granted an address has a block as long as it lives.
  for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
    const Allocation& one = trace.allocations()[i];
    const bool lives = one.made <= event && (one.ended == kNoEvent || one.ended > event);
    if (lives && run.addresses[i] != kNoOffset) CHECK(owners.contains(i));
  }
}

/// In pools that merge, two free blocks of a segment never lie side by side.
void check_merged(const PoolRun& run, std::size_t event) {
  const PoolState state = state_after(run, event);
  for (std::size_t k = 1; k < state.blocks.size(); ++k) {
    const BlockSpan& below = state.blocks[k - 1];
    const BlockSpan& above = state.blocks[k];
    if (below.segment != above.segment) continue;
    CHECK_FALSE((below.state == BlockState::kFree && above.state == BlockState::kFree));
  }
}

}  // namespace

TEST_CASE("of every pool, blocks cover the segments and the bytes are those of the blocks") {
  for (const Way& way : ways()) {
    CAPTURE(way.pool);
    CAPTURE(way.params.size());
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      const Trace trace = random_trace(seed, {300, 50, seed % 3 == 0 ? 3 : 1, true});
      const std::optional<std::int64_t> capacity =
          seed % 2 == 0 ? std::optional<std::int64_t>(static_cast<std::int64_t>(seed) * 17 * kMiB) : std::nullopt;
      const PoolRun run = played(way.pool, trace, way.params, capacity);
      REQUIRE(run.points.size() == trace.events().size());
      for (std::size_t e = 0; e < run.points.size(); e += 7) check_state(run, trace, e);
      if (!run.points.empty()) check_state(run, trace, run.points.size() - 1);
    }
  }
}

TEST_CASE("free neighbours are merged wherever the pool merges") {
  for (const Way& way : ways()) {
    if (way.pool == "buddy" || way.pool == "slab") continue;
    CAPTURE(way.pool);
    for (std::uint64_t seed = 50; seed < 56; ++seed) {
      CAPTURE(seed);
      const PoolRun run = played(way.pool, random_trace(seed, {300, 40, 2, true}), way.params);
      for (std::size_t e = 0; e < run.points.size(); e += 5) check_merged(run, e);
    }
  }
}

TEST_CASE("the addresses of a pool are a plan without collisions") {
  for (const Way& way : ways()) {
    CAPTURE(way.pool);
    CAPTURE(way.params.size());
    for (std::uint64_t seed = 20; seed < 26; ++seed) {
      CAPTURE(seed);
      const Trace trace = random_trace(seed, {500, 80, 2, true});
      const auto problem = problem_of(trace, TraceAxis::kEvent);
      REQUIRE(problem);
      const Plan plan = plan_of(played(way.pool, trace, way.params), trace, problem->size());
      const CheckReport report = check_plan(*problem, plan);
      CHECK_MESSAGE(report.valid(), (report.issues.empty() ? "" : describe(report.issues.front(), *problem)));
    }
  }
}

TEST_CASE("a pool does the same whether it is watched or not, and its steps lead to its addresses") {
  for (const Way& way : ways()) {
    CAPTURE(way.pool);
    CAPTURE(way.params.size());
    const Trace trace = random_trace(77, {400, 60, 2, true});
    StepLog steps;
    const PoolRun watched = played(way.pool, trace, way.params, 300 * kMiB, &steps);
    const PoolRun silent = played(way.pool, trace, way.params, 300 * kMiB);
    CHECK(watched.addresses == silent.addresses);
    CHECK(watched.points == silent.points);
    CHECK(watched.blocks == silent.blocks);
    // After each placing step the buffer lies where the run says; in the end those that live on are the ones placed.
    StepPlayer player(steps.steps(), trace.allocations().size());
    std::size_t placed = 0;
    for (std::size_t k = 0; k < steps.steps().size(); ++k) {
      const auto* place = std::get_if<step::Place>(&steps.steps()[k].fact);
      if (place == nullptr) continue;
      ++placed;
      CHECK_FALSE(steps.steps()[k].why.empty());
      player.seek(k + 1);
      CHECK(player.state().offsets[place->buffer] == watched.addresses[place->buffer]);
    }
    player.seek(player.size());
    std::size_t granted = 0;
    for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
      granted += watched.addresses[i] != kNoOffset ? 1U : 0U;
      const bool lives_on = trace.allocations()[i].ended == kNoEvent && watched.addresses[i] != kNoOffset;
      CHECK(player.state().offsets[i] == (lives_on ? watched.addresses[i] : kNoOffset));
    }
    CHECK(placed == granted);
  }
}

TEST_CASE("a request that fails says what is missing, and a trace goes on after it") {
  const Trace trace =
      TraceWriter().alloc("a", 3 * kMiB).alloc("b", 900 * kMiB).free("b").free("a").alloc("c", 1000).take();
  for (const Pool& pool : pools()) {
    CAPTURE(pool.id);
    const PoolRun run = played(pool.id, trace, {}, 64 * kMiB);
    REQUIRE(run.failures.size() == 1);
    const PoolFailure& failure = run.failures.front();
    CHECK(failure.event == 1);
    CHECK(failure.needed >= 900 * kMiB);
    CHECK(failure.available <= 64 * kMiB);
    CHECK(failure.missing() == failure.needed - failure.available);
    CHECK(failure.missing() > 0);
    CHECK(run.addresses[1] == kNoOffset);
    CHECK(run.addresses[2] != kNoOffset);
  }
}

TEST_CASE("sizes at the end of all numbers fail or fit, but never overflow") {
  for (const Pool& pool : pools()) {
    CAPTURE(pool.id);
    const Trace trace =
        TraceWriter().alloc("a", kMaxInt64 / 2 + 1).alloc("b", kMaxInt64 / 4).alloc("c", 1).free("a").empty().take();
    for (const std::optional<std::int64_t> capacity :
         {std::optional<std::int64_t>(), std::optional<std::int64_t>(kMaxInt64),
          std::optional<std::int64_t>(1 << 20)}) {
      const PoolRun run = played(pool.id, trace, {}, capacity);
      for (const PoolFailure& failure : run.failures) CHECK(failure.missing() > 0);
    }
  }
}

TEST_CASE("unknown parameters and values are usage errors that name the pool") {
  const Trace trace = TraceWriter().alloc("a", 1).take();
  for (const Pool& pool : pools()) {
    RunContext context;
    const auto unknown = run_pool(pool, trace, {{"mood", "good"}}, {}, context);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().kind == Error::Kind::kUsage);
    CHECK(unknown.error().message.find(pool.id) != std::string::npos);
    for (const ParamSpec& spec : pool.params) {
      CAPTURE(spec.key);
      const auto wrong = run_pool(pool, trace, {{spec.key, "three"}}, {}, context);
      REQUIRE_FALSE(wrong);
      CHECK(wrong.error().kind == Error::Kind::kUsage);
      for (const std::string& value : spec.choices) {
        CAPTURE(value);
        const auto run = run_pool(pool, trace, {{spec.key, value}}, 1 << 30, context);
        CHECK(run);
      }
    }
  }
}

TEST_CASE("a pool that is told to stop stops") {
  for (const Pool& pool : pools()) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const auto run = run_pool(pool, random_trace(5, {9000, 50, 1, false}), {}, 1 << 30, context);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == Error::Kind::kCancelled);
  }
}
