#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// Curves over one axis in two panels: memory on the left, extra work on the right.
struct CurvesInput {
  struct Curve {
    std::string name;
    std::vector<std::int64_t> bytes;  // one for each place
    std::vector<double> work;         // shares: 0.3 is 30 % longer
  };
  std::string title;
  std::string note;
  std::string axis;
  bool logarithmic = false;    // along the axis; memory is logarithmic too when it spans more than a decade
  std::vector<double> places;  // ascending
  std::vector<Curve> curves;
  float width = 1600;
  float height = 1000;
};
Scene make_curves(const CurvesInput& input, const Theme& theme, const TextMeasure& measure);

}  // namespace stowage
