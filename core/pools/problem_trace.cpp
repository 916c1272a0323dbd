#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/pools/trace.h"

namespace stowage {

/// What is asked for in one request: a buffer, or all that lie in the same memory.
struct TraceDemand {
  BufferIndex buffer = kNoBuffer;  // the lowest member; of those the largest, then the first
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;  // where its memory begins and ends, relative to the body of its members
  std::int64_t high = 0;
  bool is_static = true;
  bool tied = false;
};

struct TraceRequest {
  std::int64_t time = 0;
  TraceOp op = TraceOp::kAlloc;
  std::uint32_t demand = 0;
  BufferIndex buffer = kNoBuffer;
  std::int32_t stream = 0;

  int rank() const { return op == TraceOp::kFree ? 0 : op == TraceOp::kAlloc ? 1 : 2; }
};

namespace {

bool is_static_kind(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kinds = {"weight", "weights",         "constant",
                                                     "state",  "optimizer_state", "parameter"};
  return std::find(kinds.begin(), kinds.end(), to_lower(kind)) != kinds.end();
}

/// Colocated buffers and aliases become one demand: as large as all of them together, from the first life to the last.
class Demands {
 public:
  explicit Demands(const Problem& problem) : problem_(problem), above_(problem.size()), of_(problem.size(), kNone) {
    std::iota(above_.begin(), above_.end(), BufferIndex{0});
    for (const std::vector<BufferIndex>& together : problem.constraints().colocations) {
      for (const BufferIndex member : together) join(together.front(), member);
    }
    for (const Alias& alias : problem.constraints().aliases) join(alias.parent, alias.child);
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem[i].takes_memory()) add(i);
    }
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  const std::vector<TraceDemand>& all() const { return demands_; }
  /// The demand that a buffer is part of, or kNone.
  std::uint32_t of(BufferIndex i) { return of_[root(i)]; }

 private:
  BufferIndex root(BufferIndex i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }

  void join(BufferIndex a, BufferIndex b) { above_[root(b)] = root(a); }

  void add(BufferIndex i) {
    const Buffer& buffer = problem_[i];
    const std::int64_t low = problem_.bodies().relative(i);
    const bool is_static = is_static_kind(problem_.kind(i));
    std::uint32_t& index = of_[root(i)];
    if (index == kNone) {
      index = static_cast<std::uint32_t>(demands_.size());
      demands_.push_back({i, buffer.start, buffer.end, low, low + buffer.size, is_static, false});
      return;
    }
    TraceDemand& demand = demands_[index];
    const bool larger = low == demand.low && buffer.size > problem_[demand.buffer].size;
    if (low < demand.low || larger) demand.buffer = i;
    demand.start = std::min(demand.start, buffer.start);
    demand.end = std::max(demand.end, buffer.end);
    demand.low = std::min(demand.low, low);
    demand.high = std::max(demand.high, low + buffer.size);
    demand.is_static = demand.is_static && is_static;
    demand.tied = true;
  }

  const Problem& problem_;
  std::vector<BufferIndex> above_;  // a forest of those in the same memory
  std::vector<std::uint32_t> of_;   // by root
  std::vector<TraceDemand> demands_;
};

/// What of a problem no order of allocations says, one sentence each.
class LeftOut {
 public:
  LeftOut(const Problem& problem, std::vector<std::string>& words) : problem_(problem), words_(words) {}

  void all(const std::vector<TraceDemand>& demands) {
    const Constraints& ties = problem_.constraints();
    const auto buffers_with = [&](const auto& has) {
      std::size_t count = 0;
      for (BufferIndex i = 0; i < problem_.size(); ++i) count += has(i) ? 1U : 0U;
      return count;
    };
    say(problem_.spaces().size() > 1 ? problem_.spaces().size() : 0, "space",
        "a pool has one memory, they are taken together");
    say(buffers_with([&](BufferIndex i) { return problem_[i].is_fixed(); }), "fixed offset",
        "a pool chooses addresses itself");
    say(ties.groups.size(), "contiguous group", "their members are asked for one by one");
    say(ties.conflicts.size(), "conflict", "only the order of allocations and frees says who is live together");
    if (ties.conflicts_only)
      words_.emplace_back("lifetimes are not known: all buffers are taken to live as they are shown");
    const auto with_details = [&](const auto& has) {
      return buffers_with([&](BufferIndex i) { return problem_.details(i) != nullptr && has(*problem_.details(i)); });
    };
    say(with_details([](const Details& details) { return details.clock.has_value(); }),
        "lifetime in partially ordered time", "events come in one order, that of the times shown");
    say(with_details([](const Details& details) { return !details.candidates.empty(); }), "choice of spaces",
        "a pool has one memory");
    say(with_details([](const Details& details) { return !details.slices.empty(); }), "buffer in slices",
        "each is asked for as a whole");
    gaps(demands);
  }

 private:
  /// A gap ends an allocation only if all of the buffer may go, and nobody else lives in its memory.
  void gaps(const std::vector<TraceDemand>& demands) {
    std::size_t partial = 0;
    std::size_t shared = 0;
    std::vector<bool> alone(problem_.size(), false);
    for (const TraceDemand& demand : demands) alone[demand.buffer] = !demand.tied;
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      for (const Gap& gap : problem_.gaps(i)) {
        if (gap.window) {
          ++partial;
        } else if (problem_[i].takes_memory() && !alone[i]) {
          ++shared;
        }
      }
    }
    say(partial, "gap with a window", "the whole buffer stays allocated");
    say(shared, "gap of buffers that share memory", "it stays allocated");
  }

  void say(std::size_t count, std::string_view what, std::string_view instead) {
    if (count == 0) return;
    std::string many(what);
    if (count > 1) many.insert(plural_at(what), "s");
    words_.push_back(
        fmt::format("not in the trace: {} {}; {}", format_count(static_cast<std::int64_t>(count)), many, instead));
  }

  /// Where the noun ends: in "gap with a window" after its first word, in "fixed offset" after its last.
  static std::size_t plural_at(std::string_view what) {
    for (const std::string_view word : {" with ", " of ", " in "}) {
      if (const std::size_t at = what.find(word); at != std::string_view::npos) return at;
    }
    return what.size();
  }

  const Problem& problem_;
  std::vector<std::string>& words_;
};

/// Sorted: by time; frees, allocations, uses; by row.
std::vector<TraceRequest> requests_of(const Problem& problem, Demands& demands, std::span<const StreamUse> uses) {
  std::vector<TraceRequest> requests;
  const auto live = [&](std::uint32_t d, std::int64_t start, std::int64_t end) {
    if (start >= end) return;
    requests.push_back({start, TraceOp::kAlloc, d, demands.all()[d].buffer, 0});
    requests.push_back({end, TraceOp::kFree, d, demands.all()[d].buffer, 0});
  };
  for (std::uint32_t d = 0; d < demands.all().size(); ++d) {
    const TraceDemand& demand = demands.all()[d];
    std::int64_t start = demand.start;
    if (!demand.tied) {
      for (const Gap& gap : problem.gaps(demand.buffer)) {
        if (gap.window || gap.start >= gap.end) continue;
        live(d, start, gap.start);
        start = gap.end;
      }
    }
    live(d, start, demand.end);
  }
  for (const StreamUse& use : uses) {
    const std::uint32_t d = demands.of(use.buffer);
    if (d != Demands::kNone) requests.push_back({use.time, TraceOp::kUse, d, demands.all()[d].buffer, use.stream});
  }
  std::stable_sort(requests.begin(), requests.end(), [](const TraceRequest& a, const TraceRequest& b) {
    if (a.time != b.time) return a.time < b.time;
    return a.rank() != b.rank() ? a.rank() < b.rank() : a.buffer < b.buffer;
  });
  return requests;
}

/// All spaces together have what each of them has; nobody knows it when one of them has no limit.
std::optional<std::int64_t> capacity_of_all(const Problem& problem) {
  std::optional<std::int64_t> sum = 0;
  for (std::size_t s = 0; s < problem.spaces().size() && sum; ++s) {
    const auto capacity = problem.capacity(static_cast<std::uint16_t>(s));
    sum = capacity ? checked_add(*sum, *capacity) : std::nullopt;
  }
  return sum;
}

}  // namespace

/// Writes the requests down, and on which stream each allocation is used first.
class ProblemTracer {
 public:
  ProblemTracer(const Problem& problem, const std::vector<TraceDemand>& demands)
      : problem_(problem), demands_(demands), live_(demands.size(), kNoBuffer) {
    trace_.name = problem.name();
    trace_.time_unit = problem.time_unit();
    trace_.capacity = capacity_of_all(problem);
  }

  Trace run(const std::vector<TraceRequest>& requests) {
    for (const TraceRequest& request : requests) {
      if (request.op == TraceOp::kAlloc) {
        alloc(request);
      } else if (live_[request.demand] == kNoBuffer) {
        continue;  // used while its contents are not needed
      } else if (request.op == TraceOp::kFree) {
        free(request);
      } else {
        use(request);
      }
    }
    return std::move(trace_);
  }

 private:
  std::uint32_t next_event() const { return static_cast<std::uint32_t>(trace_.events_.size()); }

  void alloc(const TraceRequest& request) {
    const TraceDemand& demand = demands_[request.demand];
    Allocation allocation;
    allocation.bytes = demand.high - demand.low;
    allocation.made = next_event();
    allocation.is_static = demand.is_static;
    allocation.buffer = request.buffer;
    live_[request.demand] = static_cast<BufferIndex>(trace_.allocations_.size());
    trace_.events_.push_back(TraceEvent{request.time, live_[request.demand], 0, TraceOp::kAlloc});
    trace_.allocations_.push_back(allocation);
    trace_.ids_.push_back(problem_.id(request.buffer));
  }

  void free(const TraceRequest& request) {
    const BufferIndex index = std::exchange(live_[request.demand], kNoBuffer);
    Allocation& allocation = trace_.allocations_[index];
    allocation.ended = next_event();
    trace_.events_.push_back(TraceEvent{request.time, index, allocation.stream, TraceOp::kFree});
  }

  /// The first use says where it is made; others count when they are on another stream, once for each.
  void use(const TraceRequest& request) {
    const BufferIndex index = live_[request.demand];
    if (!known_.insert({index, request.stream}).second) return;
    const auto first = known_.lower_bound({index, std::numeric_limits<std::int32_t>::min()});
    const bool is_first = std::next(first) == known_.end() || std::next(first)->first != index;
    if (is_first) {
      Allocation& allocation = trace_.allocations_[index];
      allocation.stream = request.stream;
      trace_.events_[allocation.made].stream = request.stream;
      return;
    }
    trace_.events_.push_back(TraceEvent{request.time, index, request.stream, TraceOp::kUse});
  }

  const Problem& problem_;
  const std::vector<TraceDemand>& demands_;
  std::vector<BufferIndex> live_;                         // by demand: its allocation at this time
  std::set<std::pair<BufferIndex, std::int32_t>> known_;  // allocations and the streams that use them
  Trace trace_;
};

Result<Trace> trace_of(const Problem& problem, std::vector<std::string>& left_out, std::span<const StreamUse> uses) {
  Demands demands(problem);
  LeftOut(problem, left_out).all(demands.all());
  const std::vector<TraceRequest> requests = requests_of(problem, demands, uses);
  if (requests.size() >= kNoEvent) return fail(Error::Kind::kRefused, "too many buffers for a trace");
  return ProblemTracer(problem, demands.all()).run(requests);
}

}  // namespace stowage
