// What each transform costs, and chains of them with a plan: transform_bench [BATCH] [NETWORK]... ["STAGE STAGE"]...
// Milliseconds of CPU, the best of three runs; without names the training graphs of ResNet-152 and ResNet-1001, without
// stages (as in "in-place sharing:policy=ort") each transform with each policy, and chains.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/base/text.h"
#include "core/graph/lower.h"
#include "core/model/metrics.h"
#include "core/networks/network.h"
#include "core/transforms/pipeline.h"

using namespace stowage;

namespace {

double cpu_ms() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

constexpr std::chrono::seconds kMostForPlan{30};  // of wall time: a busy machine gives little of it

/// The stages, the lowering and a plan without search; the time of each, and how it ended.
struct Timed {
  double transforms = 1e300;
  double lowering = 1e300;
  double plan = 1e300;
  std::string end;
};

Timed timed(const Staged& first, const std::vector<PipelineStage>& stages) {
  Timed timed;
  for (int k = 0; k < 3; ++k) {
    RunContext context;
    double began = cpu_ms();
    const auto results = run_pipeline(first, stages, context);
    double ended = cpu_ms();
    timed.transforms = std::min(timed.transforms, ended - began);
    if (!results) {
      timed.end = results.error().message.substr(0, 60);
      return timed;
    }
    const Staged& last = results->empty() ? first : results->back().after;
    began = cpu_ms();
    const auto lowered = lower(last, LowerOptions{});
    ended = cpu_ms();
    timed.lowering = std::min(timed.lowering, ended - began);
    if (!lowered) {
      timed.end = lowered.error().message.substr(0, 60);
      return timed;
    }
    context.deadline = std::chrono::steady_clock::now() + kMostForPlan;
    began = cpu_ms();
    const auto run = run_allocator(*find_allocator("fast"), lowered->problem, {}, context);
    ended = cpu_ms();
    timed.plan = std::min(timed.plan, ended - began);
    timed.end = fmt::format("{} ops, load {}", format_count(static_cast<std::int64_t>(last.graph.ops().size())),
                            format_bytes(measure(lowered->problem).load));
    if (!run) timed.end = run.error().message.substr(0, 60);
    if (run && run->result.status == RunStatus::kStopped) timed.end += ", stopped";
    if (timed.transforms + timed.plan > 1'000) break;
  }
  return timed;
}

/// "in-place sharing:policy=ort,in-place=off": the stages of a pipeline.
std::vector<PipelineStage> stages_of(const std::string& text) {
  std::vector<PipelineStage> stages;
  for (const std::string& word : split(text, ' ')) {
    const std::size_t colon = word.find(':');
    PipelineStage stage{word.substr(0, colon), true, {}};
    if (colon != std::string::npos) {
      for (const std::string& param : split(word.substr(colon + 1), ',')) {
        const std::size_t equals = param.find('=');
        stage.params[param.substr(0, equals)] = param.substr(equals + 1);
      }
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

constexpr std::string_view kPipelines[] = {
    "in-place",
    "sharing:policy=tags",
    "sharing:policy=nnvm",
    "sharing:policy=nnvm,match-range=auto",
    "sharing:policy=nnvm,colours=4",
    "sharing:policy=nnvm,control-edges=on",
    "sharing:policy=mxnet",
    "sharing:policy=tvm-relay",
    "sharing:policy=tvm-relax",
    "sharing:policy=ort",
    "sharing:policy=inductor",
    "optimizer",
    "fusion:rule=per-tensor",
    "fusion:rule=ddp",
    "fusion:rule=horovod",
    "fusion:rule=megatron",
    "fusion:rule=ddp,buffer=copy",
    "contiguous-weights",
    "gradient-buckets",
    "communication-lists",
    "double-ended",
    "recompute:policy=every-k",
    "recompute:policy=sqrt",
    "recompute:policy=sqrt,candidates=all",
    "recompute:policy=budget",
    "recompute:policy=budget,measure=storages",
    "recompute:policy=recursive",
    "recompute:policy=revolve",
    "recompute:policy=optimal-chain",
    "recompute:policy=dtr",
    "recompute:policy=dtr,heuristic=dtr-eq",
    "recompute:policy=dtr,heuristic=local",
    "recompute:policy=dtr,heuristic=msps",
    "swap:policy=all",
    "swap:policy=all,stall=allow",
    "swap:policy=conv-only",
    "swap:policy=farthest-next-use,capacity=4GB",
    "swap:policy=free-time",
    "swap:policy=free-time,prefetch=earliest",
    "swap:policy=free-time,stall=allow,prefetch=on-demand",
    "compression",
    "compression:reduced=fp16",
    "in-place sharing",
    "optimizer in-place sharing",
    "optimizer in-place sharing gradient-buckets",
    "recompute in-place sharing",
    "compression in-place sharing",
    "swap in-place sharing",
    "optimizer recompute compression swap in-place sharing double-ended",
};

}  // namespace

int main(int count, char** words) {
  const std::string batch = count > 1 ? words[1] : "32";
  std::vector<std::string> names;
  std::vector<std::string> pipelines;
  for (int k = 2; k < count; ++k) (find_network(words[k]) != nullptr ? names : pipelines).emplace_back(words[k]);
  if (names.empty()) names = {"resnet152", "resnet1001"};
  if (pipelines.empty()) pipelines.assign(std::begin(kPipelines), std::end(kPipelines));
  for (const std::string& name : names) {
    const Network* network = find_network(name);
    double began = cpu_ms();
    auto graph = generate_network(*network, {{"batch", batch}, {"training", "yes"}});
    if (!graph) {
      fmt::print(stderr, "{}\n", graph.error().message);
      return 2;
    }
    const double generated = cpu_ms() - began;
    began = cpu_ms();
    const auto first = stage(std::move(*graph));
    if (!first) {
      fmt::print(stderr, "{}\n", first.error().message);
      return 2;
    }
    fmt::print("{}: {} ops; generated in {:.1f} ms, ordered in {:.1f} ms\n", name,
               format_count(static_cast<std::int64_t>(first->graph.ops().size())), generated, cpu_ms() - began);
    fmt::print("{:<68} {:>10} {:>8} {:>8}  ms\n", "", "transforms", "lowering", "plan");
    for (const std::string& pipeline : pipelines) {
      const Timed result = timed(*first, stages_of(pipeline));
      const auto shown = [](double ms) {
        return ms > 1e200 ? std::string("-") : fmt::format("{:.1f}", ms);
      };
      fmt::print("{:<68} {:>10} {:>8} {:>8}  {}\n", pipeline, shown(result.transforms), shown(result.lowering),
                 shown(result.plan), result.end);
      std::fflush(stdout);
    }
  }
  return 0;
}
