#include "core/search/load_profile.h"

#include <algorithm>

namespace stowage {

LoadProfile::Course::Course(std::span<const Step> steps) {
  for (const Step& step : steps) {
    sum += step.change;
    highest = std::max(highest, sum);
  }
}

void LoadProfile::fill(std::vector<Step> steps) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.time < b.time; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < steps.size();) {
    Step sum = steps[k];
    while (++k < steps.size() && steps[k].time == sum.time) sum.change += steps[k].change;
    if (sum.change != 0) steps[kept++] = sum;
  }
  steps_.fill(std::span<const Step>(steps).first(kept));
  load_.reset();
}

void LoadProfile::add(std::int64_t start, std::int64_t end, std::int64_t bytes) {
  if (bytes == 0) return;
  step(start, bytes);
  step(end, -bytes);
  load_.reset();
}

std::int64_t LoadProfile::load() const {
  if (load_) return *load_;
  std::int64_t sum = 0;
  std::int64_t highest = 0;
  for (const Course& block : steps_.summaries()) {
    highest = std::max(highest, sum + block.highest);
    sum += block.sum;
  }
  load_ = highest;
  return highest;
}

void LoadProfile::step(std::int64_t time, std::int64_t change) {
  const Step* there = steps_.find(time);
  if (there == nullptr) return steps_.add({time, change});
  const Step now{time, there->change + change};
  if (now.change == 0) return steps_.remove(time);
  steps_.replace(now);
}

}  // namespace stowage
