#include "core/transforms/swap_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace stowage {

SwapTimes swap_times(double last_access, double next_access, double transfer) {
  SwapTimes times;
  times.out_start = last_access;
  times.out_end = last_access + transfer;
  times.in_start = next_access - transfer;
  times.in_end = next_access;
  times.free_time = times.in_start - times.out_end;
  times.stall = std::max(0.0, -times.free_time);
  return times;
}

std::optional<double> bytes_per_second(std::string_view bandwidth) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kLinks = {
      {{"pcie3", 16e9}, {"pcie3-measured", 12.8e9}, {"pcie4", 32e9}, {"pcie5", 64e9}, {"nvlink2", 150e9}}};
  for (const auto& [name, speed] : kLinks) {
    if (name == bandwidth) return speed;
  }
  const auto bytes = parse_bytes(bandwidth);
  if (!bytes || *bytes == 0) return std::nullopt;
  return static_cast<double>(*bytes);
}

OffloadSplit zero_offload(double parameters) {
  return {2 * parameters, 14 * parameters, 4 * parameters};
}

ZeroSharding zero_sharding(double parameters, double ranks) {
  return {16 * parameters, 4 * parameters + 12 * parameters / ranks, 2 * parameters + 14 * parameters / ranks,
          16 * parameters / ranks};
}

}  // namespace stowage
