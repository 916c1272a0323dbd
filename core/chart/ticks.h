#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/text.h"

namespace stowage {

struct Tick {
  double value = 0;
  std::string label;
};

/// Round times (1, 2, 5 x 10^k; whole steps only) in [low, high], at most `most`.
std::vector<Tick> time_ticks(double low, double high, int most);
/// Round addresses (powers of two of a byte unit: 16 KiB, 32 KiB, ... whole bytes only) in [low, high], at most `most`;
/// all labels of one axis use one unit.
std::vector<Tick> byte_ticks(double low, double high, int most, AddressStyle style, ByteUnit unit);

}  // namespace stowage
