#include "core/graph/schedule.h"

#include <numeric>

#include <fmt/format.h>

#include "core/graph/schedulers.h"

namespace stowage {

std::vector<std::size_t> Schedule::steps() const {
  std::vector<std::size_t> steps(order.size());
  for (std::size_t step = 0; step < order.size(); ++step) steps[order[step]] = step;
  return steps;
}

Result<void> check_schedule(const Graph& graph, const Schedule& schedule) {
  const std::size_t count = graph.ops().size();
  if (schedule.order.size() != count)
    return input_error(fmt::format("the schedule has {} ops, the graph {}", schedule.order.size(), count));
  std::vector<bool> done(count, false);
  for (const OpIndex n : schedule.order) {
    if (n >= count) return input_error(fmt::format("the schedule names op {}, of {}", n, count));
    if (done[n]) return input_error(fmt::format("{} stands twice in the schedule", graph.op(n).id));
    for (const OpIndex before : graph.waits_for(n)) {
      if (!done[before])
        return input_error(
            fmt::format("{} would run before {}, for which it waits", graph.op(n).id, graph.op(before).id));
    }
    done[n] = true;
  }
  return {};
}

Result<Schedule> given_schedule(const Graph& graph) {
  Schedule schedule;
  schedule.order.resize(graph.ops().size());
  std::iota(schedule.order.begin(), schedule.order.end(), OpIndex{0});
  if (const auto sound = check_schedule(graph, schedule); !sound) return tl::unexpected(sound.error());
  return schedule;
}

std::span<const Scheduler> schedulers() {
  static const std::vector<Scheduler> table = {
#define STOWAGE_SCHEDULER(name) name##_scheduler(),
#include "core/graph/schedulers.def"
#undef STOWAGE_SCHEDULER
  };
  return table;
}

const Scheduler* find_scheduler(std::string_view id) {
  for (const Scheduler& scheduler : schedulers()) {
    if (scheduler.id == id) return &scheduler;
  }
  return nullptr;
}

Result<Schedule> run_scheduler(const Scheduler& scheduler, const Graph& graph, const ParamValues& params,
                               RunContext& context) {
  auto values = complete_params(scheduler.params, params, scheduler.id);
  if (!values) return tl::unexpected(values.error());
  return scheduler.run(graph, *values, context);
}

}  // namespace stowage
