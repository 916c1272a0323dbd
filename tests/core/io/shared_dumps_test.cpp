#include <array>
#include <string>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "core/model/metrics.h"
#include "tests/core/io/reading.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct Expected {
  const char* file;
  const char* format;
  std::size_t buffers;
  std::int64_t load;
  std::int64_t makespan;  // -1: there is no plan
};

Document open_good(const std::filesystem::path& path, const ReadOptions& options = {}) {
  auto document = open_document(path.string(), options);
  REQUIRE_MESSAGE(document.has_value(), (document ? std::string() : document.error().message));
  return std::move(*document);
}

}  // namespace

TEST_CASE("real dumps: each has its known numbers, and its plan is valid") {
  STOWAGE_NEED_SHARED(shared);
  const Expected expected[] = {
      {"data/xla/profile_demo.memory_viewer.json", "xla-hlo-proto", 2, 3 << 20, 3 << 20},
      {"data/pytorch/small_train_snapshot.pickle", "torch-snapshot", 36, 3249143816, 4722917376},
      {"data/pytorch/medium_128_inference_memory_snapshot.pickle", "torch-snapshot", 1280, 35651584, 1914830848},
      {"data/iopddl/iopddl_example.json", "iopddl", 5, 50, -1},
  };
  for (const Expected& row : expected) {
    CAPTURE(row.file);
    const Document document = open_good(shared / row.file);
    CHECK(document.facts.format == row.format);
    CHECK(document.facts.left_out == 0);
    CHECK(document.problem->size() == row.buffers);
    const ProblemMetrics facts = measure(*document.problem);
    CHECK(facts.load == row.load);
    CHECK(document.plans.size() == (row.makespan < 0 ? 0 : 1));
    if (row.makespan < 0) continue;
    CHECK(measure(*document.problem, facts, document.plans[0]).makespan == row.makespan);
    CHECK(check_plan(*document.problem, document.plans[0]).valid());
  }
}

TEST_CASE("real dumps: a snapshot knows who was never freed and where things come from") {
  STOWAGE_NEED_SHARED(shared);
  const Document document = open_good(shared / "data/pytorch/small_train_snapshot.pickle");
  std::size_t never_freed = 0;
  std::size_t with_source = 0;
  for (BufferIndex i = 0; i < document.problem->size(); ++i) {
    const Details* details = document.problem->details(i);
    if (details == nullptr) continue;
    if (details->open_end) ++never_freed;
    if (!details->source.empty()) ++with_source;
  }
  CHECK(never_freed == 10);
  CHECK(with_source == 36);
  ReadOptions segments;
  segments.choices["spaces"] = "segments";
  const Document split = open_good(shared / "data/pytorch/small_train_snapshot.pickle", segments);
  CHECK(split.problem->spaces().size() > 1);
  CHECK(check_plan(*split.problem, split.plans.at(0)).valid());
}

TEST_CASE("real dumps: statistics of a graphics allocator") {
  STOWAGE_NEED_SHARED(shared);
  const Document document = open_good(shared / "data/vma/VMA_Sample.json");
  CHECK(document.problem->size() == 132);
  std::int64_t sum = 0;
  for (const Buffer& buffer : document.problem->buffers()) sum += buffer.size;
  CHECK(sum == 73401500);
  CHECK(has_warning(document, "default pools: 3 blocks, 75 suballocations and dedicated allocations"));
  CHECK(check_plan(*document.problem, document.plans.at(0)).valid());
}

TEST_CASE("real dumps: traces of malloc have one buffer for each allocation, where the heap put it") {
  STOWAGE_NEED_SHARED(shared);
  const Document document = open_good(shared / "data/malloc/mtrace_debian_wc.log");
  CHECK(document.facts.format == "mtrace");
  CHECK(document.problem->size() == 203);  // 202 allocations, and a block that realloc resized
  std::size_t open = 0;
  for (BufferIndex i = 0; i < document.problem->size(); ++i) {
    const Details* details = document.problem->details(i);
    open += details != nullptr && (details->open_end || details->open_start) ? 1 : 0;
  }
  CHECK(open == 0);
  CHECK(check_plan(*document.problem, document.plans.at(0)).valid());
  const Document calls = open_good(shared / "data/malloc/ltrace_debian_wc.txt");
  CHECK(calls.facts.format == "ltrace");
  CHECK(check_plan(*calls.problem, calls.plans.at(0)).valid());
}

TEST_CASE("reported faults: snapshots with lost events") {
  STOWAGE_NEED_SHARED(shared);
  const Document twice = open_good(shared / "cases/bugs/19-alloc-same-address-twice.json");
  CHECK(measure(*twice.problem).load == 1024);
  CHECK(has_warning(twice, "a free is missing"));
  std::int64_t at_the_end = 0;
  for (const Buffer& buffer : twice.problem->buffers()) at_the_end += buffer.end == 4 ? buffer.size : 0;
  CHECK(at_the_end == 512);

  const Document early = open_good(shared / "cases/bugs/21-free-before-alloc.json");
  const std::array<std::int64_t, 5> expected = {320, 64, 192, 128, 0};  // before the first event, then after each
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::int64_t time = static_cast<std::int64_t>(k) - 1;
    std::int64_t live = 0;
    for (const Buffer& buffer : early.problem->buffers()) {
      if (buffer.start <= time && time < buffer.end) live += buffer.size;
    }
    CHECK(live == expected[k]);
  }
  CHECK(early.problem->details(0)->open_start);
}

TEST_CASE("hostile files: pickles") {
  STOWAGE_NEED_SHARED(shared);
  const auto evil = open_document((shared / "cases/hostile/50-evil.pickle").string(), {});
  REQUIRE_FALSE(evil.has_value());
  CHECK(evil.error().message.find("pickle uses GLOBAL os.system") != std::string::npos);
  const auto loop = open_document((shared / "cases/hostile/52-pickle-memo-loop.pickle").string(), {});
  REQUIRE_FALSE(loop.has_value());
  CHECK(loop.error().message.find("no memory snapshot") != std::string::npos);
}
