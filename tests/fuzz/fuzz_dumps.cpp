#include <cstddef>
#include <cstdint>

#include "tests/fuzz/round_trip.h"

/// Entry point of libFuzzer, and of the replay program where there is no fuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  stowage::fuzz::read_as_every_dump({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
