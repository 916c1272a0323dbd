#include "core/networks/cost.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

constexpr double kFlopsPerMicrosecond = 1e7;
constexpr double kBytesPerMicrosecond = 5e5;
constexpr double kLaunch = 1;

}  // namespace

void set_durations(GraphInput& graph) {
  for (Op& op : graph.ops) {
    double bytes = 0;
    for (const TensorIndex t : op.in) bytes += static_cast<double>(graph.tensors[t].bytes.value_or(0));
    for (const TensorIndex t : op.out) bytes += static_cast<double>(graph.tensors[t].bytes.value_or(0));
    const double work = static_cast<double>(op.flops) / kFlopsPerMicrosecond;
    const double longest = std::max({kLaunch, work, bytes / kBytesPerMicrosecond});
    op.duration = std::round(longest * 1000) / 1000;  // files stay readable
  }
}

}  // namespace stowage
