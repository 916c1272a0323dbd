#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/allocators/unit.h"
#include "core/allocators/xla_fast_heap.h"
#include "core/allocators/xla_heap.h"
#include "core/allocators/xla_order.h"
#include "core/base/text.h"

namespace stowage {
namespace {

using Choice = XlaHeap::Choice;

/// All heaps of one try, numbered through the spaces.
struct Layout {
  std::vector<std::int64_t> sizes;     // by heap
  std::vector<std::uint32_t> heap_of;  // by buffer
  std::vector<std::int64_t> inner;     // by buffer: its offset inside the heap
  std::int64_t total = 0;              // bytes
};

struct Settings {
  XlaStrategy strategy = XlaStrategy::kSpatial;
  Choice choice = Choice::kBest;
  std::optional<std::int64_t> limit;  // bytes of a heap; then as many heaps as it takes
};

/// When the members of a heap live: [start, end).
struct Hull {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

/// One try: all units in the order of a strategy, one heap after the other where their size is limited.
class Simulation {
 public:
  Simulation(const Problem& problem, const std::vector<Unit>& units, XlaHeap& heap, RunContext& context)
      : problem_(problem), units_(units), heap_(heap), context_(context) {}

  /// Units that are placed in all tries together, for the progress.
  void expect(std::size_t units) { expected_ = std::max<std::size_t>(1, units); }

  Result<Layout> run(const Settings& settings) {
    settings_ = settings;
    layout_ = Layout{};
    layout_.heap_of.assign(problem_.size(), 0);
    layout_.inner.assign(problem_.size(), kNoOffset);
    for (std::size_t space = 0; space < problem_.spaces().size(); ++space) {
      std::vector<const Unit*> members;
      for (const Unit& unit : units_) {
        if (problem_[unit.leader].space == space) members.push_back(&unit);
      }
      sort_units(problem_, settings.strategy, members);
      const auto filled = fill_heaps(std::move(members));
      if (!filled) return tl::unexpected(filled.error());
    }
    first_box_ += static_cast<std::uint32_t>(layout_.sizes.size());
    return std::move(layout_);
  }

 private:
  /// Walks the list again and again: what would end above the limit waits for the next heap, unless the heap is still
  /// empty.
  Result<void> fill_heaps(std::vector<const Unit*> waiting) {
    const std::vector<const Unit*> late = late_ones(waiting);
    std::vector<const Unit*> waiting_late = late;
    while (!waiting.empty() || !waiting_late.empty()) {
      open_heap();
      const auto early_left = fill(waiting);
      if (!early_left) return tl::unexpected(early_left.error());
      const auto late_left = fill_fast(waiting_late, heap_.size());
      if (!late_left) return tl::unexpected(late_left.error());
      close_heap(std::max(heap_.size(), fast_size_));
      waiting = std::move(*early_left);
      waiting_late = std::move(*late_left);
    }
    return {};
  }

  /// Takes out of the list what goes through the fast manager, by start: everything with fast-merge; with fast-split
  /// all but the first 500 without colocation and those with it.
  std::vector<const Unit*> late_ones(std::vector<const Unit*>& units) const {
    if (settings_.strategy == XlaStrategy::kFastMerge) return std::exchange(units, {});
    if (settings_.strategy != XlaStrategy::kFastSplit) return {};
    constexpr std::size_t kFirst = 500;
    std::size_t alone = 0;
    std::vector<const Unit*> late;
    std::erase_if(units, [&](const Unit* unit) {
      if (unit->members.size() > 1 || ++alone <= kFirst) return false;
      late.push_back(unit);
      return true;
    });
    sort_units(problem_, XlaStrategy::kFastMerge, late);
    return late;
  }

  /// Places what it can in the open heap; returns the rest.
  Result<std::vector<const Unit*>> fill(const std::vector<const Unit*>& units) {
    std::vector<const Unit*> left;
    for (const Unit* unit : units) {
      if (const auto counted = count(*unit); !counted) return tl::unexpected(counted.error());
      if (!unit->takes_memory()) {
        settle(*unit, {unit->grid.up(0), "it takes no memory"});
        continue;
      }
      const Details* details = problem_.details(unit->leader);
      auto candidate = heap_.find(*unit, settings_.choice, details != nullptr ? details->hint : std::nullopt);
      if (!candidate) return ends_too_high(problem_, unit->leader);
      if (!may_enter(*unit, candidate->offset)) {
        left.push_back(unit);
        continue;
      }
      heap_.commit(*unit, candidate->offset);
      settle(*unit, std::move(*candidate));
    }
    return left;
  }

  Result<std::vector<const Unit*>> fill_fast(const std::vector<const Unit*>& units, std::int64_t floor) {
    XlaFastHeap fast(floor);
    std::vector<const Unit*> left;
    for (const Unit* unit : units) {
      if (const auto counted = count(*unit); !counted) return tl::unexpected(counted.error());
      if (!unit->takes_memory()) {
        settle(*unit, {unit->grid.up(0), "it takes no memory"});
        continue;
      }
      fast.release_until(unit->start);
      const auto offset = fast.find(*unit);
      if (!offset) return ends_too_high(problem_, unit->leader);
      fast.say_rejected(*unit, context_);
      if (!may_enter(*unit, *offset)) {
        left.push_back(unit);
        continue;
      }
      fast.take(*unit, *offset);
      settle(*unit, {*offset, "the smallest chunk that is free now and large enough"});
    }
    fast_size_ = fast.size();
    return left;
  }

  /// The limit is soft: an empty heap takes anything. It is compared with the leader's own end, as in the origin.
  bool may_enter(const Unit& unit, std::int64_t offset) const {
    const std::int64_t end = offset + problem_[unit.leader].size;
    if (!settings_.limit || heap_is_empty_ || end <= *settings_.limit) return true;
    if (context_.records()) {
      context_.say(Step{step::Note{fmt::format("{} would end at {}: {} bytes above the limit of the heap, so it waits "
                                               "for the next",
                                               printable_utf8(problem_.id(unit.leader)), end, end - *settings_.limit)},
                        {}});
    }
    return false;
  }

  Result<void> count(const Unit& unit) {
    if (++looked_at_ % 256 == 0 && context_.should_stop()) {
      return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    }
    if (context_.records()) context_.say(Step{step::Consider{unit.leader}, {}});
    return {};
  }

  void open_heap() {
    heap_.clear();
    fast_size_ = 0;
    heap_is_empty_ = true;
    hull_.reset();
    if (settings_.limit) context_.say(Step{step::OpenBox{box(), 0}, "a heap of limited size"});
  }

  void close_heap(std::int64_t size) {
    if (settings_.limit) {
      const Hull hull = hull_.value_or(Hull{});
      context_.say(Step{step::CloseBox{box(), 0, hull.start, hull.end, size}, {}});
    }
    layout_.sizes.push_back(size);
    layout_.total = add_up_to_max(layout_.total, size);
  }

  void settle(const Unit& unit, XlaHeap::Candidate candidate) {
    for (const Body::Member& member : unit.members) {
      const std::int64_t offset = add_up_to_max(candidate.offset, member.relative);
      layout_.heap_of[member.buffer] = static_cast<std::uint32_t>(layout_.sizes.size());
      layout_.inner[member.buffer] = offset;
      if (!context_.records()) continue;
      const bool tied = member.buffer != unit.leader;
      if (settings_.limit) {
        context_.say(Step{step::PutInBox{box(), {member.buffer, BoxMember::kNone}},
                          fmt::format("at {} inside it: {}", offset, tied ? "tied to another" : candidate.why)});
      } else {
        context_.say(Step{step::Place{member.buffer, offset}, tied ? "tied to another" : candidate.why});
      }
    }
    if (unit.takes_memory()) {
      heap_is_empty_ = false;
      if (!hull_) hull_ = Hull{unit.start, unit.end};
      hull_->start = std::min(hull_->start, unit.start);
      hull_->end = std::max(hull_->end, unit.end);
    }
    if (++settled_ % 256 == 0)
      context_.report(std::min(1.0, static_cast<double>(settled_) / static_cast<double>(expected_)));
  }

  std::uint32_t box() const { return first_box_ + static_cast<std::uint32_t>(layout_.sizes.size()); }

  const Problem& problem_;
  const std::vector<Unit>& units_;
  XlaHeap& heap_;
  RunContext& context_;
  Settings settings_;
  Layout layout_;
  std::optional<Hull> hull_;
  std::int64_t fast_size_ = 0;
  bool heap_is_empty_ = true;
  std::uint32_t first_box_ = 0;
  std::size_t looked_at_ = 0;
  std::size_t settled_ = 0;
  std::size_t expected_ = 1;
};

/// Offsets of the best try, and its heaps where their size is limited.
Result<RunResult> result_of(const Problem& problem, Layout layout, bool limited) {
  RunResult result;
  if (limited) {
    Objects heaps;
    heaps.sizes = std::move(layout.sizes);
    heaps.object_of = std::move(layout.heap_of);
    heaps.inner = std::move(layout.inner);
    result.offsets = objects_to_offsets(problem, heaps);
    result.objects = std::move(heaps);
  } else {
    result.offsets = std::move(layout.inner);
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const bool too_high = result.offsets[i] == kMaxInt64 || !checked_add(result.offsets[i], problem[i].size);
    if (too_high) return ends_too_high(problem, i);
  }
  return result;
}

/// The tries: one, or with the packing search both choices with the three orders by space and time.
std::vector<Settings> tries_of(std::string_view strategy, Choice choice, std::optional<std::int64_t> limit) {
  if (const auto one = strategy_named(strategy)) return {Settings{*one, choice, limit}};
  std::vector<Settings> tries;
  for (const Choice each : {Choice::kBest, Choice::kLowest}) {
    for (const XlaStrategy by : {XlaStrategy::kSpatial, XlaStrategy::kTemporal, XlaStrategy::kSpatialTemporal}) {
      tries.push_back(Settings{by, each, limit});
    }
  }
  return tries;
}

/// The smallest layout of all tries, the first of equals.
Result<RunResult> search(const Problem& problem, const std::vector<Settings>& tries, RunContext& context) {
  const std::vector<Unit> units = units_led_by_the_first_live(problem);
  XlaHeap heap(problem, XlaHeap::Commit::kWholeUnit, context);
  Simulation simulation(problem, units, heap, context);
  simulation.expect(units.size() * tries.size());
  std::optional<Layout> best;
  RunStatus status = RunStatus::kComplete;
  for (const Settings& settings : tries) {
    if (context.records()) {
      context.say(Step{step::Phase{fmt::format("{}, {} chunk", name_of(settings.strategy),
                                               settings.choice == Choice::kBest ? "best" : "lowest")},
                       {}});
    }
    auto layout = simulation.run(settings);
    if (!layout && !best) return tl::unexpected(layout.error());
    if (!layout) {
      status = RunStatus::kStopped;
      break;
    }
    if (best && layout->total >= best->total) continue;
    best = std::move(*layout);
    if (tries.size() > 1) context.say(Step{step::Incumbent{best->total}, "bytes of all heaps"});
  }
  const bool limited = tries.front().limit.has_value();
  auto result = result_of(problem, std::move(*best), limited);
  if (!result) return result;
  if (limited) say_plan(context, result->offsets, "the heaps lie one above the other");
  if (!limited && tries.size() > 1) say_plan(context, result->offsets, "the smallest heap of all tries");
  result->status = status;
  result->iterations = static_cast<std::int64_t>(tries.size());
  context.report(1);
  return result;
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const std::string& strategy = params.at("strategy");
  const auto by = strategy_named(strategy);
  const bool fast = by && (*by == XlaStrategy::kFastMerge || *by == XlaStrategy::kFastSplit);
  if (fast && !problem.needs().only_lifetimes()) {
    return fail(Error::Kind::kRefused,
                fmt::format("xla-best-fit with strategy {} cannot honour conflicts beyond lifetimes", strategy));
  }
  std::optional<std::int64_t> limit;
  if (params.at("limit") != "none") {
    limit = parse_bytes(params.at("limit"));
    if (!limit) return usage_error(fmt::format("limit: '{}' is not a number of bytes", params.at("limit")));
  }
  const Choice choice = params.at("placement") == "lowest" ? Choice::kLowest : Choice::kBest;
  return search(problem, tries_of(strategy, choice, limit), context);
}

}  // namespace

std::vector<Allocator> xla_best_fit_allocators() {
  Allocator allocator;
  allocator.id = "xla-best-fit";
  allocator.title = "XLA best fit";
  allocator.summary = "XLA's heap simulator: decreasing size (or another order) into the smallest free chunk.";
  allocator.source = "openxla/xla xla/service/heap_simulator/heap_simulator.cc";
  std::vector<std::string> strategies = strategy_names();
  strategies.push_back("packing-search");
  const ParamSpec strategy = choice_param(
      "strategy", "the order of buffers; packing-search tries spatial, temporal and spatial-temporal, both placements",
      std::move(strategies));
  const ParamSpec placement = choice_param(
      "placement", "which free chunk of those that are large enough: the smallest, or the lowest", {"best", "lowest"});
  const ParamSpec limit = open_param("limit", "bytes of a heap; what does not fit goes to further heaps", {"none"});
  allocator.params = {strategy, placement, limit};
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
