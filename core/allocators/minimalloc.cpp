#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/capacity_search.h"
#include "core/allocators/fit.h"
#include "core/allocators/offset_unit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"
#include "core/allocators/tells.h"
#include "core/model/load.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr std::int64_t kNoLimit = kMaxInt64;
/// Without a budget of its own a search ends after so many looks at waiting buffers, about n a node, or so many nodes:
/// with a capacity there is only one question to answer, without one there are many.
struct Effort {
  std::int64_t looks = 0;
  std::int64_t nodes = 0;
};
constexpr Effort kForLowest = {150'000'000, 500'000};
constexpr Effort kForCapacity = {600'000'000, 2'000'000};
/// More conflicts than this would fill the memory of a small machine.
constexpr std::int64_t kMostConflicts = 50'000'000;

struct Switch {
  const char* key;
  const char* summary;
  bool SearchRules::*rule;
};
constexpr std::array<Switch, 9> kSwitches = {{
    {"canonical-only", "place buffers by rising offset only", &SearchRules::canonical_only},
    {"section-inference", "see whether all that waits in a section still fits", &SearchRules::section_inference},
    {"dynamic-ordering", "take the buffer that can sit lowest first", &SearchRules::dynamic_ordering},
    {"check-dominance", "place nothing above room for a whole waiting buffer", &SearchRules::check_dominance},
    {"unallocated-floor", "let waiting buffers raise the floors of sections", &SearchRules::unallocated_floor},
    {"static-preordering", "rank buffers by the orders, not by arrival", &SearchRules::static_preordering},
    {"dynamic-decomposition", "solve apart what falls apart in time", &SearchRules::dynamic_decomposition},
    {"monotonic-floor", "let the last placement raise all floors", &SearchRules::monotonic_floor},
    {"hatless-pruning", "skip the siblings of a buffer with nothing above it", &SearchRules::hatless_pruning},
}};

Result<std::vector<std::string>> parse_orders(std::string_view text) {
  std::vector<std::string> orders;
  while (true) {
    const std::size_t comma = text.find(',');
    orders.emplace_back(text.substr(0, comma));
    if (!are_order_letters(orders.back())) {
      return usage_error(
          fmt::format("'{}' is not an order: use letters of ACLOTUWZ, several with commas", orders.back()));
    }
    if (comma == std::string_view::npos) return orders;
    text.remove_prefix(comma + 1);
  }
}

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

/// The lowest of some first fits, without steps.
Result<std::vector<std::int64_t>> greedy_plan(const Problem& problem, const RunContext& context) {
  RunContext silent;
  silent.stop = context.stop;
  silent.deadline = context.deadline;
  std::vector<std::int64_t> best;
  std::int64_t best_makespan = kMaxInt64;
  for (const char* order : {"size", "area", "lifetime"}) {
    const auto rows = make_order(problem, order);
    const auto run = place_in_order(problem, *rows, FitRule::kFirst, silent);
    if (!run) return tl::unexpected(run.error());
    Plan plan;
    plan.offsets = run->offsets;
    std::int64_t makespan = 0;
    for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
      makespan = std::max(makespan, makespan_of_space(problem, plan, static_cast<std::uint16_t>(s)));
    }
    if (makespan < best_makespan) {
      best_makespan = makespan;
      best = run->offsets;
    }
  }
  return best;
}

/// No plan of the space is lower: its load, the end of its highest pin.
std::int64_t lower_bound(const Problem& problem, std::uint16_t space) {
  std::int64_t bound = load(problem, space);
  for (const Buffer& buffer : problem.buffers()) {
    if (buffer.space != space || !buffer.is_fixed() || !buffer.takes_memory()) continue;
    bound = std::max(bound, buffer.fixed + buffer.size);
  }
  return bound;
}

/// Plans one space after the other; starts from a greedy plan, which stays where the search finds nothing.
class MinimallocRun {
 public:
  MinimallocRun(const Problem& problem, const SearchRules& rules, std::optional<std::int64_t> nodes, bool minimize,
                RunContext& context)
      : problem_(problem), rules_(rules), nodes_(nodes), minimize_(minimize), context_(context) {}

  Result<RunResult> run() {
    if (context_.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
    auto greedy = greedy_plan(problem_, context_);
    if (!greedy) return tl::unexpected(greedy.error());
    plan_.offsets = std::move(*greedy);
    result_.iterations = 0;
    for (std::size_t s = 0; s < problem_.spaces().size(); ++s) {
      plan_space(static_cast<std::uint16_t>(s));
      context_.report(static_cast<double>(s + 1) / static_cast<double>(problem_.spaces().size() + 1));
    }
    if (search_) result_.iterations = search_->backtracks();
    say_plan();
    context_.report(1);
    result_.lower_bound = bound_;
    if (infeasible_) {
      result_.status = RunStatus::kProvedInfeasible;
    } else if (stopped_) {
      result_.status = RunStatus::kStopped;
    } else if (makespan_ == bound_) {
      result_.status = RunStatus::kProvedOptimal;
    }
    result_.offsets = std::move(plan_.offsets);
    return std::move(result_);
  }

 private:
  void plan_space(std::uint16_t space) {
    const std::optional<std::int64_t> capacity = problem_.capacity(space);
    proved_ = 0;
    unit_ = offset_unit(problem_, space);
    bool exhausted = false;
    prove(lower_bound(problem_, space));
    if (capacity && !minimize_) {
      const SearchEnd end = find(space, *capacity, budget(kForCapacity));
      if (end == SearchEnd::kStopped) stopped_ = true;
      exhausted = end == SearchEnd::kExhausted;
    } else {
      minimize(space, capacity);
    }
    const std::int64_t makespan = makespan_of_space(problem_, plan_, space);
    makespan_ = std::max(makespan_, makespan);
    bound_ = std::max(bound_, std::min(proved_, makespan));
    if (!capacity) return;
    if (proved_ > *capacity) {
      infeasible_ = true;
    } else if (makespan > *capacity && !exhausted) {
      stopped_ = true;  // an exhausted search is complete, even where it proves nothing
    }
  }

  /// No plan of the space is lower than this, and the lowest is a multiple of the unit.
  void prove(std::int64_t bound) { proved_ = std::max(proved_, align_up(bound, unit_)); }

  /// minimalloc's binary search; without a capacity between the bound and the greedy plan instead of from 0 on, and
  /// only where the lowest plan can end.
  void minimize(std::uint16_t space, std::optional<std::int64_t> capacity) {
    std::int64_t low = capacity ? 0 : proved_;
    const std::int64_t stride = capacity ? 1 : unit_;
    std::int64_t high = capacity ? *capacity : makespan_of_space(problem_, plan_, space) - stride;
    std::int64_t nodes = budget(kForLowest);
    while (low <= high && nodes > 0 && !context_.should_stop()) {
      const std::int64_t middle = low + (high - low) / 2 / stride * stride;
      if (middle < proved_) {
        low = middle + stride;
        continue;
      }
      const std::int64_t share = nodes_ || context_.deadline ? nodes : nodes / 3;
      const std::int64_t before = search_ ? search_->nodes() : 0;
      const SearchEnd end = find(space, middle, share);
      if (!search_) return;
      nodes -= search_->nodes() - before;
      if (end == SearchEnd::kFound) {
        high = makespan_of_space(problem_, plan_, space) - stride;
        if (context_.records()) context_.say(Step{step::Incumbent{high + stride}, {}});
      } else {
        low = middle + stride;
        if (end == SearchEnd::kStopped) stopped_ = true;
      }
    }
  }

  std::int64_t budget(const Effort& effort) const {
    if (nodes_) return *nodes_;
    if (context_.deadline) return kNoLimit;
    return std::min(effort.nodes, effort.looks / std::max<std::int64_t>(1, static_cast<std::int64_t>(problem_.size())));
  }

  /// Asks for a plan under a capacity and keeps it; what was exhausted is proved.
  SearchEnd find(std::uint16_t space, std::int64_t capacity, std::int64_t nodes) {
    if (!search_ && !start_search(nodes)) return SearchEnd::kOutOfNodes;
    if (context_.records()) {
      context_.say(
          Step{step::Phase{fmt::format("space {} under {} bytes", problem_.spaces()[space].id, capacity)}, {}});
    }
    const SearchEnd end = search_->run(space, capacity, nodes, context_);
    if (end == SearchEnd::kFound) {
      for (BufferIndex i = 0; i < problem_.size(); ++i) {
        if (search_->offsets()[i] != kNoOffset) plan_.offsets[i] = search_->offsets()[i];
      }
    } else if (end == SearchEnd::kExhausted && search_->proves()) {
      prove(checked_add(capacity, 1).value_or(capacity));
      if (context_.records()) context_.say(Step{step::Bound{proved_}, "everything was tried"});
      const std::span<const BufferIndex> set = search_->exhausted();
      result_.infeasible_set.assign(set.begin(), set.end());
    }
    return end;
  }

  /// False when it would be hopeless: a single dive takes a node for each buffer.
  bool start_search(std::int64_t nodes) {
    if (nodes < static_cast<std::int64_t>(problem_.size()) && !nodes_) return false;
    std::int64_t conflicts = 0;
    for (const std::int64_t count : conflict_counts(problem_)) conflicts += count;
    if (conflicts > kMostConflicts) return false;
    search_.emplace(problem_, rules_);
    return true;
  }

  void say_plan() {
    if (!context_.records()) return;
    context_.say(Step{step::Phase{"the plan"}, tells(context_) ? "" : "the search went on longer than it is told"});
    for (BufferIndex i = 0; i < problem_.size(); ++i) context_.say(Step{step::Place{i, plan_.offsets[i]}, {}});
  }

  const Problem& problem_;
  const SearchRules& rules_;
  std::optional<std::int64_t> nodes_;
  bool minimize_;
  RunContext& context_;
  std::optional<CapacitySearch> search_;
  Plan plan_;
  RunResult result_;
  std::int64_t unit_ = 1;    // of the space at hand, as is:
  std::int64_t proved_ = 0;  // no plan of the space at hand is lower
  std::int64_t bound_ = 0;
  std::int64_t makespan_ = 0;
  bool infeasible_ = false;
  bool stopped_ = false;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  SearchRules rules;
  for (const Switch& s : kSwitches) rules.*s.rule = params.at(s.key) == "true";
  auto orders = parse_orders(params.at("order"));
  if (!orders) return tl::unexpected(orders.error());
  rules.orders = std::move(*orders);
  const auto nodes = parse_nodes(params.at("nodes"));
  if (!nodes) return tl::unexpected(nodes.error());
  return MinimallocRun(problem, rules, *nodes, params.at("minimize-capacity") == "true", context).run();
}

}  // namespace

std::vector<Allocator> minimalloc_allocators() {
  Allocator allocator;
  allocator.id = "minimalloc";
  allocator.title = "MiniMalloc";
  allocator.summary =
      "Exact search for a plan under the capacity, with strong pruning; without a capacity for the lowest plan.";
  allocator.source = "Moffitt, MiniMalloc, ASPLOS 2023; google/minimalloc src/solver.cc";
  for (const Switch& s : kSwitches) allocator.params.push_back({s.key, s.summary, "true", {"true", "false"}, true});
  allocator.params.push_back({"minimize-capacity",
                              "search for the lowest plan even when a capacity is given",
                              "false",
                              {"true", "false"},
                              true});
  allocator.params.push_back({"order",
                              "how buffers are ranked: letters compared in turn, larger first (A area, C sections, L "
                              "start, O conflicts, T load, U end, W lifetime, Z size); several orders take turns",
                              "WAT,TAW,TWA",
                              {"WAT,TAW,TWA", "WAT", "TAW", "TWA"},
                              false});
  allocator.params.push_back({"nodes",
                              "how many nodes to visit at most; auto: until the time limit, or about a second's worth",
                              "auto",
                              {"auto"},
                              false});
  allocator.can.exact = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
