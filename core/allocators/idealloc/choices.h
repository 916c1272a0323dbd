#pragma once

#include <cstdint>

#include "core/base/random.h"

namespace stowage::idealloc {

/// The random choices of boxing, one after the other.
class Choices {
 public:
  virtual ~Choices() = default;
  /// A number in [0, count); count >= 1.
  virtual std::uint32_t choose(std::uint32_t count) = 0;
  /// The choices that follow are about jobs of another height, which are boxed on their own.
  virtual void next_height() {}
};

/// Evenly at random.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : random_(seed) {}
  std::uint32_t choose(std::uint32_t count) override {
    return static_cast<std::uint32_t>(random_.uniform(0, static_cast<std::int64_t>(count) - 1));
  }

 private:
  Random random_;
};

}  // namespace stowage::idealloc
