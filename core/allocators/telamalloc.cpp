#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/fit.h"
#include "core/allocators/offset_unit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"
#include "core/allocators/tela_attempt.h"
#include "core/allocators/tells.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// More conflicts than this would fill the memory of a small machine.
constexpr std::int64_t kMostConflicts = 50'000'000;
/// Without a time limit all attempts together look at so many conflicts: about half a second.
constexpr std::int64_t kLooks = 40'000'000;

struct TelaSettings {
  bool evict = false;
  std::int64_t backtracks = 0;  // an attempt gives up after so many
};

/// Plans one component after the other: two first fits, then binary search for a lower capacity (omnimalloc's
/// minimising variant; the paper only asks whether a given capacity is enough).
class TelamallocRun {
 public:
  TelamallocRun(const Problem& problem, const TelaSettings& settings, RunContext& context)
      : problem_(problem), settings_(settings), context_(context) {}

  Result<RunResult> run() {
    if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    for (const char* letters : {"WZ", "ZW"}) {
      auto start = first_fit(letters);
      if (!start) return tl::unexpected(start.error());
      starts_.push_back(std::move(*start));
    }
    result_.offsets = starts_.front().offsets;
    result_.iterations = 0;
    say_incumbent();
    std::int64_t conflicts = 0;
    for (const std::int64_t count : conflict_counts(problem_)) conflicts += count;
    if (conflicts <= kMostConflicts) plan_components();
    finish();
    return std::move(result_);
  }

 private:
  struct Start {
    std::vector<std::int64_t> offsets;
    std::vector<std::uint32_t> rank;  // in its order
  };

  Result<Start> first_fit(const char* letters) {
    RunContext silent;
    silent.stop = context_.stop;
    silent.deadline = context_.deadline;
    const auto order = make_order(problem_, letters);
    auto fit = place_in_order(problem_, *order, FitRule::kFirst, silent);
    if (!fit) return tl::unexpected(fit.error());
    Start start{std::move(fit->offsets), std::vector<std::uint32_t>(problem_.size())};
    for (std::uint32_t k = 0; k < order->size(); ++k) start.rank[(*order)[k]] = k;
    return start;
  }

  void plan_components() {
    for (std::size_t s = 0; s < problem_.spaces().size(); ++s) {
      units_.push_back(offset_unit(problem_, static_cast<std::uint16_t>(s)));
    }
    TelaSpace space(problem_, context_);
    const std::vector<TelaComponent> components = tela_components(problem_, space);
    std::size_t done = 0;
    for (const TelaComponent& component : components) {
      plan_component(component, space);
      context_.report(static_cast<double>(++done) / static_cast<double>(components.size() + 1));
    }
  }

  void plan_component(const TelaComponent& component, TelaSpace& space) {
    const std::int64_t by_lifetime = makespan(component, starts_[0].offsets);
    const std::int64_t by_size = makespan(component, starts_[1].offsets);
    const Start& start = by_size < by_lifetime ? starts_[1] : starts_[0];
    for (const BufferIndex i : component.buffers) result_.offsets[i] = start.offsets[i];
    say_incumbent();
    std::int64_t high = std::min(by_lifetime, by_size);
    const std::uint16_t space_index = problem_[component.buffers.front()].space;
    const std::int64_t unit = units_[space_index];  // the lowest plan ends at a multiple of it
    std::int64_t low = align_up(component.lower_bound, unit);
    if (const auto capacity = problem_.capacity(space_index)) {
      if (low > *capacity) infeasible_ = true;
      low = std::max(low, std::min(*capacity, high));  // lower than that nobody asked for
    }
    while (low < high && !out_of_effort(space)) {
      const std::int64_t middle = low + (high - low) / 2 / unit * unit;
      if (fits_under(component, space, middle, start.rank)) {
        for (const BufferIndex i : component.buffers) result_.offsets[i] = space.offsets()[i];
        high = space.makespan(component.buffers);
        say_incumbent();
      } else {
        low = middle + unit;
      }
      for (const BufferIndex i : component.buffers) space.take_out(i, "the attempt is over");
    }
  }

  bool fits_under(const TelaComponent& component, TelaSpace& space, std::int64_t capacity,
                  const std::vector<std::uint32_t>& rank) {
    if (context_.records()) context_.say(Step{step::Phase{fmt::format("an attempt under {} bytes", capacity)}, {}});
    ++result_.iterations;
    for (const BufferIndex i : component.buffers) {
      if (problem_[i].is_fixed()) space.place(i, problem_[i].fixed, "it is fixed there");
    }
    const std::function<bool()> stop = [&] {
      return out_of_effort(space);
    };
    const TelaAttempt attempt{problem_, component, space, capacity, settings_.backtracks, stop};
    return settings_.evict ? place_by_eviction(attempt, rank, context_.seed) : place_by_backtracking(attempt);
  }

  bool out_of_effort(const TelaSpace& space) {
    if (stopped_) return true;
    if (++asked_ % 64 == 0 && context_.should_stop()) stopped_ = true;
    return stopped_ || (!context_.deadline && space.looks() > kLooks);
  }

  std::int64_t makespan(const TelaComponent& component, const std::vector<std::int64_t>& offsets) const {
    std::int64_t makespan = 0;
    for (const BufferIndex i : component.buffers) makespan = std::max(makespan, offsets[i] + problem_[i].size);
    return makespan;
  }

  /// A plan of all components is said when it is lower than the one before.
  void say_incumbent() {
    if (!context_.records()) return;
    std::int64_t makespan = 0;
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (problem_[i].takes_memory()) makespan = std::max(makespan, result_.offsets[i] + problem_[i].size);
    }
    if (makespan >= said_) return;
    said_ = makespan;
    context_.say(Step{step::Incumbent{makespan}, {}});
  }

  void finish() {
    if (context_.records()) {
      context_.say(Step{step::Phase{"the plan"}, tells(context_) ? "" : "the search went on longer than it is told"});
      for (BufferIndex i = 0; i < problem_.size(); ++i) {
        context_.say(Step{step::Place{i, result_.offsets[i]}, {}});
      }
    }
    context_.report(1);
    if (stopped_) result_.status = RunStatus::kStopped;
    if (infeasible_) result_.status = RunStatus::kProvedInfeasible;
  }

  const Problem& problem_;
  const TelaSettings& settings_;
  RunContext& context_;
  std::vector<Start> starts_;
  std::vector<std::int64_t> units_;  // by space
  RunResult result_;
  std::int64_t asked_ = 0;
  std::int64_t said_ = kMaxInt64;  // the makespan of the last incumbent
  bool stopped_ = false;
  bool infeasible_ = false;  // what must be live at once is above a capacity
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  TelaSettings settings;
  settings.evict = params.at("repair") == "evict";
  const auto backtracks = parse_int(params.at("backtracks"));
  if (!backtracks || *backtracks < 0) {
    return usage_error(fmt::format("backtracks: '{}' is no number from 0 on", params.at("backtracks")));
  }
  settings.backtracks = *backtracks;
  return TelamallocRun(problem, settings, context).run();
}

}  // namespace

std::vector<Allocator> telamalloc_allocators() {
  Allocator allocator;
  allocator.id = "telamalloc";
  allocator.title = "TelaMalloc";
  allocator.summary =
      "Heuristics choose, a solver sees dead ends at once, the search jumps back to what is to blame; lower and lower.";
  allocator.source = "after Maas et al., TelaMalloc, ASPLOS 2023; minimising as in fpedd/omnimalloc telamalloc.cpp";
  allocator.params = {
      {"repair",
       "what an attempt does at a dead end: jump back, or evict what is in the way (omnimalloc)",
       "backtrack",
       {"backtrack", "evict"},
       true},
      {"backtracks", "an attempt gives up after so many", "1000", {"100", "1000", "10000"}, false},
  };
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
