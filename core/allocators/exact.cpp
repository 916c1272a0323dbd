#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/allocators/partition_run.h"
#include "core/allocators/registry.h"
#include "core/allocators/threads_param.h"

namespace stowage {
namespace {

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
  const Result<unsigned> threads = parse_threads(params.at(kThreadsKey));
  if (!threads) return tl::unexpected(threads.error());
  if (problem.has_gaps()) return run_among_gaps(problem, params, context);
  EngineRules rules;
  rules.minimize = params.at("minimize") == "true";
  rules.greedy = false;
  rules.nodes = *nodes;
  rules.threads = *threads;
  return PartitionRun(problem, rules, context).run();
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
       "how many states to visit at most; auto: until the time limit, or some seconds' worth",
       "auto",
       {"auto"},
       false},
      threads_param(),
  };
  allocator.can.exact = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
