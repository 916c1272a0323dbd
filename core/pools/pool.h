#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/pools/block_heap.h"
#include "core/pools/pool_run.h"
#include "core/pools/trace.h"
#include "core/run/params.h"
#include "core/run/run.h"

namespace stowage {

/// What a pool answers to a request.
struct Grant {
  std::int64_t address = kNoOffset;  // kNoOffset without failure: nothing was asked for
  bool failed = false;
  std::int64_t needed = 0;  // of a failure, as in PoolFailure
  std::int64_t available = 0;

  static Grant at(std::int64_t address) { return {address, false, 0, 0}; }
  static Grant nothing() { return {}; }
  /// What could be had is never enough: it may lie in pieces, or be out of reach of the pool's rules.
  static Grant failure(std::int64_t needed, std::int64_t available) {
    return {kNoOffset, true, needed, std::min(available, needed - 1)};
  }
};

/// What a simulator is made of. Everything outlives it; `params` are complete.
struct PoolSetup {
  const Trace& trace;
  const ParamValues& params;
  std::optional<std::int64_t> capacity;
  RunContext& context;
};

/// A pool at work: run_pool gives it the events one after the other. Its heap holds the state; a simulator says why it
/// does what it does whenever the context records.
class PoolSimulator {
 public:
  PoolSimulator(const PoolSetup& setup, FreeOrder order)
      : trace_(setup.trace),
        context_(setup.context),
        heap_(setup.capacity, order),
        block_of_(setup.trace.allocations().size(), kNoBlock) {}
  virtual ~PoolSimulator() = default;
  PoolSimulator(const PoolSimulator&) = delete;
  PoolSimulator& operator=(const PoolSimulator&) = delete;

  /// A request that has no memory yet.
  virtual Grant allocate(BufferIndex allocation) = 0;
  /// Of one that was granted at an address.
  virtual void free(BufferIndex allocation) = 0;
  virtual void use(BufferIndex allocation, std::int32_t stream);
  /// All of these end at once; they were granted. By default each is freed.
  virtual void reset(std::span<const BufferIndex> allocations);
  virtual void empty();
  /// At the end of the trace.
  virtual std::vector<PoolFact> facts() const { return {}; }

  BlockHeap& heap() { return heap_; }

 protected:
  const Allocation& request(BufferIndex i) const { return trace_.allocations()[i]; }
  bool records() const { return context_.records(); }
  void say_next(BufferIndex i, std::string why) { context_.say(Step{step::Consider{i}, std::move(why)}); }
  void say_placed(BufferIndex i, std::int64_t address, std::string why) {
    context_.say(Step{step::Place{i, address}, std::move(why)});
  }
  void say_freed(BufferIndex i, std::string why) { context_.say(Step{step::Unplace{i}, std::move(why)}); }
  void say_note(std::string text) { context_.say(Step{step::Note{std::move(text)}, {}}); }

  const Trace& trace_;
  RunContext& context_;
  BlockHeap heap_;
  std::vector<BlockId> block_of_;  // by allocation
};

/// An online allocator: it answers each request when it comes and knows nothing of later ones.
struct Pool {
  std::string id;
  std::string title;
  std::string summary;  // one sentence
  std::string source;
  std::vector<ParamSpec> params;
  /// Refused or usage errors: a parameter that is no number, a capacity that it cannot do without.
  Result<std::unique_ptr<PoolSimulator>> (*make)(const PoolSetup& setup) = nullptr;
};

/// Every registered pool, in the order of pools.def.
std::span<const Pool> pools();
/// Null when there is none with this id.
const Pool* find_pool(std::string_view id);

/// Gives a simulator every event of a trace: addresses, points and failures of the run. Error: cancelled.
Result<void> play_trace(const Trace& trace, PoolSimulator& simulator, RunContext& context, PoolRun& run);

/// Plays a trace. Without a capacity (given, else the trace's) memory never ends. Errors: usage (unknown parameter),
/// refused, cancelled.
Result<PoolRun> run_pool(const Pool& pool, const Trace& trace, const ParamValues& params,
                         std::optional<std::int64_t> capacity, RunContext& context);

}  // namespace stowage
