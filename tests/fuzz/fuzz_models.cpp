#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/round_trip.h"

namespace {

/// A model without a plan gets one; read again it has that plan and is otherwise the same.
void put_plan(std::string_view bytes) {
  using namespace stowage;
  ReadOptions options;
  options.format = "tflite";
  auto document = read_document(bytes, "input", options);
  if (!document || document->facts.offsets != "none" || document->problem->size() == 0) return;
  Plan plan;
  plan.id = "mine";
  for (std::size_t i = 0; i < document->problem->size(); ++i) plan.offsets.push_back(static_cast<std::int64_t>(i * 16));
  document->put_plan(plan);
  const auto written = find_format("tflite")->write(*document, {});
  if (!written) return;
  const auto again = read_document(*written, "again", options);
  if (again && again->plans.size() == 1 && again->plans[0].offsets == plan.offsets) return;
  std::fprintf(stderr, "a plan that was put into a model is not read back: %s\n",
               again ? "" : again.error().message.c_str());
  std::abort();
}

}  // namespace

/// Models in FlatBuffers: TFLite and ExecuTorch.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const char* format : {"tflite", "executorch"}) {
    if (!stowage::fuzz::is_fuzzed(format)) continue;
    stowage::ReadOptions options;
    options.format = format;
    stowage::fuzz::read_as_dump(text, options);
    options.choices["include"] = "inputs,weights,outputs";
    if (options.format == "tflite") {
      options.choices["subgraph"] = "1";
      options.choices["dims"] = "?=3,d0=2";
    } else {
      options.choices["method"] = "1";
    }
    stowage::fuzz::read_as_dump(text, options);
  }
  if (stowage::fuzz::is_fuzzed("tflite")) put_plan(text);
  return 0;
}
