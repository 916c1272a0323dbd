#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage {

// The cost model of moving tensors to host memory and back; times in units of the graph's clock.

/// A tensor that is not read between two accesses: out behind the first, back before the second.
///
///      last access          next access
///   ----]  [out]  .....  [back]  [----
struct SwapTimes {
  double out_start = 0;
  double out_end = 0;
  double in_start = 0;
  double in_end = 0;
  double free_time = 0;  // between the copies; below 0 they do not fit
  double stall = 0;      // what the computation waits when it is done anyway
};
/// `last_access` is the end of the last use before the gap, `next_access` the start of the first one behind it.
/// Free time as in Peng et al., "Capuchin" (ASPLOS 2020): (next - transfer) - (last + transfer).
SwapTimes swap_times(double last_access, double next_access, double transfer);

/// Bytes a second of a link: "pcie3" (16e9, nominal), "pcie3-measured" (12.8e9, of the vDNN paper), "pcie4" (32e9),
/// "pcie5" (64e9), "nvlink2" (150e9 in one direction), or an amount of bytes. None for anything else, and for 0.
std::optional<double> bytes_per_second(std::string_view bandwidth);

/// Where the state of mixed-precision Adam lies with ZeRO-Offload, and what moves in a step: 2 bytes of fp16 weights a
/// parameter stay, 14 bytes (gradients, fp32 weights, momentum, variance) go; 2 move down and 2 up.
struct OffloadSplit {
  double device_bytes = 0;
  double host_bytes = 0;
  double traffic = 0;
};
OffloadSplit zero_offload(double parameters);

/// Bytes of model state a rank with ZeRO: nothing sharded, optimizer state, gradients too, weights too.
struct ZeroSharding {
  double none = 0;
  double optimizer = 0;
  double gradients = 0;
  double weights = 0;
};
ZeroSharding zero_sharding(double parameters, double ranks);

}  // namespace stowage
