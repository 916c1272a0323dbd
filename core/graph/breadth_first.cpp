// Level by level: first everything that waits for nothing, then what waits for that only. Streams see it about so.

#include <vector>

#include "core/graph/schedulers.h"

namespace stowage {
namespace {

Result<Schedule> run(const Graph& graph, const ParamValues&, RunContext&) {
  const std::size_t count = graph.ops().size();
  std::vector<std::size_t> waiting(count, 0);
  std::vector<std::vector<OpIndex>> followers(count);
  for (OpIndex n = 0; n < count; ++n) {
    waiting[n] = graph.waits_for(n).size();
    for (const OpIndex before : graph.waits_for(n)) followers[before].push_back(n);
  }
  Schedule schedule;
  schedule.order.reserve(count);
  for (OpIndex n = 0; n < count; ++n) {
    if (waiting[n] == 0) schedule.order.push_back(n);
  }
  for (std::size_t next = 0; next < schedule.order.size(); ++next) {
    for (const OpIndex follower : followers[schedule.order[next]]) {
      if (--waiting[follower] == 0) schedule.order.push_back(follower);
    }
  }
  return schedule;
}

}  // namespace

Scheduler breadth_first_scheduler() {
  return {"breadth-first", "Breadth first", "Level by level: an op runs as soon as nothing keeps it.", {}, run};
}

}  // namespace stowage
