#pragma once

#include <string>
#include <vector>

namespace stowage::testing {

/// A picture as tests compare it.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> bytes;  // four for each pixel
};

/// No pixels when it is no PNG.
Pixels decode(const std::string& png);

/// The share of channels that differ by more than a shade; 1 when the sizes differ.
double difference(const Pixels& a, const Pixels& b);

/// The same of a PNG and tests/golden/NAME.png. With STOWAGE_UPDATE_GOLDEN=1 that file is written anew before.
double difference_from_golden(const std::string& name, const std::string& png);

}  // namespace stowage::testing
