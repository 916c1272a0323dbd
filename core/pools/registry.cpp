#include "core/pools/registry.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

constexpr std::size_t kEventsBetweenLooks = 4096;

/// Gives the events of a trace to a simulator, one after the other.
class Playing {
 public:
  Playing(const Trace& trace, PoolSimulator& simulator, RunContext& context, PoolRun& run)
      : trace_(trace),
        simulator_(simulator),
        context_(context),
        run_(run),
        granted_(trace.allocations().size(), false) {
    run_.addresses.assign(trace.allocations().size(), kNoOffset);
    run_.points.reserve(trace.events().size());
    for (BufferIndex i = 0; i < trace.allocations().size(); ++i) {
      const std::uint32_t end = trace.allocations()[i].ended;
      if (end != kNoEvent && trace.events()[end].op == TraceOp::kReset) ended_by_reset_[end].push_back(i);
    }
  }

  void play(std::uint32_t number) {
    const TraceEvent& event = trace_.events()[number];
    simulator_.heap().begin_event(number);
    switch (event.op) {
      case TraceOp::kAlloc:
        allocate(number, event.allocation);
        break;
      case TraceOp::kFree:
        if (granted_[event.allocation]) simulator_.free(event.allocation);
        break;
      case TraceOp::kUse:
        if (granted_[event.allocation]) simulator_.use(event.allocation, event.stream);
        break;
      case TraceOp::kReset:
        reset(number);
        break;
      case TraceOp::kEmpty:
        simulator_.empty();
        break;
    }
    run_.points.push_back(simulator_.heap().point());
  }

 private:
  void allocate(std::uint32_t number, BufferIndex i) {
    const Grant grant = simulator_.allocate(i);
    run_.addresses[i] = grant.address;
    granted_[i] = grant.address != kNoOffset;
    if (!grant.failed) return;
    const PoolFailure failure{number, i, grant.needed, grant.available, simulator_.heap().point().largest_free};
    if (context_.records()) context_.say(Step{step::Note{describe(failure, trace_)}, {}});
    run_.failures.push_back(failure);
  }

  void reset(std::uint32_t number) {
    std::vector<BufferIndex> ended;
    if (const auto found = ended_by_reset_.find(number); found != ended_by_reset_.end()) {
      for (const BufferIndex i : found->second) {
        if (granted_[i]) ended.push_back(i);
      }
    }
    simulator_.reset(ended);
  }

  const Trace& trace_;
  PoolSimulator& simulator_;
  RunContext& context_;
  PoolRun& run_;
  std::vector<bool> granted_;
  std::unordered_map<std::uint32_t, std::vector<BufferIndex>> ended_by_reset_;
};

}  // namespace

void PoolSimulator::use(BufferIndex, std::int32_t) {}

void PoolSimulator::reset(std::span<const BufferIndex> allocations) {
  for (const BufferIndex i : allocations) free(i);
}

void PoolSimulator::empty() {
  if (records()) say_note("asked to give memory back: this pool keeps what it has");
}

std::span<const Pool> pools() {
  static const std::vector<Pool> table = {
#define STOWAGE_POOL(name) name##_pool(),
#include "core/pools/pools.def"
#undef STOWAGE_POOL
  };
  return table;
}

const Pool* find_pool(std::string_view id) {
  const auto all = pools();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Pool& pool) { return pool.id == id; });
  return found == all.end() ? nullptr : &*found;
}

Result<void> play_trace(const Trace& trace, PoolSimulator& simulator, RunContext& context, PoolRun& run) {
  Playing playing(trace, simulator, context, run);
  const auto events = static_cast<std::uint32_t>(trace.events().size());
  for (std::uint32_t e = 0; e < events; ++e) {
    if (e % kEventsBetweenLooks == kEventsBetweenLooks - 1) {
      if (context.should_stop()) {
        return fail(Error::Kind::kCancelled, fmt::format("{}: stopped after {} of {} events", run.pool, e, events));
      }
      context.report(static_cast<double>(e) / events);
    }
    playing.play(e);
  }
  return {};
}

Result<PoolRun> run_pool(const Pool& pool, const Trace& trace, const ParamValues& params,
                         std::optional<std::int64_t> capacity, RunContext& context) {
  const auto values = complete_params(pool.params, params, pool.id);
  if (!values) return tl::unexpected(values.error());
  PoolRun run;
  run.pool = pool.id;
  run.params = params;
  run.capacity = capacity ? capacity : trace.capacity;

  const auto begin = std::chrono::steady_clock::now();
  auto simulator = pool.make(PoolSetup{trace, *values, run.capacity, context});
  if (!simulator) return tl::unexpected(simulator.error());
  if (const auto played = play_trace(trace, **simulator, context, run); !played) return tl::unexpected(played.error());
  run.facts = (*simulator)->facts();
  (*simulator)->heap().finish(run, static_cast<std::uint32_t>(trace.events().size()));
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  context.report(1);
  return run;
}

}  // namespace stowage
