// Numbers that others computed: load, and first fit by size and by start, for the real files.

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/metrics.h"
#include "tests/support/shared_data.h"

using namespace stowage;

namespace {

constexpr std::int64_t kUnknown = -1;

struct Known {
  const char* file;
  std::size_t buffers;
  std::int64_t load;
  std::int64_t by_size;
  std::int64_t by_start;
};

const Known kKnown[] = {
    {"glow/inception_v1.onnx.csv", 81, 4014080, 4014080, 4014080},
    {"glow/kws.onnx.csv", 18, 347840, 347840, 378624},
    {"glow/mobilenet_v2_0.50_192.tflite.csv", 54, 2211840, 2359296, 2506752},
    {"glow/mobilenet_v2_1.40_224.tflite.csv", 54, 9031680, 9031680, 10235904},
    {"glow/resnet101_v2.onnx.csv", 137, 7225344, 8028160, 8830976},
    {"glow/resnet18_v1.onnx.csv", 23, 4014080, 4014080, 4616192},
    {"glow/resnet34_v2.onnx.csv", 53, 4014080, 4014080, 4415488},
    {"glow/resnet50_v2.onnx.csv", 69, 7225344, 8028160, 8830976},
    {"glow/xception.tflite.csv", 91, 27659520, 27659520, 36033152},
    {"idealloc/somas_resnet50.csv", 1042, 1515472556, 1525214892, 1528512004},
    {"idealloc/G_1.csv", 816, 3030937746, 3039277202, 3083616247},
    {"idealloc/S_1.csv", 28526, 1498635932, kUnknown, kUnknown},
    {"minimalloc/C.1048576.csv", 0, 1039360, kUnknown, kUnknown},
    {"minimalloc/D.1048576.csv", 0, 986112, kUnknown, kUnknown},
    {"minimalloc/E.1048576.csv", 0, 1048576, kUnknown, kUnknown},
};

std::int64_t makespan_of(const Problem& problem, const char* allocator) {
  RunContext context;
  const auto run = run_allocator(*find_allocator(allocator), problem, {}, context);
  return measure(problem, measure(problem), run->plan).makespan;
}

}  // namespace

TEST_CASE("loads and first-fit makespans of real files are the known ones") {
  STOWAGE_NEED_SHARED(shared);
  for (const Known& known : kKnown) {
    CAPTURE(known.file);
    const auto document = open_document((shared / "data" / known.file).string(), {});
    REQUIRE(document);
    const Problem& problem = *document->problem;
    if (known.buffers != 0) CHECK(problem.size() == known.buffers);
    CHECK(measure(problem).load == known.load);
    if (known.by_size != kUnknown) CHECK(makespan_of(problem, "first-fit-size") == known.by_size);
    if (known.by_start != kUnknown) CHECK(makespan_of(problem, "first-fit-start") == known.by_start);
  }
}
