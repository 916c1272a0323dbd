// The rules of TensorFlow's BFC allocator, one by one.

#include <doctest/doctest.h>

#include "tests/core/pools/traces.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("every size up to 1023, then nothing") {
  TraceWriter writer;
  for (int s = 1; s < 1024; ++s) writer.alloc(fmt::format("t{}", s), s);
  for (int s = 1; s < 1024; ++s) writer.free(fmt::format("t{}", s));
  const PoolRun run = played("bfc", writer.take(), {}, 1 << 30);
  CHECK(run.points[1022].allocated == 654'336);
  CHECK(run.peaks().allocated == 654'336);
  CHECK(run.peaks().largest_block == 1024);
  CHECK(run.points.back().allocated == 0);
  CHECK(run.points.back().largest_free == run.points.back().reserved);
}

TEST_CASE("chunks coalesce, so the first address comes again") {
  TraceWriter writer;
  writer.alloc("first", 4096).free("first");
  for (int k = 0; k < 1024; ++k) {
    int n = 0;
    for (const std::int64_t bytes : {4096, 8'388'608, 16'384, 41'943'040}) writer.alloc(fmt::format("{}", n++), bytes);
    for (const char* id : {"0", "1", "2", "3"}) writer.free(id);
  }
  writer.alloc("last", 4096);
  const PoolRun run = played("bfc", writer.take(), {{"growth", "false"}}, 1 << 30);
  CHECK(run.failures.empty());
  CHECK(run.addresses.size() == 4098);
  CHECK(run.addresses.back() == run.addresses.front());
  CHECK(run.peaks().allocated == 50'352'128);
  CHECK(run.peaks().largest_block == 41'943'040);
}

TEST_CASE("regions double until the limit") {
  const Trace trace =
      TraceWriter().alloc("a", kMiB).alloc("b", kMiB).alloc("c", 3 * kMiB).alloc("d", 10 * kMiB).alloc("e", 1).take();
  const PoolRun run = played("bfc", trace, {}, 64 * kMiB);
  CHECK(run.addresses == std::vector<std::int64_t>{0, kMiB, 2 * kMiB, 6 * kMiB, 22 * kMiB});
  CHECK(run.points.back().reserved == 38 * kMiB);
  CHECK(run.facts[0].value == 32 * kMiB);
  const PoolRun whole = played("bfc", trace, {{"growth", "false"}}, 64 * kMiB);
  CHECK(whole.points[0].reserved == 64 * kMiB);
  CHECK(whole.points.back().device_allocations == 1);
}

TEST_CASE("a chunk is split from twice the request on, or when too much would be wasted") {
  const auto first = [](std::int64_t bytes, const ParamValues& params) {
    return played("bfc", TraceWriter().alloc("a", bytes).take(), params, 4096).points[0].allocated;
  };
  CHECK(first(2049, {}) == 4096);
  CHECK(first(2048, {}) == 2048);
  CHECK(first(2049, {{"max-waste", "1024"}}) == 2304);
}

TEST_CASE("nothing for nothing, and no more than the limit") {
  const PoolRun run =
      played("bfc", TraceWriter().alloc("zero", 0).alloc("a", 256).alloc("b", 4 * kMiB).take(), {}, kMiB);
  CHECK(run.addresses == std::vector<std::int64_t>{kNoOffset, 0, kNoOffset});
  REQUIRE(run.failures.size() == 1);
  CHECK(run.failures[0].needed == 4 * kMiB);
  CHECK(run.failures[0].available == kMiB - 256);
}

TEST_CASE("free regions go back when that lets a request fit") {
  const Trace trace = TraceWriter().alloc("a", 2 * kMiB).free("a").alloc("b", 7 * kMiB).take();
  CHECK(played("bfc", trace, {}, 8 * kMiB).failures.size() == 1);
  const PoolRun run = played("bfc", trace, {{"garbage-collection", "true"}}, 8 * kMiB);
  CHECK(run.failures.empty());
  CHECK(run.points.back().reserved == 8 * kMiB);
}

TEST_CASE("regions that meet become one where the device allows it") {
  const Trace trace = TraceWriter().alloc("a", 2 * kMiB).free("a").alloc("b", 6 * kMiB).take();
  const PoolRun apart = played("bfc", trace, {}, 64 * kMiB);
  CHECK(apart.addresses[1] == 2 * kMiB);
  const PoolRun joined = played("bfc", trace, {{"coalesce-regions", "true"}}, 64 * kMiB);
  CHECK(joined.addresses[1] == 0);
  CHECK(joined.points.back().segments == 1);
}

TEST_CASE("a device with less than it promised gives smaller regions, once") {
  const Trace trace = TraceWriter().alloc("a", kMiB).alloc("b", 8 * kMiB).alloc("c", 8 * kMiB).take();
  const PoolRun run = played("bfc", trace, {{"growth", "false"}, {"device", "12MiB"}}, 16 * kMiB);
  CHECK(run.points[0].reserved <= 12 * kMiB);
  CHECK(run.points[0].reserved >= 10 * kMiB);
  CHECK(run.failures.size() == 1);
}

TEST_CASE("without growth a capacity is needed") {
  RunContext context;
  const auto run = run_pool(*find_pool("bfc"), TraceWriter().alloc("a", 1).take(), {{"growth", "false"}}, {}, context);
  REQUIRE_FALSE(run);
  CHECK(run.error().kind == Error::Kind::kRefused);
}
