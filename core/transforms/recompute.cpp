#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/param_values.h"
#include "core/transforms/program.h"
#include "core/transforms/recompute_policies.h"
#include "core/transforms/registry.h"
#include "core/transforms/rewriter.h"

namespace stowage {
namespace {

constexpr std::int64_t kMostCount = 1'000'000;

Result<CutChoice> choice_of(const ParamValues& params) {
  const std::string& name = params.at("candidates");
  if (name == "separators") return CutChoice::kSeparators;
  if (name == "all") return CutChoice::kAll;
  return CutChoice::kNarrow;
}

/// Where no budget is given: as much as the square root of all checkpoints needs.
Result<std::int64_t> budget_or_default(const RecomputeTask& task, std::optional<std::int64_t> given) {
  if (given) return *given;
  const auto plan = recompute_every_k(task, 0);
  if (!plan) return tl::unexpected(plan.error());
  return peak_of(task.graph, plan->program);
}

/// Wrong numbers are told before the graph is looked at.
Result<void> check_numbers(const ParamValues& params) {
  if (const auto budget = optional_bytes(params, "budget", "recompute"); !budget) return tl::unexpected(budget.error());
  for (const char* const key : {"k", "checkpoints"}) {
    if (const auto n = count_param(params, key, 0, kMostCount, "recompute"); !n) return tl::unexpected(n.error());
  }
  return {};
}

Result<RecomputePlan> plan_of(const RecomputeTask& task, const ParamValues& params) {
  const std::string& policy = params.at("policy");
  const auto budget = optional_bytes(params, "budget", "recompute");
  const auto k = count_param(params, "k", 0, kMostCount, "recompute");
  const auto checkpoints = count_param(params, "checkpoints", 0, kMostCount, "recompute");
  if (!budget) return tl::unexpected(budget.error());
  if (!k) return tl::unexpected(k.error());
  if (!checkpoints) return tl::unexpected(checkpoints.error());
  if (policy == "every-k") return recompute_every_k(task, *k > 0 ? static_cast<std::size_t>(*k) : 2);
  if (policy == "sqrt") return recompute_every_k(task, 0);
  if (policy == "budget") return recompute_by_budget(task, *budget);
  if (policy == "recursive") return recompute_recursively(task, *k > 0 ? static_cast<std::size_t>(*k) : 1);
  if (policy == "revolve") return recompute_revolve(task, static_cast<std::size_t>(*checkpoints));
  if (policy == "selective") return recompute_attention(task);
  const auto within = budget_or_default(task, *budget);
  if (!within) return tl::unexpected(within.error());
  if (policy == "optimal-chain") return recompute_optimal_chain(task, *within);
  return recompute_online(task, *within, *dtr_heuristic(params.at("heuristic")));
}

/// What became of each forward value that the way back reads.
void explain(const Staged& staged, const TrainingParts& parts, const Program& program, TransformReport& report,
             const RunContext& context) {
  const Graph& graph = staged.graph;
  std::vector<std::uint32_t> runs(graph.ops().size(), 0);
  for (const OpIndex n : program) {
    if (++runs[n] == 1) continue;
    ++report.extra_ops;
    report.extra_flops += graph.op(n).flops;
    report.extra_time += graph.op(n).duration;
  }
  for (const OpIndex n : parts.forward) {
    for (const TensorIndex t : graph.op(n).out) {
      if (parts.repeatable[n] == 0 && parts.read_by_rest[t] != 0) {
        report.remarks.push_back(
            {Remark::Kind::kRefused, n, t,
             fmt::format("{}: stays, since {} may not run twice", graph.tensor(t).id, graph.op(n).id)});
      }
      if (parts.read_by_rest[t] == 0 && runs[n] == 1) continue;
      const std::string what =
          runs[n] == 1
              ? fmt::format("{}: kept until the way back has read it", graph.tensor(t).id)
              : fmt::format("{}: given up after its forward readers, made {} by {}", graph.tensor(t).id,
                            runs[n] == 2 ? "again" : fmt::format("{} times more", runs[n] - 1), graph.op(n).id);
      report.remarks.push_back({runs[n] == 1 ? Remark::Kind::kNote : Remark::Kind::kDone, n, t, what});
      context.say({step::Consider{t}, what});
    }
  }
}

/// A value that is made again needs what it is made of once more: that can cost more than giving it up saves.
void tell_rise(const Staged& staged, const Program& program, TransformReport& report, const RunContext& context) {
  const std::int64_t before = peak_of(staged.graph, staged.schedule.order);
  const std::int64_t after = peak_of(staged.graph, program);
  if (after <= before) return;
  std::string text = fmt::format("raises the load from {} to {}: keeping everything needs less", format_bytes(before),
                                 format_bytes(after));
  context.say({step::Note{text}, ""});
  report.remarks.push_back({Remark::Kind::kRefused, kNoOp, kNoTensor, std::move(text)});
}

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  if (const auto sound = check_numbers(params); !sound) return tl::unexpected(sound.error());
  const auto choice = choice_of(params);
  if (!choice) return tl::unexpected(choice.error());
  if (const auto early = refuse_after_sharing(staged, "recompute"); !early) return tl::unexpected(early.error());
  const auto parts = find_training_parts(staged, "recompute");
  if (!parts) return tl::unexpected(parts.error());
  context.say({step::Phase{fmt::format("recompute: {}", params.at("policy"))}, ""});
  const auto plan =
      plan_of({staged, staged.graph, *parts, *choice, context, params.at("measure") == "storages"}, params);
  if (!plan) return tl::unexpected(plan.error());
  if (const auto sound = check_program(staged.graph, plan->program); !sound) return tl::unexpected(sound.error());

  Transformed result;
  for (const std::string& note : plan->notes) {
    result.report.remarks.push_back({Remark::Kind::kNote, kNoOp, kNoTensor, note});
    context.say({step::Note{note}, ""});
  }
  explain(staged, *parts, plan->program, result.report, context);
  if (result.report.extra_ops == 0) {
    result.staged = staged;
    return result;
  }
  tell_rise(staged, plan->program, result.report, context);
  auto rewritten = rewrite(staged, plan->program);
  if (!rewritten) return tl::unexpected(rewritten.error());
  result.staged = std::move(*rewritten);
  return result;
}

}  // namespace

Transform recompute_transform() {
  Transform transform;
  transform.id = "recompute";
  transform.title = "Recompute";
  transform.summary =
      "Gives up forward values after their forward readers and makes them again when the way back reads them: less "
      "memory for more work.";
  transform.source =
      "Chen et al., arXiv 1604.06174; Griewank and Walther, TOMS 2000; Kirisame et al., ICLR 2021; Korthikanti et al. "
      "2022";
  transform.params = {
      {"policy",
       "what is kept: every k-th checkpoint, as many as the square root, Chen's budget walk, checkpoints inside of "
       "checkpoints, binomial checkpoints, the optimum of a chain, online eviction, all but the inside of attention",
       "sqrt",
       {"every-k", "sqrt", "budget", "recursive", "revolve", "optimal-chain", "dtr", "selective"},
       true},
      {"candidates",
       "where one may start again: where few values cross, where a single one does, behind every op",
       "narrow",
       {"narrow", "separators", "all"},
       true},
      {"k", "every-k: keep each k-th place (0: 2); recursive: checkpoints a level (0: 1)", "0", {}, false},
      {"budget",
       "budget: bytes between checkpoints, empty: search for the least peak; optimal-chain, dtr: the peak, empty: as "
       "much as sqrt needs",
       "",
       {},
       false},
      {"measure",
       "budget: what the search makes small: the load, or the sum of storages by NNVM's rules",
       "load",
       {"load", "storages"},
       true},
      {"checkpoints",
       "revolve: entries of stages stored at once, the inputs among them; 0: the square root",
       "0",
       {},
       false},
      {"heuristic", "dtr: who is evicted first", "dtr", {"dtr", "dtr-eq", "local", "lru", "largest", "msps"}, true},
  };
  transform.run = run;
  return transform;
}

}  // namespace stowage
