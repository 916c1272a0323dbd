#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/round_trip.h"

/// Models of ONNX. Shapes are inferred for some of the inputs only: each needs a process of its own, and what happens
/// in there is not ours to find.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  stowage::ReadOptions options;
  options.format = "onnx";
  options.choices["shapes"] = "file";
  stowage::fuzz::read_as_dump(text, options);
  options.choices["constants"] = "fold";
  options.choices["dims"] = "N=2,?=3";
  options.choices["include"] = "inputs,weights,outputs";
  constexpr std::size_t one_in = 32;
  if (size % one_in == 0) options.choices["shapes"] = "infer";
  stowage::fuzz::read_as_dump(text, options);
  return 0;
}
