#include "core/transforms/colours.h"

#include <algorithm>

namespace stowage {
namespace {

/// The path that collects most points, as its ops; empty when there are none left. Of equals the one that starts later.
std::vector<OpIndex> best_path(const Staged& staged, const std::vector<std::int64_t>& points) {
  const Graph& graph = staged.graph;
  std::vector<std::int64_t> best(points.size(), 0);
  std::vector<OpIndex> next(points.size(), kNoOp);
  OpIndex start = kNoOp;
  for (auto at = staged.schedule.order.rbegin(); at != staged.schedule.order.rend(); ++at) {
    const OpIndex n = *at;
    best[n] += points[n];
    if (best[n] > (start == kNoOp ? 0 : best[start])) start = n;
    for (const TensorIndex t : graph.op(n).in) {
      const OpIndex maker = graph.producer(t);
      if (maker == kNoOp || best[n] <= best[maker]) continue;
      best[maker] = best[n];
      next[maker] = n;
    }
  }
  std::vector<OpIndex> path;
  for (OpIndex n = start; n != kNoOp; n = next[n]) path.push_back(n);
  return path;
}

}  // namespace

Colours longest_path_colours(const Staged& staged, std::uint32_t most) {
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  const std::size_t count = staged.graph.ops().size();
  std::vector<std::int64_t> points(count, 1);
  Colours colours;
  colours.of.assign(count, kNone);
  std::uint32_t colour = 0;
  for (; colour + 1 < most; ++colour) {
    const std::vector<OpIndex> path = best_path(staged, points);
    if (path.empty()) break;
    for (const OpIndex n : path) {
      if (points[n] == 0) continue;
      colours.of[n] = colour;
      points[n] = 0;
    }
  }
  std::replace(colours.of.begin(), colours.of.end(), kNone, colour);
  colours.used = colour + 1;
  return colours;
}

}  // namespace stowage
