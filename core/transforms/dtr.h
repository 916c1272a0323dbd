#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage {

/// Which resident storage goes first: the one with the least ...
enum class DtrHeuristic {
  kDtr,      // cost of making it again, evicted neighbourhood included, by size and staleness
  kDtrEq,    // the same with the neighbourhood as a union of components (cheap, overestimates)
  kLocal,    // its own cost by size and staleness
  kLru,      // last access
  kLargest,  // 1 / size
  kMsps,     // cost with evicted ancestors by size (Capuchin)
};
std::optional<DtrHeuristic> dtr_heuristic(std::string_view name);

/// A program as an online evictor sees it: ops and releases, one after the other.
struct DtrTask {
  struct Value {
    std::int64_t bytes = 0;
    std::uint32_t storage_of = 0xFFFFFFFFU;  // a view: the value it lies in; it has no bytes of its own
    bool stays = false;                      // never evicted, like an input or an output
  };
  struct Op {
    std::vector<std::uint32_t> in;
    std::vector<std::uint32_t> out;
    double cost = 1;
    std::int64_t workspace = 0;
    bool repeatable = true;
  };
  /// Runs an op, or says that the program will not read a value any more (it may still be needed to make others again).
  struct Event {
    bool release = false;
    std::uint32_t index = 0;
  };
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<Event> events;
};

struct DtrRun {
  std::vector<std::uint32_t> ops;  // as they ran, repeated ones included
  double cost = 0;
  std::int64_t peak = 0;
  /// The op for which no room could be made, if any: the run ends before it.
  std::optional<std::uint32_t> stuck;
  bool gave_up = false;  // stuck because too many storages had to be weighed too often
};

/// Dynamic tensor rematerialization (Kirisame et al., ICLR 2021) with eager eviction: before an op, what it reads is
/// locked, what is missing is made again, and while its outputs do not fit the resident unlocked storage of the least
/// score is evicted; of equals the one that became evictable last. What is released is evicted at once. Time is the
/// sum of costs. `stop` is asked now and then; a stopped run has no `stuck`.
DtrRun run_dtr(const DtrTask& task, std::int64_t budget, DtrHeuristic heuristic,
               const std::function<bool()>& stop = nullptr);

/// The unit chain of the DTR paper: n ops forward, n back; b(i) reads f(i - 1) and b(i + 1); f(i) is released before
/// b(i), b(i + 1) after it.
DtrTask dtr_unit_chain(std::uint32_t n);

}  // namespace stowage
