#include "core/search/priorities.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

/// Noise of one run is uniform in +- an amplitude, which is itself drawn up to this.
constexpr double kLoudest = 8;
/// The load where a buffer lives counts in so many classes, each worth this much.
constexpr double kClasses = 8;
constexpr double kClassWeight = 2;
/// A run follows the plan with this probability at first, and with half of it after so many runs that did.
constexpr double kFollow = 0.9;
constexpr double kPatience = 15;
/// From the bottom of the plan to its top, and the most noise on it.
constexpr double kLowness = 8;
constexpr double kFollowNoise = 2;

/// The last bit of a logarithm depends on the processor: the C library has another one for those that multiply and add
/// at once. It must not decide between buffers of, say, equal area.
double coarse_log(std::int64_t x) {
  constexpr double kSteps = 1U << 20U;
  return std::round(std::log(static_cast<double>(x)) * kSteps) / kSteps;
}

}  // namespace

Priorities::Priorities(const Instance& instance) : drawn_(instance.items.size()) {
  const double load = static_cast<double>(*std::max_element(instance.loads.begin(), instance.loads.end()));
  for (const Instance::Item& item : instance.items) {
    const double size = coarse_log(item.size);
    const double width = coarse_log(item.last - item.first);
    const auto fullest = *std::max_element(instance.loads.begin() + item.first, instance.loads.begin() + item.last);
    const double fullness = std::floor(kClasses * static_cast<double>(fullest) / load);
    properties_[0].push_back(kClassWeight * fullness + width);
    properties_[1].push_back(width);
    properties_[2].push_back(size);
    properties_[3].push_back(size + width);
  }
}

void Priorities::follow(std::span<const std::int64_t> offsets, std::int64_t height) {
  if (!lowness_.empty() && height >= height_) return;
  height_ = height;
  followed_ = 0;
  lowness_.clear();
  for (const std::int64_t offset : offsets) {
    lowness_.push_back(-kLowness * static_cast<double>(offset) / static_cast<double>(height));
  }
}

std::span<const double> Priorities::draw(Random& random, std::span<const std::int32_t> failures) {
  const std::vector<double>& property = properties_[drawn_so_far_ % kKinds];
  const double loudness = drawn_so_far_ < kKinds ? 0 : kLoudest * random.unit();
  ++drawn_so_far_;
  if (!lowness_.empty() && random.unit() < kFollow / (1 + followed_ / kPatience)) {
    ++followed_;
    const double noise = kFollowNoise * random.unit();
    for (std::size_t i = 0; i < drawn_.size(); ++i) drawn_[i] = lowness_[i] + noise * (2 * random.unit() - 1);
    return drawn_;
  }
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    drawn_[i] = property[i] + loudness * (2 * random.unit() - 1) + coarse_log(1 + std::int64_t{failures[i]});
  }
  return drawn_;
}

}  // namespace stowage
