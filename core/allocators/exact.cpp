#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/portfolio.h"
#include "core/allocators/registry.h"
#include "core/allocators/told_plan.h"
#include "core/search/descent.h"
#include "core/search/niche_tables.h"

namespace stowage {
namespace {

/// Without a budget of its own a run ends after so many looks at buffers that overlap the one just placed, or so many
/// nodes: about a second.
constexpr std::int64_t kLooks = 40'000'000;
constexpr std::int64_t kNodes = 400'000;
constexpr std::int64_t kFirstRound = 2'000;

/// Nothing for "auto".
Result<std::optional<std::int64_t>> parse_nodes(const std::string& text) {
  if (text == "auto") return std::nullopt;
  std::int64_t nodes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), nodes);
  if (error != std::errc() || end != text.data() + text.size() || nodes < 1) {
    return usage_error(fmt::format("nodes: '{}' is neither auto nor a number from 1 on", text));
  }
  return nodes;
}

/// A partition of a space on its way to its lowest plan.
struct Part {
  std::uint16_t space = 0;
  const Instance* instance = nullptr;
  Descent descent;

  std::int64_t lower() const { return descent.lower() * instance->unit; }
  std::int64_t height() const { return descent.height() * instance->unit; }
};

class ExactRun {
 public:
  ExactRun(const Problem& problem, std::optional<std::int64_t> nodes, bool minimize, RunContext& context)
      : problem_(problem), nodes_(nodes), minimize_(minimize), context_(context) {}

  Result<RunResult> run() {
    Result<GreedyPlan> greedy =
        best_greedy_plan(problem_, greedy_attempts().first(3), makespan_bound(problem_), context_, 0.1);
    if (!greedy) return tl::unexpected(greedy.error());
    result_ = std::move(greedy->result);
    begin();
    search();
    return finish();
  }

 private:
  /// One descent a partition, each from the greedy plan pushed down to units.
  void begin() {
    for (std::size_t s = 0; s < problem_.spaces().size(); ++s) {
      for (Instance& instance : instances_of(problem_, static_cast<std::uint16_t>(s))) {
        instances_.push_back(std::make_pair(static_cast<std::uint16_t>(s), std::move(instance)));
      }
    }
    for (const auto& [space, instance] : instances_) {
      std::vector<std::int64_t> offsets;
      for (const Instance::Item& item : instance.items) offsets.push_back(result_.offsets[item.buffer] / instance.unit);
      parts_.push_back({space, &instance, Descent(instance, std::move(offsets), context_.seed)});
    }
  }

  /// What a space needs by itself is no concern of another one's, and a low partition none of a high one's.
  std::int64_t lower(std::uint16_t space) const {
    std::int64_t lower = 0;
    for (const Part& part : parts_) lower = part.space == space ? std::max(lower, part.lower()) : lower;
    return lower;
  }
  bool is_answered(const Part& part) const {
    const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
    if (capacity && part.lower() > *capacity) return true;
    if (capacity && !minimize_ && part.height() <= *capacity) return true;
    return part.height() <= lower(part.space);
  }
  bool is_open(const Part& part) const {
    return !is_answered(part) && NicheSearch::affordable(*part.instance, part.descent.height());
  }

  void search() {
    std::int64_t budget = total_budget();
    const std::int64_t all = budget;
    for (std::int64_t round = kFirstRound; budget > 0 && !context_.should_stop(); round *= 2) {
      bool any = false;
      for (Part& part : parts_) {
        if (budget <= 0 || context_.should_stop() || !is_open(part)) continue;
        any = true;
        const std::int64_t before = part.descent.nodes();
        improve(part, std::min(round, budget));
        budget -= part.descent.nodes() - before;
      }
      if (!any) return;
      context_.report(1 - 0.9 * static_cast<double>(budget) / static_cast<double>(all));
    }
  }

  std::int64_t total_budget() const {
    if (nodes_) return *nodes_;
    if (context_.deadline) return kMaxInt64 / 4;
    std::int64_t pairs = 1;
    std::int64_t items = 1;
    for (const Part& part : parts_) {
      pairs += NicheTables::pairs(*part.instance);
      items += static_cast<std::int64_t>(part.instance->items.size());
    }
    return std::min(kNodes, kLooks / (1 + pairs / items));
  }

  void improve(Part& part, std::int64_t nodes) {
    const std::int64_t height = part.height();
    const std::int64_t bound = part.lower();
    const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
    std::int64_t goal = lower(part.space);
    if (capacity && !minimize_) goal = std::max(goal, *capacity);
    const std::optional<std::int64_t> first = capacity ? std::optional(*capacity / part.instance->unit) : std::nullopt;
    part.descent.go_on(goal / part.instance->unit, first, nodes, context_);
    if (!context_.records()) return;
    if (part.lower() > bound) context_.say(Step{step::Bound{part.lower()}, "everything lower was tried"});
    if (part.height() < height) context_.say(Step{step::Incumbent{part.height()}, {}});
  }

  Result<RunResult> finish() {
    for (const Part& part : parts_) {
      for (std::size_t i = 0; i < part.instance->items.size(); ++i) {
        result_.offsets[part.instance->items[i].buffer] = part.descent.offsets()[i] * part.instance->unit;
      }
    }
    result_.iterations = 0;
    std::int64_t bound = 0;
    std::int64_t makespan = 0;
    bool answered = true;
    for (const Part& part : parts_) {
      result_.iterations += part.descent.nodes();
      bound = std::max(bound, part.lower());
      makespan = std::max(makespan, part.height());
      answered = answered && is_answered(part);
      const std::optional<std::int64_t> capacity = problem_.capacity(part.space);
      if (!capacity || part.lower() <= *capacity || !result_.infeasible_set.empty()) continue;
      for (const Instance::Item& item : part.instance->items) result_.infeasible_set.push_back(item.buffer);
      std::sort(result_.infeasible_set.begin(), result_.infeasible_set.end());
    }
    result_.lower_bound = bound;
    result_.status = RunStatus::kStopped;
    if (answered) result_.status = makespan == bound ? RunStatus::kProvedOptimal : RunStatus::kComplete;
    if (!result_.infeasible_set.empty()) result_.status = RunStatus::kProvedInfeasible;
    tell_plan(problem_, result_.offsets, context_);
    context_.report(1);
    return std::move(result_);
  }

  const Problem& problem_;
  std::optional<std::int64_t> nodes_;
  bool minimize_;
  RunContext& context_;
  std::vector<std::pair<std::uint16_t, Instance>> instances_;
  std::vector<Part> parts_;
  RunResult result_;
};

/// The niche search knows no gaps; minimalloc's does.
Result<RunResult> run_among_gaps(const Problem& problem, const ParamValues& params, RunContext& context) {
  const Allocator member = minimalloc_allocators().front();
  ParamValues values;
  for (const ParamSpec& spec : member.params) values[spec.key] = spec.value;
  values["nodes"] = params.at("nodes");
  values["minimize-capacity"] = params.at("minimize");
  return member.run(problem, values, context);
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto nodes = parse_nodes(params.at("nodes"));
  if (!nodes) return tl::unexpected(nodes.error());
  if (problem.has_gaps()) return run_among_gaps(problem, params, context);
  return ExactRun(problem, *nodes, params.at("minimize") == "true", context).run();
}

}  // namespace

std::vector<Allocator> exact_allocators() {
  Allocator allocator;
  allocator.id = "exact";
  allocator.title = "Exact";
  allocator.summary =
      "Searches until it has a plan under the capacity, or without one the lowest plan, or a proof that there is none.";
  allocator.source = "niche branching: what comes next on top of this section? (problems with gaps: MiniMalloc)";
  allocator.params = {
      {"minimize", "search for the lowest plan even when a capacity is given", "false", {"true", "false"}, true},
      {"nodes",
       "how many states to visit at most; auto: until the time limit, or about a second's worth",
       "auto",
       {"auto"},
       false},
  };
  allocator.can.exact = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
