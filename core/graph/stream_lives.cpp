#include "core/graph/stream_lives.h"

#include <algorithm>
#include <map>

namespace stowage {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The ops of one stream in their order, each with the lives that it is the last of its stream to touch.
struct Lane {
  std::vector<OpIndex> ops;
  std::vector<std::vector<std::uint32_t>> ending;
};

std::vector<Lane> lanes_of(const Graph& graph, const Schedule& schedule, const std::vector<StreamLife>& lives) {
  std::vector<std::vector<std::uint32_t>> ending(graph.ops().size());
  for (std::uint32_t i = 0; i < lives.size(); ++i) {
    for (const OpIndex n : lives[i].last) ending[n].push_back(i);
  }
  std::map<std::uint32_t, Lane> by_stream;
  for (const OpIndex n : schedule.order) {
    if (ending[n].empty()) continue;
    Lane& lane = by_stream[graph.op(n).stream];
    lane.ops.push_back(n);
    lane.ending.push_back(std::move(ending[n]));
  }
  std::vector<Lane> lanes;
  for (auto& [stream, lane] : by_stream) lanes.push_back(std::move(lane));
  return lanes;
}

}  // namespace

Pairs pairs_that_may_meet(const Graph& graph, const Schedule& schedule, const Ancestors& ancestors,
                          const std::vector<StreamLife>& lives) {
  const std::vector<Lane> lanes = lanes_of(graph, schedule, lives);
  const std::vector<std::size_t> steps = schedule.steps();
  std::vector<std::uint32_t> lasting;
  for (std::uint32_t i = 0; i < lives.size(); ++i) {
    if (lives[i].to_the_end) lasting.push_back(i);
  }
  Pairs pairs;
  for (std::uint32_t later = 0; later < lives.size(); ++later) {
    const StreamLife& life = lives[later];
    const auto meets = [&](std::uint32_t earlier) {
      if (lives[earlier].span.end <= life.span.start) pairs.emplace_back(std::minmax(earlier, later));
    };
    for (const std::uint32_t earlier : lasting) meets(earlier);
    if (life.maker == kNoOp) continue;
    for (const Lane& lane : lanes) {
      // The maker waits for the first ops of each stream up to one of them, for none behind it.
      const auto first = std::partition_point(lane.ops.begin(), lane.ops.end(),
                                              [&](OpIndex n) { return ancestors.before(n, life.maker); });
      for (auto op = first; op != lane.ops.end() && static_cast<std::int64_t>(steps[*op]) < life.span.start; ++op) {
        for (const std::uint32_t earlier : lane.ending[static_cast<std::size_t>(op - lane.ops.begin())]) meets(earlier);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace stowage
