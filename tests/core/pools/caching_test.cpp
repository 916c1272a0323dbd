// The rules of PyTorch's caching allocator, one by one.

#include <doctest/doctest.h>

#include "tests/core/pools/traces.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct Sizes {
  std::int64_t block = 0;
  std::int64_t segment = 0;
};
Sizes alone(std::int64_t bytes, const ParamValues& params = {}) {
  const PoolRun run = played("caching", TraceWriter().alloc("a", bytes).take(), params);
  return {run.points[0].allocated, run.points[0].reserved};
}

}  // namespace

TEST_CASE("sizes of blocks and segments of a fresh cache") {
  CHECK(alone(1).block == 512);
  CHECK(alone(1).segment == 2 * kMiB);
  CHECK(alone(kMiB).segment == 2 * kMiB);
  CHECK(alone(kMiB + 1).block == 1'049'088);
  CHECK(alone(kMiB + 1).segment == 20 * kMiB);
  CHECK(alone(10 * kMiB - 1).segment == 10 * kMiB);
  CHECK(alone(10 * kMiB + 1).segment == 12 * kMiB);
  // A rest of 1 MiB is too small to be split off a large segment.
  CHECK(alone(21 * kMiB).block == 22 * kMiB);
  CHECK(alone(21 * kMiB - 512).block == 21 * kMiB - 512);
}

TEST_CASE("divisions round to steps between powers of two") {
  CHECK(alone(1200, {{"divisions", "4"}}).block == 1536);
  CHECK(alone(5000, {{"divisions", "4"}}).block == 5120);
  CHECK(alone(4096, {{"divisions", "4"}}).block == 4096);
  CHECK(alone(2048, {{"divisions", "4"}}).block == 2048);
  CHECK(alone(9 * kMiB, {{"divisions", "2"}}).block == 12 * kMiB);
}

TEST_CASE("freed neighbours become one block that fits exactly") {
  const PoolRun run = played("caching", TraceWriter()
                                            .alloc("a", 2 * kMiB)
                                            .alloc("b", 7 * kMiB)
                                            .alloc("c", 9 * kMiB)
                                            .free("a")
                                            .free("b")
                                            .alloc("d", 9 * kMiB)
                                            .take());
  CHECK(run.addresses == std::vector<std::int64_t>{0, 2 * kMiB, 9 * kMiB, 0});
  CHECK(run.points.back().reserved == 20 * kMiB);
}

TEST_CASE("growing batches leave slivers behind") {
  TraceWriter writer;
  std::vector<std::int64_t> reserved, segments;
  for (const std::int64_t n : {8, 9, 10}) {
    for (const std::int64_t factor : {1, 2, 4}) writer.alloc(fmt::format("{}", factor), factor * n * kMiB);
    for (const char* id : {"1", "2", "4"}) writer.free(id);
  }
  const PoolRun run = played("caching", writer.take());
  for (const std::size_t event : {5U, 11U, 17U}) {
    reserved.push_back(run.points[event].reserved / kMiB);
    segments.push_back(run.points[event].segments);
  }
  CHECK(reserved == std::vector<std::int64_t>{68, 104, 144});
  CHECK(segments == std::vector<std::int64_t>{3, 4, 5});
}

TEST_CASE("streams do not share blocks") {
  const PoolRun run =
      played("caching", TraceWriter().alloc("a", 512, 0).free("a").alloc("b", 512, 1).alloc("c", 512, 0).take());
  CHECK(run.addresses == std::vector<std::int64_t>{0, 2 * kMiB, 0});
  CHECK(run.groups == std::vector<std::string>{"small", "small, stream 1"});
}

TEST_CASE("a block that another stream uses waits after its free") {
  const auto trace = [] {
    return TraceWriter().alloc("a", 512).use("a", 1).free("a").alloc("b", 512).alloc("c", 512).take();
  };
  const PoolRun run = played("caching", trace());
  CHECK(run.points[2].waiting == 512);
  CHECK(run.points[2].allocated == 0);
  CHECK(run.addresses == std::vector<std::int64_t>{0, 0, 512});
  const PoolRun slow = played("caching", trace(), {{"wait", "2"}});
  CHECK(slow.addresses == std::vector<std::int64_t>{0, 512, 0});
  const PoolRun own = played("caching", TraceWriter().alloc("a", 512).use("a", 0).free("a").take());
  CHECK(own.points[2].waiting == 0);
}

TEST_CASE("an emptied cache gives whole segments back, split ones stay") {
  const PoolRun run = played("caching", TraceWriter()
                                            .alloc("a", 512)
                                            .alloc("b", 4 * kMiB)
                                            .alloc("c", 512)
                                            .free("b")
                                            .free("a")
                                            .empty()
                                            .free("c")
                                            .empty()
                                            .take());
  CHECK(run.points[4].reserved == 22 * kMiB);
  CHECK(run.points[5].reserved == 2 * kMiB);
  CHECK(run.points[7].reserved == 0);
  CHECK(run.points[7].device_allocations == 2);
}

TEST_CASE("at the capacity cached segments go back before a request fails") {
  const Trace trace = TraceWriter().alloc("a", 12 * kMiB).free("a").alloc("b", 20 * kMiB).alloc("c", 8 * kMiB).take();
  const PoolRun run = played("caching", trace, {}, 24 * kMiB);
  CHECK(run.addresses[1] != kNoOffset);
  CHECK(run.points[2].reserved == 20 * kMiB);
  REQUIRE(run.failures.size() == 1);
  CHECK(run.failures[0].allocation == 2);
  CHECK(run.failures[0].needed == 8 * kMiB);
  CHECK(run.failures[0].missing() == 8 * kMiB);
  CHECK(run.facts[0].value == 2);
}

TEST_CASE("blocks above the limit on splitting are kept for requests of their size") {
  const ParamValues limit = {{"max-split", "30MiB"}};
  const Trace trace = TraceWriter()
                          .alloc("a", 64 * kMiB)
                          .free("a")
                          .alloc("small", 24 * kMiB)
                          .alloc("near", 50 * kMiB)
                          .free("near")
                          .alloc("far", 40 * kMiB)
                          .take();
  const PoolRun run = played("caching", trace, limit);
  CHECK(run.addresses[1] == 64 * kMiB);  // not from the block of 64 MiB
  CHECK(run.addresses[2] == 0);          // within 20 MiB of it, and given whole
  CHECK(run.points[3].allocated == 88 * kMiB);
  CHECK(run.addresses[3] == 88 * kMiB);  // 64 MiB are 20 MiB too many or more
  const PoolRun free = played("caching", trace);
  CHECK(free.addresses[1] == 0);
  // At the capacity the oversize block goes first.
  const PoolRun tight =
      played("caching", TraceWriter().alloc("a", 64 * kMiB).free("a").alloc("b", 24 * kMiB).take(), limit, 70 * kMiB);
  CHECK(tight.failures.empty());
  CHECK(tight.points.back().reserved == 24 * kMiB);
}

TEST_CASE("old free segments go back above the threshold") {
  const Trace trace = TraceWriter()
                          .alloc("a", 20 * kMiB)
                          .alloc("b", 22 * kMiB)
                          .free("a")
                          .alloc("x", 12 * kMiB)
                          .free("b")
                          .alloc("c", 30 * kMiB)
                          .take();
  const PoolRun kept = played("caching", trace, {}, 100 * kMiB);
  const PoolRun collected = played("caching", trace, {{"gc-threshold", "0.2"}}, 100 * kMiB);
  CHECK(kept.points.back().reserved > collected.points.back().reserved);
  CHECK(collected.failures.empty());
}

TEST_CASE("expandable segments leave no slivers: what lies at the end grows") {
  TraceWriter writer;
  std::vector<std::int64_t> reserved, segments;
  for (const std::int64_t n : {8, 9, 10}) {
    for (const std::int64_t factor : {1, 2, 4}) writer.alloc(fmt::format("{}", factor), factor * n * kMiB);
    for (const char* id : {"1", "2", "4"}) writer.free(id);
  }
  const PoolRun run = played("caching", writer.take(), {{"expandable", "true"}});
  for (const std::size_t event : {5U, 11U, 17U}) {
    reserved.push_back(run.points[event].reserved / kMiB);
    segments.push_back(run.points[event].segments);
  }
  CHECK(reserved == std::vector<std::int64_t>{60, 80, 80});
  CHECK(segments == std::vector<std::int64_t>{1, 1, 1});
}

TEST_CASE("expandable segments give whole granules back and fill the lowest hole again") {
  const PoolRun run = played("caching",
                             TraceWriter()
                                 .alloc("a", 30 * kMiB)
                                 .alloc("b", 15 * kMiB)
                                 .alloc("c", 15 * kMiB)
                                 .free("a")
                                 .empty()
                                 .alloc("d", 25 * kMiB)
                                 .alloc("e", 512)
                                 .take(),
                             {{"expandable", "true"}});
  std::vector<std::int64_t> reserved;
  for (const PoolPoint& point : run.points) reserved.push_back(point.reserved / kMiB);
  CHECK(reserved == std::vector<std::int64_t>{40, 60, 60, 60, 40, 60, 62});
  // Small ones lie behind the highest place that large ones ever reach.
  CHECK(run.addresses == std::vector<std::int64_t>{0, 30 * kMiB, 45 * kMiB, 0, 60 * kMiB});
  CHECK(run.points.back().segments == 2);
}

TEST_CASE("in an expandable segment the block at the end counts as large as it could become") {
  const Trace trace = TraceWriter().alloc("a", 8 * kMiB).alloc("b", 6 * kMiB).free("a").alloc("c", 5 * kMiB).take();
  CHECK(played("caching", trace).addresses[2] == 14 * kMiB);
  CHECK(played("caching", trace, {{"expandable", "true"}}).addresses[2] == 0);
}

TEST_CASE("an expandable segment at the capacity gives back what is free before a request fails") {
  const ParamValues expandable = {{"expandable", "true"}};
  const Trace trace =
      TraceWriter().alloc("a", 40 * kMiB).alloc("b", 20 * kMiB).free("a").alloc("c", 1).alloc("d", 45 * kMiB).take();
  const PoolRun run = played("caching", trace, expandable, 60 * kMiB);
  CHECK(run.addresses[2] != kNoOffset);  // two of the large granules went back for a small one
  CHECK(run.points[3].reserved == 22 * kMiB);
  REQUIRE(run.failures.size() == 1);
  CHECK(run.failures[0].allocation == 3);
  CHECK(run.failures[0].needed == 45 * kMiB);
}
