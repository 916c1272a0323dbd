#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "core/model/check.h"
#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"
#include "tests/support/shared_data.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

struct Expected {
  const char* file;
  std::size_t buffers;  // 0: not stated
  std::int64_t load;
};

Document open_good(const std::filesystem::path& path) {
  auto document = open_document(path.string(), {});
  REQUIRE_MESSAGE(document.has_value(), path.string());
  return std::move(*document);
}

std::string open_error(const std::filesystem::path& path) {
  const auto document = open_document(path.string(), {});
  REQUIRE_FALSE(document.has_value());
  CHECK(document.error().kind == Error::Kind::kInput);
  CHECK(document.error().message.find(path.string()) == 0);
  return document.error().message.substr(path.string().size());
}

}  // namespace

TEST_CASE("real files: every CSV has its known load and survives both formats") {
  STOWAGE_NEED_SHARED(shared);
  const Expected expected[] = {
      {"minimalloc/A.1048576.csv", 0, 1048576},
      {"minimalloc/C.1048576.csv", 0, 1039360},
      {"minimalloc/D.1048576.csv", 0, 986112},
      {"minimalloc/E.1048576.csv", 0, 1048576},
      {"minimalloc/G.1048576.csv", 0, 1048576},
      {"minimalloc/I.1048576.csv", 0, 1048576},
      {"minimalloc/K.1048576.csv", 0, 1048576},
      {"idealloc/somas_resnet50.csv", 1042, 1515472556},
      {"idealloc/G_1.csv", 816, 3030937746},
      {"idealloc/S_1.csv", 28526, 1498635932},
      {"glow/inception_v1.onnx.csv", 81, 4014080},
      {"glow/kws.onnx.csv", 18, 347840},
      {"glow/mobilenet_v1_0.25_128_quant.tflite.csv", 30, 98304},
      {"glow/mobilenet_v1_0.25_192.tflite.csv", 29, 884736},
      {"glow/mobilenet_v1_0.25_224_quant.tflite.csv", 30, 301056},
      {"glow/mobilenet_v1_0.50_160.tflite.csv", 29, 1228800},
      {"glow/mobilenet_v1_0.50_192_quant.tflite.csv", 30, 442368},
      {"glow/mobilenet_v1_0.75_128.tflite.csv", 29, 1179648},
      {"glow/mobilenet_v1_0.75_160_quant.tflite.csv", 30, 460800},
      {"glow/mobilenet_v1_0.75_224.tflite.csv", 29, 3612672},
      {"glow/mobilenet_v1_1.00_128_quant.tflite.csv", 30, 393216},
      {"glow/mobilenet_v1_1.00_192.tflite.csv", 29, 3538944},
      {"glow/mobilenet_v1_1.00_224_quant.tflite.csv", 30, 1204224},
      {"glow/mobilenet_v2_0.35_160.tflite.csv", 54, 1536000},
      {"glow/mobilenet_v2_0.35_96.tflite.csv", 54, 552960},
      {"glow/mobilenet_v2_0.50_192.tflite.csv", 54, 2211840},
      {"glow/mobilenet_v2_0.75_128.tflite.csv", 54, 1966080},
      {"glow/mobilenet_v2_0.75_224.tflite.csv", 54, 6021120},
      {"glow/mobilenet_v2_1.00_160.tflite.csv", 54, 3072000},
      {"glow/mobilenet_v2_1.00_224_quant.tflite.csv", 63, 1505280},
      {"glow/mobilenet_v2_1.40_224.tflite.csv", 54, 9031680},
      {"glow/resnet101_v2.onnx.csv", 137, 7225344},
      {"glow/resnet18_v1.onnx.csv", 23, 4014080},
      {"glow/resnet34_v2.onnx.csv", 53, 4014080},
      {"glow/resnet50_v2.onnx.csv", 69, 7225344},
      {"glow/xception.tflite.csv", 91, 27659520},
  };
  for (const Expected& row : expected) {
    CAPTURE(row.file);
    const Document document = open_good(shared / "data" / row.file);
    CHECK(document.problem->sections().load() == row.load);
    if (row.buffers != 0) CHECK(document.problem->size() == row.buffers);
    for (const char* format : {"minimalloc-csv", "stowage-json"}) {
      const Document again = read_good(write_as(document, format));
      CHECK(difference(*document.problem, *again.problem) == "");
    }
  }
}

TEST_CASE("real files: the capacity in a name is only a hint") {
  STOWAGE_NEED_SHARED(shared);
  const Document document = open_good(shared / "data/minimalloc/K.1048576.csv");
  CHECK(document.facts.capacity_hint == "1048576 in the file's name");
  CHECK_FALSE(document.problem->capacity().has_value());
}

TEST_CASE("reported faults: the CSV files have their known loads and issues") {
  STOWAGE_NEED_SHARED(shared);
  const auto folder = shared / "cases/bugs";
  const Expected expected[] = {{"01-overlap-reuse.csv", 4, 768},     {"05-reserved-region.csv", 4, 144},
                               {"15-zero-size.csv", 4, 64},          {"17-greedy-over-capacity.csv", 5, 256},
                               {"23-legal-reuse.csv", 3, 320},       {"25-same-end-boundary.csv", 4, 180},
                               {"27-conservative-scope.csv", 6, 384}};
  for (const Expected& row : expected) {
    CAPTURE(row.file);
    const Document document = open_good(folder / row.file);
    CHECK(document.problem->size() == row.buffers);
    CHECK(document.problem->sections().load() == row.load);
  }
  const Document clash = open_good(folder / "01-overlap-reuse.csv");
  const CheckReport report = check_plan(*clash.problem, clash.plans.at(0));
  REQUIRE(report.issues.size() == 1);
  CHECK(report.issues[0] == Issue{IssueKind::kCollision, 0, 2, 3, 6, 128, 384});
  const Document legal = open_good(folder / "23-legal-reuse.csv");
  CHECK(check_plan(*legal.problem, legal.plans.at(0)).valid());
  const Document pinned = open_good(folder / "05-reserved-region.csv");
  CHECK(pinned.facts.offsets == "pins");
  CHECK((*pinned.problem)[0].fixed == 192);
}

TEST_CASE("hostile files: those that open have the right load") {
  STOWAGE_NEED_SHARED(shared);
  const auto folder = shared / "cases/hostile";
  const Expected expected[] = {{"03-bom.csv", 2, 30},
                               {"05-cr-only.csv", 2, 30},
                               {"11-duplicate-ids.csv", 3, 50},
                               {"13-lower-eq-upper.csv", 2, 10},
                               {"21-non-utf8.csv", 2, 30},
                               {"25-formula-injection.csv", 2, 30},
                               {"32-dup-keys.json", 1, 99},
                               {"40-no-trailing-newline.csv", 2, 30},
                               {"42-spaces-signs.csv", 2, 30},
                               {"44-fixed-overlap.csv", 2, 30},
                               {"58 spaces & ünïcode %20.csv", 1, 10},
                               {"60-staircase.csv", 2000, 1000001},
                               {"62-single-point-axis.csv", 1, 1}};
  for (const Expected& row : expected) {
    CAPTURE(row.file);
    const Document document = open_good(folder / row.file);
    CHECK(document.problem->size() == row.buffers);
    CHECK(document.problem->sections().load() == row.load);
  }
  const Document overlap = open_good(folder / "44-fixed-overlap.csv");
  const CheckReport report = check_plan(*overlap.problem, overlap.plans.at(0));
  REQUIRE(report.count == 1);
  CHECK(report.issues[0] == Issue{IssueKind::kCollision, 0, 1, 2, 4, 5, 10});
  const Document formulas = open_good(folder / "25-formula-injection.csv");
  CHECK(formulas.problem->id(0) == "=HYPERLINK(\"http://x\")");
  CHECK(title_of(open_good(folder / "58 spaces & ünïcode %20.csv")) == "58 spaces & ünïcode %20.csv");
}

TEST_CASE("hostile files: those that do not open say why and where") {
  STOWAGE_NEED_SHARED(shared);
  const std::pair<const char*, const char*> expected[] = {
      {"01-empty.csv", "the file is empty"},
      {"07-unclosed-quote.csv", ":2: the quote"},
      {"09-missing-column.csv", ":1: missing column \"upper\""},
      {"15-negative.csv", ":3: size -20"},
      {"17-sum-overflow.csv", "the sum of all sizes"},
      {"19-float-times.csv", ":2: lower is \"0.5\""},
      {"23-utf16.csv", "UTF-16 text"},
      {"30-wrong-types.json", "$.buffers[0].upper"},
      {"34-nan.json", ":1:50: NaN"},
      {"36-zip-bomb-named.csv", "this is a ZIP file"},
      {"38-png-named.csv", "this is a PNG picture, not a text file"},
      {"46-offset-overflow.csv", ":2: offset 9223372036854775800 plus size 16"},
      {"48-truncated.tflite", "the model is damaged or cut off"},
      {"50-evil.pickle", "pickle uses GLOBAL os.system"},
      {"52-pickle-memo-loop.pickle", "no memory snapshot"},
  };
  for (const auto& [file, part] : expected) {
    const std::string message = open_error(shared / "cases/hostile" / file);
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
  }
}
