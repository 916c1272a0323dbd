// SOMAS on graphs: ancestors, the reuse matrix, and the solutions of its solver.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/graph/ancestors.h"
#include "core/transforms/reuse.h"
#include "tests/conform/sharing_cases.h"
#include "tests/support/conformance_graph.h"

namespace stowage::conform {
namespace {

const std::map<std::string, std::string>& strategies() {
  static const std::map<std::string, std::string> kStrategies = {
      {"shared_best", "shared objects, largest first, best fit"},
      {"shared_smallest", "shared objects, largest first, lowest fit"},
      {"single_best", "single object, largest first, best fit"},
      {"single_smallest", "single object, largest first, lowest fit"},
  };
  return kStrategies;
}

/// The plan of each strategy, as the steps of the allocator tell it.
Result<std::map<std::string, json>> solve(const Staged& staged) {
  const auto lowered = lower(staged, {});
  if (!lowered) return tl::unexpected(lowered.error());
  const Problem& problem = lowered->problem;
  StepLog steps;
  RunContext context;
  context.steps = &steps;
  const auto run = run_allocator(*find_allocator("somas"), problem, {}, context);
  if (!run) return tl::unexpected(run.error());
  std::map<std::string, json> plans;
  std::string phase;
  for (const Step& step : steps.steps()) {
    if (const auto* begin = std::get_if<step::Phase>(&step.fact)) phase = begin->name;
    const auto* place = std::get_if<step::Place>(&step.fact);
    if (place == nullptr) continue;
    plans[phase][std::string(problem.id(place->buffer))] = place->offset;
  }
  return plans;
}

json ancestors_of(const Staged& staged, const json& wanted) {
  const Ancestors ancestors(staged.graph, staged.schedule);
  json found = json::object();
  for (const auto& [id, list] : wanted.items()) {
    const OpIndex n = staged.graph.find_op(id);
    found[id] = json::array();
    for (OpIndex a = 0; a < staged.graph.ops().size(); ++a) {
      if (ancestors.before(a, n)) found[id].push_back(staged.graph.op(a).id);
    }
  }
  return found;
}

json reusable_pairs(const Staged& staged) {
  const ReuseMatrix reuse(staged);
  json pairs = json::array();
  for (TensorIndex a = 0; a < staged.graph.tensors().size(); ++a) {
    for (TensorIndex b = a + 1; b < staged.graph.tensors().size(); ++b) {
      if (reuse.may_share(a, b)) pairs.push_back({staged.graph.tensor(a).id, staged.graph.tensor(b).id});
    }
  }
  return pairs;
}

Verdict solutions(const Staged& staged, const json& expected) {
  const auto plans = solve(staged);
  if (!plans) return Verdict::failed(plans.error().message);
  for (const auto& [name, solution] : expected.items()) {
    if (!strategies().contains(name)) return Verdict::not_expressible(fmt::format("unknown solution '{}'", name));
    const auto plan = plans->find(strategies().at(name));
    if (plan == plans->end()) return Verdict::failed(fmt::format("there is no solution {}", name));
    std::int64_t peak = 0;
    for (const auto& [id, offset] : plan->second.items()) {
      peak = std::max(peak, offset.get<std::int64_t>() + *staged.graph.tensor(staged.graph.find_tensor(id)).bytes);
    }
    for (const auto& [key, value] : solution.items()) {
      if (key != "peak" && key != "offsets") return Verdict::not_expressible(fmt::format("unknown key '{}'", key));
      const Verdict verdict = expect(name + "." + key, value, key == "peak" ? json(peak) : plan->second);
      if (!verdict.is_held()) return verdict;
    }
  }
  return Verdict::held();
}

}  // namespace

std::optional<Verdict> judge_somas(const json& from) {
  const json graph = from.value("graph", json());
  if (!graph.is_object() || !graph.contains("tensors")) return std::nullopt;
  const auto staged = testing::ConformanceGraph(graph).read();
  if (!staged) return Verdict::not_expressible(staged.error().message);
  for (const auto& [key, value] : from["expected"].items()) {
    Verdict verdict = Verdict::not_expressible(fmt::format("unknown key '{}' in expected", key));
    if (key == "ancestors") verdict = expect(key, value, ancestors_of(*staged, value));
    if (key == "reusable_pairs") verdict = expect(key, value, reusable_pairs(*staged));
    if (key == "solutions") verdict = solutions(*staged, value);
    if (!verdict.is_held()) return verdict;
  }
  return Verdict::held();
}

}  // namespace stowage::conform
