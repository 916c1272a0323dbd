// The other pools: each rule of its source with numbers.

#include <doctest/doctest.h>

#include "tests/core/pools/traces.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr std::int64_t kGiB = 1 << 30;

Trace two_ends() {
  return TraceWriter()
      .alloc("w1", 200, 0, true)
      .alloc("w2", 100, 0, true)
      .alloc("a", 300)
      .alloc("b", 250)
      .reset()
      .alloc("c", 100)
      .alloc("w3", 200, 0, true)
      .take();
}

}  // namespace

TEST_CASE("static memory keeps off what dynamic memory has ever reached") {
  const PoolRun run = played("double-ended", two_ends(), {}, 1000);
  CHECK(run.addresses == std::vector<std::int64_t>{800, 700, 0, 300, 0, kNoOffset});
  REQUIRE(run.failures.size() == 1);
  CHECK(run.failures[0].needed == 200);
  CHECK(run.failures[0].available == 150);
  CHECK(run.points[5].allocated == 400);
  const PoolRun exact = played("double-ended", two_ends());
  CHECK(exact.failures.empty());
  CHECK(exact.points[0].reserved == 1050);
}

TEST_CASE("the other way round the arena is its mirror") {
  const PoolRun run = played("double-ended", two_ends(), {{"static-end", "bottom"}}, 1000);
  CHECK(run.addresses == std::vector<std::int64_t>{0, 200, 700, 450, 900, kNoOffset});
}

TEST_CASE("sides that must stay apart do not touch") {
  const Trace trace = TraceWriter().alloc("w", 60, 0, true).alloc("a", 40).take();
  CHECK(played("double-ended", trace, {}, 100).failures.empty());
  CHECK(played("double-ended", trace, {{"meet", "apart"}}, 100).failures.size() == 1);
  CHECK(played("double-ended", trace, {{"meet", "apart"}}).points[0].reserved == 101);
}

TEST_CASE("without marks, what is kept to the end is static") {
  const Trace trace = TraceWriter().alloc("w", 10).alloc("a", 20).free("a").alloc("b", 5).free("b").take();
  const PoolRun run = played("double-ended", trace, {}, 100);
  CHECK(run.addresses == std::vector<std::int64_t>{90, 0, 20});
  const PoolRun pops = played("double-ended", trace, {{"free", "pop"}}, 100);
  CHECK(pops.addresses == std::vector<std::int64_t>{90, 0, 0});
  const PoolRun marked = played("double-ended", trace, {{"static", "marked"}}, 100);
  CHECK(marked.addresses == std::vector<std::int64_t>{0, 10, 30});
}

TEST_CASE("static and dynamic memory together never pass the capacity") {
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    CAPTURE(seed);
    for (const ParamValues& params :
         {ParamValues{}, ParamValues{{"free", "pop"}}, ParamValues{{"static-end", "bottom"}}}) {
      const std::int64_t capacity = 40 * kMiB;
      const PoolRun run = played("double-ended", random_trace(seed, {400, 30, 1, true}), params, capacity);
      std::int64_t together = 0;
      for (std::size_t k = 0; k < 2; ++k) together += run.facts[k].value;
      CHECK(together <= capacity);
      const PoolRun enough = played("double-ended", random_trace(seed, {400, 30, 1, true}), params);
      CHECK(enough.failures.empty());
      // A byte less is not enough.
      CHECK_FALSE(played("double-ended", random_trace(seed, {400, 30, 1, true}), params, enough.points[0].reserved - 1)
                      .failures.empty());
    }
  }
}

TEST_CASE("buddies are halved and joined") {
  const Trace trace = TraceWriter()
                          .alloc("a", 100)
                          .alloc("b", 240)
                          .alloc("c", 64)
                          .alloc("d", 256)
                          .free("b")
                          .free("a")
                          .alloc("e", 75)
                          .free("e")
                          .free("c")
                          .free("d")
                          .take();
  const PoolRun run = played("buddy", trace, {}, 1024);
  CHECK(run.addresses == std::vector<std::int64_t>{0, 256, 128, 512, 0});
  const auto free_after = [&](std::size_t event) {
    std::vector<std::pair<std::int64_t, std::int64_t>> free;
    for (const BlockSpan& block : state_after(run, event).blocks) {
      if (block.state == BlockState::kFree) free.emplace_back(block.size, block.address);
    }
    return free;
  };
  using Blocks = std::vector<std::pair<std::int64_t, std::int64_t>>;
  CHECK(free_after(3) == Blocks{{64, 192}, {256, 768}});
  CHECK(free_after(5) == Blocks{{128, 0}, {64, 192}, {256, 256}, {256, 768}});
  CHECK(free_after(9) == Blocks{{1024, 0}});
}

TEST_CASE("a buddy arena without a capacity doubles, and wastes less than half of any block") {
  const PoolRun run = played("buddy", random_trace(3, {400, 60, 1, false}), {{"min", "1"}});
  CHECK(run.failures.empty());
  for (const PoolPoint& point : run.points) CHECK((point.allocated == 0 || point.allocated < 2 * point.requested));
  CHECK(run.points.back().segments == 1);
}

TEST_CASE("MindSpore takes whole blocks, the smallest idle buffer and borrows at the end") {
  const Trace trace = TraceWriter().alloc("a", 100).alloc("b", 0).alloc("w", 1000, 0, true).alloc("c", 2 * kGiB).take();
  const PoolRun run = played("mindspore-best-fit", trace);
  CHECK(run.addresses == std::vector<std::int64_t>{0, 512, kGiB, 2 * kGiB});
  CHECK(run.points.back().reserved == 4 * kGiB);
  // 100 MiB in all: the common pool takes everything, static memory borrows from it.
  const PoolRun tight =
      played("mindspore-best-fit", TraceWriter().alloc("a", 512).alloc("w", 512, 0, true).take(), {}, 100 * kMiB);
  CHECK(tight.addresses == std::vector<std::int64_t>{0, 512});
  CHECK(tight.facts[0].value == 1);
  // Below 10 MiB the device gives nothing.
  CHECK(played("mindspore-best-fit", TraceWriter().alloc("a", 512).take(), {}, 9 * kMiB).failures.size() == 1);
}

TEST_CASE("of equal idle buffers MindSpore takes the one that has been idle for longest") {
  const Trace trace = TraceWriter()
                          .alloc("a", 512)
                          .alloc("x", 512)
                          .alloc("b", 512)
                          .alloc("y", 512)
                          .free("b")
                          .free("a")
                          .alloc("c", 512)
                          .take();
  CHECK(played("mindspore-best-fit", trace).addresses.back() == 1024);
}

TEST_CASE("slabs hold equal objects; more than enough empty slabs go back") {
  TraceWriter writer;
  for (int k = 0; k < 5; ++k) writer.alloc(fmt::format("t{}", k), 60);
  for (int k = 0; k < 5; ++k) writer.free(fmt::format("t{}", k));
  const PoolRun run = played("slab", writer.take(), {{"objects", "2"}});
  CHECK(run.addresses == std::vector<std::int64_t>{0, 64, 128, 192, 256});
  CHECK(run.points[4].reserved == 384);
  CHECK(run.points.back().reserved == 128);
  const PoolRun classes = played("slab", TraceWriter().alloc("a", 65).alloc("b", 81).alloc("c", 2 * kMiB).take());
  CHECK(classes.groups == std::vector<std::string>{"own segment", "objects of 80 B", "objects of 104 B"});
  CHECK(classes.points.back().internal_fragmentation() == 15 + 23);
  // The largest is a class whatever the steps below it.
  const PoolRun largest = played("slab", TraceWriter().alloc("a", kMiB).take(), {{"objects", "1"}});
  CHECK(largest.groups.size() == 2);
  CHECK(largest.groups.back() == "objects of 1,048,576 B");
}

TEST_CASE("a partly used slab comes before an empty one") {
  const Trace trace = TraceWriter()
                          .alloc("a", 64)
                          .alloc("b", 64)
                          .alloc("c", 64)
                          .alloc("d", 64)
                          .free("a")
                          .free("b")
                          .free("d")
                          .alloc("e", 64)
                          .take();
  CHECK(played("slab", trace, {{"objects", "2"}}).addresses.back() == 192);
}

TEST_CASE("without a pool every allocation is one of the device") {
  const PoolRun run = played("malloc-per-tensor", TraceWriter().alloc("a", 1).free("a").alloc("b", 300).take());
  CHECK(run.addresses == std::vector<std::int64_t>{0, 0});
  CHECK(run.points.back().device_allocations == 2);
  CHECK(run.points.back().reserved == 512);
}
