#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/partition_run.h"
#include "core/allocators/portfolio.h"
#include "core/allocators/registry.h"
#include "core/allocators/threads_param.h"
#include "core/allocators/told_plan.h"

namespace stowage {
namespace {

/// A search that knows constraints which the engine does not, with as much effort as everybody can wait for.
struct Member {
  std::string_view id;
  std::size_t up_to = 0;  // buffers
  std::string_view key;
  std::string_view value;
};
constexpr std::array<Member, 2> kMembers = {{
    {"minimalloc", 300, "nodes", "20000"},
    {"hill-climb", 2'000, "iterations", "3000"},
}};

bool honours(const Allocator& allocator, const Needs& needs) {
  const Capabilities& can = allocator.can;
  return (can.gaps || !needs.gaps) && (can.conflict_edges || !needs.conflict_edges) && (can.clocks || !needs.clocks) &&
         (can.colocation || !needs.colocation) && (can.groups || !needs.groups) &&
         (can.candidates || !needs.candidates) && (can.alignment || !needs.alignment) &&
         (can.fixed_offsets || !needs.fixed_offsets);
}

/// Greedy plans, and then the members that honour what the problem needs, as long as there is room below.
class MemberRun {
 public:
  MemberRun(const Problem& problem, RunContext& context) : problem_(problem), context_(context) {}

  Result<RunResult> run() {
    bound_ = makespan_bound(problem_);
    if (context_.records()) context_.say(Step{step::Bound{bound_}, "the load, or where the highest pin ends"});
    Result<GreedyPlan> greedy = best_greedy_plan(problem_, greedy_attempts(), bound_, context_, 0.3);
    if (!greedy) return tl::unexpected(greedy.error());
    best_ = std::move(greedy->result);
    makespan_ = greedy->makespan;
    for (const Member& member : kMembers) ask(member);
    best_.lower_bound = bound_;
    if (makespan_ == bound_) {
      best_.status = RunStatus::kProvedOptimal;
    } else if (context_.should_stop()) {
      best_.status = RunStatus::kStopped;
    }
    tell_plan(problem_, best_.offsets, context_);
    context_.report(1);
    return std::move(best_);
  }

 private:
  void ask(const Member& member) {
    const Allocator* allocator = find_allocator(member.id);
    if (makespan_ <= bound_ || problem_.size() > member.up_to || !honours(*allocator, problem_.needs())) return;
    if (context_.should_stop()) return;
    if (context_.records()) context_.say(Step{step::Phase{fmt::format("{}", member.id)}, {}});
    RunContext silent;
    silent.stop = context_.stop;
    silent.deadline = context_.deadline;
    silent.seed = context_.seed;
    const ParamValues params = {{std::string(member.key), std::string(member.value)}};
    auto run = run_allocator(*allocator, problem_, params, silent);
    if (!run) return;
    RunResult& result = run->result;
    result.offsets = std::move(run->plan.offsets);
    if (result.lower_bound) bound_ = std::max(bound_, *result.lower_bound);
    const std::int64_t makespan = makespan_of(problem_, result);
    if (makespan >= makespan_) return;
    makespan_ = makespan;
    best_ = std::move(result);
    best_.status = RunStatus::kComplete;
    if (context_.records()) context_.say(Step{step::Incumbent{makespan_}, {}});
  }

  const Problem& problem_;
  RunContext& context_;
  std::int64_t bound_ = 0;
  std::int64_t makespan_ = 0;
  RunResult best_;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const Result<unsigned> threads = parse_threads(params.at(kThreadsKey));
  if (!threads) return tl::unexpected(threads.error());
  if (!suits_engine(problem)) return MemberRun(problem, context).run();
  EngineRules rules;
  rules.threads = *threads;
  for (const auto& [name, part] : kEngineParts) {
    if (params.at("without") == name) rules.without = part;
  }
  return PartitionRun(problem, rules, context).run();
}

}  // namespace

std::vector<Allocator> best_allocators() {
  Allocator allocator;
  allocator.id = "best";
  allocator.title = "Best";
  allocator.summary =
      "Everything that pays: greedy passes under a hard capacity, the fullest stretches solved exactly, and exact "
      "search "
      "until the lowest plan is proved or the time is up.";
  allocator.source = "the engine of this program: niche search, core first, window repair";
  std::vector<std::string> parts;
  for (const auto& named : kEngineParts) parts.emplace_back(named.first);
  const ParamSpec without =
      choice_param("without", "leaves out a part of the engine, to see what it buys", std::move(parts));
  allocator.params = {threads_param(), without};
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.can.candidates = true;
  allocator.can.exact = true;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
