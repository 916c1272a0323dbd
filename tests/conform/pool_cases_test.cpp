// The cases about pools of the extra data, and how their words are understood.

#include <doctest/doctest.h>

#include "tests/conform/judge.h"
#include "tests/conform/pool_trace.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::conform;

namespace {

std::string judged(const char* text) {
  return describe(judge(json::parse(text)));
}

}  // namespace

TEST_CASE("every case about pools and rounding is held") {
  STOWAGE_NEED_SHARED(shared);
  const auto all = judge_file(shared / "conformance" / "graphs.json");
  REQUIRE(all);
  std::size_t count = 0;
  for (const Judged& one : *all) {
    const bool ours = one.name.starts_with("bfc_") || one.name.starts_with("torch_") || one.name.starts_with("align_");
    if (!ours) continue;
    CAPTURE(one.name);
    CHECK(describe(one.verdict) == "held");
    ++count;
  }
  CHECK(count >= 8);
}

TEST_CASE("a pool case is held only when all it expects is so") {
  CHECK(judged(R"({"name":"bfc_x","trace":[["alloc",4]],"expected":{"requested":4,"allocated":256}})") == "held");
  CHECK(judged(R"({"name":"bfc_x","trace":[["alloc",4]],"expected":{"requested":4,"allocated":512}})") ==
        "failed (allocated: expected 512, got 256)");
  CHECK(judged(R"({"name":"bfc_x","trace":[["alloc",4]],"expected":{"mood":4}})").starts_with("not expressible"));
  CHECK(judged(R"({"name":"bfc_x","trace":[["sing",4]],"expected":{"allocated":4}})").starts_with("not expressible"));
  CHECK(judged(R"({"name":"bfc_x","trace":"alloc some","expected":{"allocated":4}})").starts_with("not expressible"));
  CHECK(judged(R"({"name":"bfc_x","trace":[["alloc",4]],"expected":{}})").starts_with("not expressible"));
  CHECK(judged(R"({"name":"align_gpu","formula_inputs":[1,2],"expected":{"1":512}})") == "held");
  CHECK(judged(R"({"name":"align_gpu","formula_inputs":[1],"expected":{"1":256}})") ==
        "failed (1: expected 256, got 512)");
  CHECK(judged(R"({"name":"align_gpu","formula_inputs":[1],"expected":{"2":512}})").starts_with("not expressible"));
}

TEST_CASE("the two ends, buddies and their free lists as cases") {
  CHECK(judged(R"({"name":"double_ended_oom","capacity":1000,"trace":[["static",200],["static",100],["dynamic",300],
    ["dynamic",250],["reset"],["dynamic",100],["static",200]],
    "expected":{"addresses":[800,700,0,300,0,"OOM"],"dynamic_max":550,"failures":1}})") == "held");
  CHECK(judged(R"({"name":"double_ended_oom","capacity":1000,"trace":[["static",200],["dynamic",300],["reset"]],
    "expected":{"results":[800,0,null]}})") == "held");
  CHECK(judged(R"({"name":"buddy_example","capacity":1024,"params":{"min_block":64},
    "trace":[["alloc",100],["alloc",240],["alloc",64],["alloc",256]],
    "expected":{"addresses":[0,256,128,512],"free_lists":{"64":[192],"256":[768]}}})") == "held");
}

TEST_CASE("words about traces") {
  CHECK(judged(R"({"name":"bfc_coalescing","notes":"1 GiB pool",
    "trace":"alloc 4096; free all; 1024 x {4096, 8,388,608, 16,384, 41,943,040}; alloc 4096",
    "expected":{"num_allocs":4098,"max_bytes_in_use":50352128,"max_alloc_size":41943040,"final_address":0}})") ==
        "held");
  CHECK(judged(R"({"name":"torch_slivers","trace":"see notes","notes":"N,3N MiB allocated then freed for N=2,4",
    "expected":[{"N":2,"reserved_MiB":20,"segments":1},{"N":4,"reserved_MiB":20,"segments":1}]})") == "held");
  CHECK(capacity_in_words("allow_growth, limit 64 MiB, adjacent regions") == std::int64_t{64} << 20U);
  CHECK(capacity_in_words("on a 1 GiB pool") == std::int64_t{1} << 30U);
  CHECK(capacity_in_words("capacity 1000") == 1000);
  CHECK_FALSE(capacity_in_words("fresh allocator per request"));
}
