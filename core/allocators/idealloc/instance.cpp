#include "core/allocators/idealloc/instance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stowage::idealloc {
namespace {

/// Sizes up to 64 GiB count in bytes, so that all is as in the original. Larger ones count in their greatest common
/// divisor, and in coarser units rounded up when heights of boxes could still leave int64: boxing only finds an order.
std::int64_t unit_of(const std::vector<BufferIndex>& buffers, const Problem& problem) {
  constexpr std::int64_t kExact = std::int64_t{1} << 36U;
  constexpr Int128 kLargestSum = std::int64_t{1} << 50U;
  std::int64_t largest = 0;
  std::int64_t divisor = 0;
  for (const BufferIndex i : buffers) {
    largest = std::max(largest, problem[i].size);
    divisor = std::gcd(divisor, problem[i].size);
  }
  if (largest <= kExact) return 1;
  const Int128 sum = Int128{largest} * static_cast<std::int64_t>(buffers.size());
  return std::max(divisor, static_cast<std::int64_t>(sum / kLargestSum));
}

/// Population standard deviation / mean.
template <typename Value>
double spread(const std::vector<BufferIndex>& buffers, Value&& value) {
  double mean = 0;
  for (const BufferIndex i : buffers) mean += static_cast<double>(value(i));
  mean /= static_cast<double>(buffers.size());
  double variance = 0;
  for (const BufferIndex i : buffers) variance += std::pow(static_cast<double>(value(i)) - mean, 2);
  variance /= static_cast<double>(buffers.size());
  return mean == 0 ? 0 : std::sqrt(variance) / std::abs(mean);
}

/// Pairs that are live together: all pairs less those of which one ends before the other starts.
double pairs_in_conflict(const BoxTree& jobs) {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  for (const Item& job : jobs.items) {
    starts.push_back(job.start);
    ends.push_back(job.end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  const auto count = static_cast<double>(starts.size());
  double apart = 0;
  std::size_t ended = 0;
  for (const std::int64_t start : starts) {
    while (ended < ends.size() && ends[ended] <= start) ++ended;
    apart += static_cast<double>(ended);
  }
  return count * (count - 1) / 2 - apart;
}

Hardness hardness_of(const Instance& instance, const Problem& problem) {
  const auto count = static_cast<double>(instance.buffers.size());
  Hardness hardness;
  hardness.sizes = spread(instance.buffers, [&](BufferIndex i) { return problem[i].size; });
  hardness.ends = spread(instance.buffers, [&](BufferIndex i) { return problem[i].end; });
  if (count > 1) hardness.conflicts = pairs_in_conflict(instance.jobs) / (count * (count - 1) / 2);
  hardness.compound = (1 + hardness.sizes) * (1 + hardness.conflicts) * (1 + hardness.ends);
  return hardness;
}

}  // namespace

std::int64_t Instance::bytes(std::int64_t size) const {
  return static_cast<std::int64_t>(std::min(Int128{size} * unit, Int128{kMaxInt64}));
}

BoxMember Instance::member(ItemIndex item) const {
  if (item < buffers.size()) return BoxMember{buffers[item], BoxMember::kNone};
  if (is_dummy(item)) return BoxMember{};
  return BoxMember{kNoBuffer, static_cast<std::uint32_t>(item - jobs.items.size())};
}

Instance make_instance(const Problem& problem, std::uint16_t space) {
  Instance instance;
  instance.space = space;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].space != space || !problem[i].takes_memory()) continue;
    instance.buffers.push_back(i);
    instance.times.push_back(problem[i].start);
    instance.times.push_back(problem[i].end);
  }
  if (instance.buffers.empty()) return instance;
  std::vector<std::int64_t>& times = instance.times;
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  times.shrink_to_fit();
  const auto rank = [&](std::int64_t time) {
    return std::lower_bound(times.begin(), times.end(), time) - times.begin();
  };
  instance.unit = unit_of(instance.buffers, problem);
  for (const BufferIndex i : instance.buffers) {
    Item job;
    job.start = rank(problem[i].start);
    job.end = rank(problem[i].end);
    job.size = (problem[i].size - 1) / instance.unit + 1;
    instance.jobs.items.push_back(job);
  }
  instance.hardness = hardness_of(instance, problem);
  instance.load = problem.sections().load_of_space(space);
  return instance;
}

void add_dummy(Instance& instance) {
  std::int64_t smallest = kMaxInt64;
  for (const Item& job : instance.jobs.items) smallest = std::min(smallest, job.size);
  Item dummy;
  dummy.end = static_cast<std::int64_t>(instance.times.size()) - 1;
  dummy.size = static_cast<std::int64_t>(std::ceil(2216.54 * static_cast<double>(smallest)));
  instance.jobs.items.push_back(dummy);
  instance.dummy = true;
}

}  // namespace stowage::idealloc
