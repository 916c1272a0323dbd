#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// Bytes of a segment: rounded up to its alignment; Glow's totals count these.
std::int64_t segment_of(const Buffer& buffer) {
  return align_up(buffer.size, buffer.alignment);
}

/// The bytes not yet placed at each section of one space, and the best of the buffers waiting there.
///
/// A tree over the sections: a buffer adds its bytes to the few nodes that make up its lifetime, and waits in their
/// lists. Finding the busiest section is a walk down, finding the best buffer there a walk up.
class Waiting {
 public:
  enum class Prefer { kLarge, kLong };

  Waiting(const Problem& problem, std::uint16_t space, Prefer prefer)
      : problem_(problem), prefer_(prefer), first_(problem.sections().first_of_space(space)) {
    const auto sections = static_cast<std::size_t>(problem.sections().first_of_space(space + 1U) - first_);
    while (leaves_ < sections) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
    taken_.assign(problem.size(), false);
  }

  void add(BufferIndex i) {
    change(i, segment_of(problem_[i]), 1, 0, leaves_, [&](Node& node) { node.waiting.push_back(i); });
  }
  /// After the last add.
  void sort() {
    for (Node& node : nodes_) {
      std::sort(node.waiting.begin(), node.waiting.end(),
                [this](BufferIndex a, BufferIndex b) { return better(b, a); });  // the best is last: popped first
    }
  }

  /// The buffer to place next, taken out; nothing when none waits.
  std::optional<BufferIndex> take() {
    if (nodes_[1].bytes == 0) return std::nullopt;
    std::size_t node = 1;
    while (node < leaves_) node = nodes_[2 * node].bytes >= nodes_[2 * node + 1].bytes ? 2 * node : 2 * node + 1;
    std::optional<BufferIndex> best;
    for (; node >= 1; node /= 2) {
      std::vector<BufferIndex>& waiting = nodes_[node].waiting;
      while (!waiting.empty() && taken_[waiting.back()]) waiting.pop_back();
      if (!waiting.empty() && (!best || better(waiting.back(), *best))) best = waiting.back();
    }
    taken_[*best] = true;
    change(*best, -segment_of(problem_[*best]), 1, 0, leaves_, [](const Node&) {});
    return best;
  }

 private:
  struct Node {
    std::int64_t bytes = 0;  // the most that waits at one section below it, without what the nodes above add
    std::int64_t own = 0;    // of the buffers that wait in this node
    std::vector<BufferIndex> waiting;
  };

  /// Ties: the other measure, then the one allocated first.
  bool better(BufferIndex a, BufferIndex b) const {
    const auto key = [this](BufferIndex i) {
      const std::array<std::int64_t, 2> large{segment_of(problem_[i]), problem_[i].lifetime()};
      return prefer_ == Prefer::kLarge ? large : std::array<std::int64_t, 2>{large[1], large[0]};
    };
    if (key(a) != key(b)) return key(a) > key(b);
    return a < b;
  }

  template <typename Visit>
  void change(BufferIndex i, std::int64_t bytes, std::size_t node, std::size_t begin, std::size_t end, Visit&& visit) {
    const SectionRange range = problem_.sections().range(i);
    const auto low = static_cast<std::size_t>(range.first - first_);
    const auto high = static_cast<std::size_t>(range.last - first_);
    if (high <= begin || end <= low) return;
    if (low <= begin && end <= high) {
      nodes_[node].own += bytes;
      nodes_[node].bytes += bytes;
      visit(nodes_[node]);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    change(i, bytes, 2 * node, begin, middle, visit);
    change(i, bytes, 2 * node + 1, middle, end, visit);
    nodes_[node].bytes = std::max(nodes_[2 * node].bytes, nodes_[2 * node + 1].bytes) + nodes_[node].own;
  }

  const Problem& problem_;
  Prefer prefer_;
  std::int32_t first_;
  std::size_t leaves_ = 1;
  std::vector<Node> nodes_;
  std::vector<bool> taken_;
};

enum class Strategy { kLargest, kLongest, kGiven, kOnline };
constexpr std::array<Strategy, 3> kAll = {Strategy::kLargest, Strategy::kLongest, Strategy::kGiven};
constexpr std::array<Strategy, 1> kOnline = {Strategy::kOnline};

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::kLargest:
      return "at the busiest time the largest first";
    case Strategy::kLongest:
      return "at the busiest time the longest first";
    case Strategy::kOnline:
      return "one after the other as they begin";
    case Strategy::kGiven:
      break;
  }
  return "in the order given";
}

struct Settings {
  std::span<const Strategy> strategies = kAll;
  bool strict = false;
  bool evict = false;  // online: who is in the way of what does not fit loses its memory
};

/// Tries the strategies on one space after the other.
class AllocateAll {
 public:
  AllocateAll(const Problem& problem, const Settings& settings, RunContext& context)
      : problem_(problem), settings_(settings), context_(context), placed_(problem) {
    best_.assign(problem.size(), kNoOffset);
  }

  Result<RunResult> run() {
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (!problem_[i].takes_memory()) best_[i] = problem_.grid(i).up(0);
    }
    for (std::size_t space = 0; space < problem_.spaces().size(); ++space) {
      const auto planned = plan(static_cast<std::uint16_t>(space));
      if (!planned) return tl::unexpected(planned.error());
    }
    if (!evicted_.empty()) return evicted();
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (!checked_add(best_[i], problem_[i].size)) return ends_too_high(problem_, i);
    }
    say_plan(context_, best_, "the best strategy has it here");
    context_.report(1);
    RunResult result;
    result.offsets = std::move(best_);
    result.status = stopped_ ? RunStatus::kStopped : RunStatus::kComplete;
    return result;
  }

 private:
  struct Total {
    std::int64_t bytes = kMaxInt64;
    BufferIndex highest = kNoBuffer;
  };
  struct Eviction {
    BufferIndex who = kNoBuffer;
    BufferIndex by = kNoBuffer;
  };

  Result<void> plan(std::uint16_t space) {
    std::vector<BufferIndex> members;
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (problem_[i].space == space && problem_[i].takes_memory()) members.push_back(i);
    }
    if (members.empty()) return {};
    const std::int64_t capacity = problem_.capacity(space).value_or(kMaxInt64);
    const std::int64_t bound = live_bytes(members);
    Total best;
    std::optional<Total> too_high;  // the least of those above the capacity
    for (const Strategy strategy : settings_.strategies) {
      const auto total = attempt(strategy, members, space);
      if (!total) {
        if (best.highest == kNoBuffer) return tl::unexpected(total.error());
        stopped_ = true;
        return {};
      }
      const bool fits = total->bytes <= capacity && total->bytes < kMaxInt64;
      if (!fits && (!too_high || total->bytes < too_high->bytes)) too_high = *total;
      if (!fits && settings_.strict) break;
      if (fits && total->bytes < best.bytes) keep(members, *total, best);
      if (best.bytes <= bound) break;
    }
    if (best.highest == kNoBuffer || (settings_.strict && too_high)) return does_not_fit(*too_high, space, capacity);
    return {};
  }

  void keep(std::span<const BufferIndex> members, const Total& total, Total& best) {
    best = total;
    for (const BufferIndex i : members) best_[i] = placed_.offset(i);
    context_.say(Step{step::Incumbent{total.bytes}, "sizes rounded up to their alignments"});
  }

  tl::unexpected<Error> does_not_fit(const Total& total, std::uint16_t space, std::int64_t capacity) const {
    if (total.bytes == kMaxInt64) return ends_too_high(problem_, total.highest);
    return fail(Error::Kind::kRefused,
                fmt::format("glow-allocate-all: {} needs {} bytes, {} more than its capacity {}; {} does not fit",
                            printable_utf8(problem_.spaces()[space].id), total.bytes, total.bytes - capacity, capacity,
                            printable_utf8(problem_.id(total.highest))));
  }

  /// The most rounded bytes live at once: nothing can need fewer.
  std::int64_t live_bytes(std::span<const BufferIndex> members) const {
    std::vector<std::int64_t> change(problem_.sections().count() + 1, 0);
    for (const BufferIndex i : members) {
      change[static_cast<std::size_t>(problem_.sections().range(i).first)] += segment_of(problem_[i]);
      change[static_cast<std::size_t>(problem_.sections().range(i).last)] -= segment_of(problem_[i]);
    }
    std::int64_t live = 0;
    std::int64_t most = 0;
    for (const std::int64_t step : change) most = std::max(most, live += step);
    return most;
  }

  /// Places all buffers of a space by one strategy. Error: cancelled.
  Result<Total> attempt(Strategy strategy, std::span<const BufferIndex> members, std::uint16_t space) {
    if (context_.records()) context_.say(Step{step::Phase{std::string(name_of(strategy))}, {}});
    for (const BufferIndex i : members) placed_.place(i, kNoOffset);
    std::optional<Waiting> waiting;
    if (strategy == Strategy::kLargest || strategy == Strategy::kLongest) {
      waiting.emplace(problem_, space,
                      strategy == Strategy::kLargest ? Waiting::Prefer::kLarge : Waiting::Prefer::kLong);
      for (const BufferIndex i : members) waiting->add(i);
      waiting->sort();
    }
    std::vector<BufferIndex> given(members.begin(), members.end());
    if (strategy == Strategy::kOnline) {
      std::stable_sort(given.begin(), given.end(),
                       [this](BufferIndex a, BufferIndex b) { return problem_[a].start < problem_[b].start; });
    }
    Total total{0, members.front()};
    for (std::size_t done = 0; done < members.size(); ++done) {
      if (done % 256 == 0 && context_.should_stop()) {
        return fail(Error::Kind::kCancelled, "stopped before it had a plan");
      }
      const BufferIndex i = waiting ? *waiting->take() : given[done];
      const std::int64_t end = add_up_to_max(place(i), segment_of(problem_[i]));
      if (end > total.bytes) total = {end, i};
    }
    return total;
  }

  /// At 0 or at the end of a segment that lives at the same time: the lowest of these places that is free.
  std::int64_t place(BufferIndex i) {
    const Grid grid = problem_.grid(i);
    const std::int64_t size = segment_of(problem_[i]);
    if (context_.records()) context_.say(Step{step::Consider{i}, {}});
    std::int64_t at = grid.up(0);
    for (const BufferIndex other : placed_.by_address(i)) {
      const std::int64_t offset = placed_.offset(other);
      if (at <= offset - size) break;
      say_blocked(context_, i, other, at, offset, size);
      at = std::max(at, grid.up(add_up_to_max(offset, segment_of(problem_[other]))));
    }
    const std::int64_t bottom = grid.up(0);
    const std::int64_t capacity = problem_.capacity(problem_[i].space).value_or(kMaxInt64);
    if (settings_.evict && at > capacity - size && bottom <= capacity - size) {
      make_room(i, bottom + size);
      at = bottom;
    }
    placed_.place(i, at);
    if (context_.records()) context_.say(Step{step::Place{i, at}, "the lowest free place on the end of another"});
    return at;
  }

  /// Whoever may be evicted, the lowest addresses are the first fit.
  void make_room(BufferIndex i, std::int64_t end) {
    for (const BufferIndex other : placed_.by_address(i)) {
      if (placed_.offset(other) >= end) break;
      placed_.place(other, kNoOffset);
      evicted_.push_back({other, i});
      if (context_.records()) {
        context_.say(Step{step::Unplace{other}, fmt::format("evicted to make room for {}", problem_.id(i))});
      }
    }
  }

  tl::unexpected<Error> evicted() const {
    const Eviction& first = evicted_.front();
    std::string others;
    if (evicted_.size() > 1) others = fmt::format(", and {} more are evicted", evicted_.size() - 1);
    return fail(Error::Kind::kRefused,
                fmt::format("glow-allocate-all: {} is evicted at {} to make room for {}{}; a plan holds all buffers",
                            printable_utf8(problem_.id(first.who)), problem_[first.by].start,
                            printable_utf8(problem_.id(first.by)), others));
  }

  const Problem& problem_;
  Settings settings_;
  RunContext& context_;
  PlacedConflicts placed_;
  std::vector<std::int64_t> best_;
  std::vector<Eviction> evicted_;
  bool stopped_ = false;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  Settings settings;
  settings.strict = params.at("strict") == "true";
  if (params.at("online") != "false") settings.strategies = kOnline;
  settings.evict = params.at("online") == "evict";
  return AllocateAll(problem, settings, context).run();
}

}  // namespace

std::vector<Allocator> glow_allocate_all_allocators() {
  Allocator allocator;
  allocator.id = "glow-allocate-all";
  allocator.title = "Glow allocate all";
  allocator.summary = "Three strategies around the busiest time; stops at the first that needs no more than is live.";
  allocator.source = "pytorch/glow lib/CodeGen/MemoryAllocator.cpp";
  const ParamSpec strict = choice_param(
      "strict", "give up when any strategy exceeds the capacity, as the origin does, even if another would fit",
      {"false", "true"});
  const ParamSpec online = choice_param(
      "online",
      "first-fit: one buffer after the other as they begin, at the lowest free place; evict: what is in the way of one "
      "that does not fit loses its memory, which is refused with its name",
      {"false", "first-fit", "evict"});
  allocator.params = {strict, online};
  allocator.can.fixed_offsets = false;
  allocator.can.gaps = false;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
