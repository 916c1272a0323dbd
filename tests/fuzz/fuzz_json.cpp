#include <cstddef>
#include <cstdint>

#include "tests/fuzz/round_trip.h"

/// Entry point of libFuzzer, and of the replay program where there is no fuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  stowage::fuzz::round_trip({reinterpret_cast<const char*>(bytes), size}, "stowage-json");
  return 0;
}
