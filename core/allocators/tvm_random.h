#pragma once

#include <cstdint>

namespace stowage {

/// rand_r of the GNU C library: TVM's hill climb draws from it on Linux.
class GlibcRandom {
 public:
  explicit GlibcRandom(std::uint32_t seed) : state_(seed) {}

  /// In [0, 2^31).
  std::uint32_t next() {
    std::uint32_t result = step() % 2048;
    result = (result << 10U) ^ (step() % 1024);
    return (result << 10U) ^ (step() % 1024);
  }

 private:
  std::uint32_t step() {
    state_ = state_ * 1103515245U + 12345U;
    return state_ / 65536U;
  }

  std::uint32_t state_;
};

}  // namespace stowage
