#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/model/problem.h"

namespace stowage {

/// What happens at an event of a trace.
enum class TraceOp : std::uint8_t {
  kAlloc,
  kFree,
  kUse,    // another stream uses the memory: it must not be given away before that stream is done
  kReset,  // every allocation ends that is not static
  kEmpty,  // the pool is asked to give back what it keeps
};
/// "alloc", "free", "use", "reset", "empty": as in files.
std::string_view name_of(TraceOp op);

/// An event without an allocation (reset, empty), or an allocation that outlives the trace.
inline constexpr std::uint32_t kNoEvent = 0xFFFFFFFFU;

/// One line of a trace. Allocations are numbered in the order in which they are made, so they can stand where steps
/// and plans have buffers.
struct TraceEvent {
  std::int64_t time = 0;
  BufferIndex allocation = kNoBuffer;
  std::int32_t stream = 0;
  TraceOp op = TraceOp::kAlloc;
  bool operator==(const TraceEvent&) const = default;
};

/// A request for memory. An id that is allocated again after it was freed is another allocation.
struct Allocation {
  std::int64_t bytes = 0;
  std::uint32_t made = 0;          // event
  std::uint32_t ended = kNoEvent;  // event, of a free or a reset
  std::int32_t stream = 0;
  bool is_static = false;          // a weight or a state that is meant to stay
  BufferIndex buffer = kNoBuffer;  // of the problem that the trace was made from
  bool operator==(const Allocation&) const = default;
};

class Trace;

/// An op on a stream makes or reads a buffer.
struct StreamUse {
  std::int64_t time = 0;
  BufferIndex buffer = kNoBuffer;
  std::int32_t stream = 0;
};

/// The buffers of a problem as a program would ask for them: at each time frees come before allocations, as half-open
/// lifetimes say, each by row. Buffers that take no memory ask for none; weights, constants and states are static.
/// Colocated buffers and aliases are one allocation, as large as all of them together and from the first life to the
/// last; a gap is a free and a new allocation. `uses`, by time: an allocation is made on the stream of its first one,
/// and other streams use it. What no order of allocations says (fixed offsets, conflicts beyond lifetimes, groups,
/// spaces, windows of gaps) goes into `left_out`, a sentence each. Refused: only what is too large.
Result<Trace> trace_of(const Problem& problem, std::vector<std::string>& left_out,
                       std::span<const StreamUse> uses = {});

/// Allocations and frees in the order in which a program asks for them. Times never fall; ids are live at most once.
class Trace {
 public:
  std::string name;
  std::string time_unit = "step";
  std::optional<std::int64_t> capacity;

  std::span<const TraceEvent> events() const { return events_; }
  std::span<const Allocation> allocations() const { return allocations_; }
  std::string_view id(BufferIndex allocation) const { return ids_[allocation]; }
  /// Forgets the problem that it was made from: each allocation is the buffer of its number in problem_of.
  void stand_alone();
  bool operator==(const Trace&) const = default;

 private:
  friend class TraceBuilder;
  friend class ProblemTracer;

  std::vector<TraceEvent> events_;
  std::vector<Allocation> allocations_;
  Names ids_;
};

/// The only way to a trace. Every call gives the fault in words, without the place, and leaves the trace as it was; or
/// nothing, when the event was taken.
class TraceBuilder {
 public:
  using Fault = std::optional<std::string>;

  Fault alloc(std::int64_t time, std::string_view id, std::int64_t bytes, std::int32_t stream, bool is_static);
  /// `bytes`: what the free claims to give back, if it says so.
  Fault free(std::int64_t time, std::string_view id, std::optional<std::int64_t> bytes);
  Fault use(std::int64_t time, std::string_view id, std::int32_t stream);
  Fault reset(std::int64_t time);
  Fault empty(std::int64_t time);

  Trace take() { return std::move(trace_); }

 private:
  Fault check_time(std::int64_t time) const;
  Fault find(std::string_view id, BufferIndex& allocation) const;
  void push(std::int64_t time, TraceOp op, BufferIndex allocation, std::int32_t stream);

  Trace trace_;
  std::int64_t sum_ = 0;
  std::unordered_map<std::string, BufferIndex> last_;  // the last allocation of each id
  std::vector<BufferIndex> dynamic_;                   // made since the last reset and not static; some have ended
};

/// What the lifetimes of a trace are measured in.
enum class TraceAxis {
  kTime,   // the times of its events
  kEvent,  // their positions: 0, 1, 2, ...
};
/// Time where it says who lives beside whom exactly as the order of events does; else the order itself.
TraceAxis natural_axis(const Trace& trace);

/// The horizontal place of each event, and of the end of the trace after it.
std::vector<std::int64_t> places_of(const Trace& trace, TraceAxis axis);

/// A buffer for each allocation, so that allocators can plan a trace. One that is never freed lives to the end, open.
/// Later allocations of one id are called "id#2", "id#3", ...
Result<Problem> problem_of(const Trace& trace, TraceAxis axis);

}  // namespace stowage
