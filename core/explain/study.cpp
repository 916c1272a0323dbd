#include "core/explain/study.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/graph/lower.h"
#include "core/model/load.h"
#include "core/networks/network.h"
#include "core/transforms/pipeline.h"
#include "core/transforms/storage_policy.h"
#include "core/transforms/training_parts.h"

namespace stowage {
namespace {

PipelineStage stage_of(std::string transform, ParamValues params) {
  PipelineStage stage;
  stage.transform = std::move(transform);
  stage.params = std::move(params);
  return stage;
}

Result<Staged> training(const std::string& id, ParamValues params) {
  const Network* network = find_network(id);
  if (network == nullptr) return usage_error(fmt::format("there is no network '{}'; see `stowage list networks`", id));
  const auto has = [&](std::string_view key) {
    return std::any_of(network->params.begin(), network->params.end(),
                       [&](const ParamSpec& spec) { return spec.key == key; });
  };
  if (!has("training")) return usage_error(fmt::format("{} has no training, so nothing to compare", id));
  params["training"] = "yes";
  if (has("granularity")) params["granularity"] = "separate";
  auto graph = generate_network(*network, params);
  if (!graph) return tl::unexpected(graph.error());
  // Weight gradients belong to the optimizer, whatever the planner does; published comparisons leave them out.
  GraphInput input = graph->input();
  for (Tensor& tensor : input.tensors) {
    if (tensor.kind != TensorKind::kWeightGradient) continue;
    tensor.shape.reset();
    tensor.bytes = 0;
  }
  auto counted = make_graph(std::move(input));
  if (!counted) return input_error(fmt::format("{}: {}", id, counted.error().front().message));
  return stage(std::move(*counted));
}

double time_of(const Staged& staged) {
  double time = 0;
  for (const Op& op : staged.graph.ops()) time += op.duration;
  return time;
}

/// One way of working: a curve's name, the stages it takes and how its memory is counted.
struct Way {
  std::string name;
  std::vector<PipelineStage> stages;
  std::function<Result<std::int64_t>(const Staged&, RunContext&)> bytes;
};

Result<std::int64_t> load_bytes(const Staged& staged, RunContext&) {
  LowerOptions options;
  options.streams = false;  // one order of the ops, as it was timed
  const auto lowered = lower(staged, options);
  if (!lowered) return tl::unexpected(lowered.error());
  return load(lowered->problem, 0);
}

/// All storages by the rules of NNVM, with some of them switched off.
Way planner(std::string name, bool in_place, bool sharing, std::vector<PipelineStage> stages = {}) {
  StoragePolicy policy = *storage_policy("nnvm");
  if (!in_place) policy.in_place = InPlaceTest::kNever;
  if (!sharing) policy.range = 0;
  const auto bytes = [policy](const Staged& staged, RunContext& context) -> Result<std::int64_t> {
    TransformReport report;
    Teller teller(staged, context, report);
    const auto run = plan_storages(staged, Entries(staged), policy, context, teller);
    if (!run) return tl::unexpected(run.error());
    return run->plan.total();
  };
  return {std::move(name), std::move(stages), bytes};
}

std::vector<Way> planner_ways() {
  return {planner("none", false, false), planner("in-place", true, false), planner("sharing", false, true),
          planner("both", true, true),
          planner("sublinear", true, true, {stage_of("recompute", {{"policy", "budget"}, {"measure", "storages"}})})};
}

Way loaded(std::string name, std::vector<PipelineStage> stages = {}) {
  return {std::move(name), std::move(stages), load_bytes};
}

class StudyRun {
 public:
  StudyRun(const StudyOptions& options, RunContext& context) : options_(options), context_(context) {}

  Result<Study> run(const StudyKind& kind) {
    study_.id = kind.id;
    study_.title = kind.title;
    const auto done = kind.id == "resnet-depth"  ? resnet_depth()
                      : kind.id == "lstm-length" ? lstm_length()
                      : kind.id == "batch"       ? batch()
                      : kind.id == "checkpoints" ? checkpoints()
                                                 : bandwidth();
    if (!done) return tl::unexpected(done.error());
    return std::move(study_);
  }

 private:
  std::string batch_or(std::int64_t otherwise) const { return std::to_string(options_.batch.value_or(otherwise)); }

  StudyCurve& curve(const std::string& name) {
    for (StudyCurve& known : study_.curves) {
      if (known.name == name) return known;
    }
    study_.curves.push_back({name, {}, {}});
    return study_.curves.back();
  }

  /// Adds a point to each way's curve.
  Result<void> measure(double place, const Staged& staged, const std::vector<Way>& ways) {
    study_.places.push_back(place);
    const double before = std::max(time_of(staged), 1e-9);
    for (const Way& way : ways) {
      if (context_.should_stop()) return fail(Error::Kind::kCancelled, "study: stopped");
      RunContext quiet = context_;
      quiet.steps = nullptr;
      const auto results = run_pipeline(staged, way.stages, quiet);
      if (!results) return tl::unexpected(results.error());
      double extra = 0;
      for (const StageResult& result : *results) extra += result.report.extra_time;
      const auto bytes = way.bytes(results->empty() ? staged : results->back().after, quiet);
      if (!bytes) return tl::unexpected(bytes.error());
      StudyCurve& of = curve(way.name);
      of.memory.push_back(*bytes);
      of.extra_work.push_back(extra / before);
    }
    context_.report(0);
    return {};
  }

  Result<void> resnet_depth() {
    study_.axis = "layers";
    study_.logarithmic = true;
    study_.note =
        fmt::format("training, batch {}, 224 x 224, float32; storages of values and their gradients", batch_or(32));
    for (const int depth : {50, 101, 152, 200, 1001}) {
      const auto staged = training(fmt::format("resnet{}", depth), {{"batch", batch_or(32)}});
      if (!staged) return tl::unexpected(staged.error());
      if (const auto done = measure(depth, *staged, planner_ways()); !done) return done;
    }
    return {};
  }

  Result<void> lstm_length() {
    study_.axis = "steps of the sequence";
    study_.logarithmic = true;
    study_.note =
        fmt::format("training, 4 layers of 1024, batch {}, a loss at each step; storages of values and their gradients",
                    batch_or(64));
    for (const int steps : {64, 128, 256, 512}) {
      const auto staged = training("lstm", {{"batch", batch_or(64)}, {"seq", std::to_string(steps)}});
      if (!staged) return tl::unexpected(staged.error());
      if (const auto done = measure(steps, *staged, planner_ways()); !done) return done;
    }
    return {};
  }

  Result<void> batch() {
    study_.axis = "batch";
    study_.logarithmic = true;
    study_.note = fmt::format("{}, training; storages of values and their gradients", options_.network);
    for (const int size : {1, 2, 4, 8, 16, 32, 64}) {
      const auto staged = training(options_.network, {{"batch", std::to_string(size)}});
      if (!staged) return tl::unexpected(staged.error());
      if (const auto done = measure(size, *staged, planner_ways()); !done) return done;
    }
    return {};
  }

  Result<void> checkpoints() {
    study_.axis = "checkpoints stored at once";
    study_.logarithmic = true;
    study_.note =
        fmt::format("{}, training, batch {}; load of activations and gradients", options_.network, batch_or(32));
    const auto staged = training(options_.network, {{"batch", batch_or(32)}});
    if (!staged) return tl::unexpected(staged.error());
    const auto parts = find_training_parts(*staged, "study");
    if (!parts) return tl::unexpected(parts.error());
    const std::size_t places = find_cuts(staged->graph, *parts, CutChoice::kNarrow).at.size();
    std::size_t last = 0;
    for (std::size_t stored = 2; stored <= places; stored = std::max(stored + 1, stored * 3 / 2)) {
      const std::size_t every = std::max<std::size_t>(1, places / stored);
      if (places / every == last) continue;
      last = places / every;
      const std::vector<Way> ways = {
          loaded("keep all"),
          loaded("one level", {stage_of("recompute", {{"policy", "every-k"}, {"k", std::to_string(every)}})}),
          loaded("binomial", {stage_of("recompute", {{"policy", "revolve"}, {"checkpoints", std::to_string(last)}})})};
      if (const auto done = measure(static_cast<double>(last), *staged, ways); !done) return done;
    }
    return {};
  }

  Result<void> bandwidth() {
    study_.axis = "bandwidth of the link, GB/s";
    study_.logarithmic = true;
    study_.note = fmt::format("{}, training, batch {}; load on the device", options_.network, batch_or(32));
    const auto staged = training(options_.network, {{"batch", batch_or(32)}});
    if (!staged) return tl::unexpected(staged.error());
    for (const int speed : {2, 4, 8, 16, 32, 64, 128, 256}) {
      const std::string bytes = fmt::format("{}000000000", speed);
      const std::vector<Way> ways = {
          loaded("no swapping"), loaded("without waiting", {stage_of("swap", {{"bandwidth", bytes}})}),
          loaded("convolutions, may wait",
                 {stage_of("swap", {{"bandwidth", bytes}, {"policy", "conv-only"}, {"stall", "anywhere"}})}),
          loaded("all, may wait",
                 {stage_of("swap", {{"bandwidth", bytes}, {"policy", "all"}, {"stall", "anywhere"}})})};
      if (const auto done = measure(speed, *staged, ways); !done) return done;
    }
    return {};
  }

  const StudyOptions& options_;
  RunContext& context_;
  Study study_;
};

}  // namespace

std::span<const StudyKind> study_kinds() {
  static const std::vector<StudyKind> kinds = {
      {"resnet-depth", "Memory of training ResNets by depth", "Planners of memory from ResNet-50 to ResNet-1001",
       false},
      {"lstm-length", "Memory of training an LSTM by its length", "Planners of memory for 64 to 512 unrolled steps",
       false},
      {"batch", "Memory of training by batch size", "Planners of memory for batches of 1 to 64", true},
      {"checkpoints", "Memory and work by number of checkpoints", "One level of checkpoints and binomial ones", true},
      {"bandwidth", "Memory and waiting by bandwidth", "Swapping to the host over slow and fast links", true},
  };
  return kinds;
}

Result<Study> run_study(std::string_view kind, const StudyOptions& options, RunContext& context) {
  for (const StudyKind& known : study_kinds()) {
    if (known.id == kind) return StudyRun(options, context).run(known);
  }
  std::string names;
  for (const StudyKind& known : study_kinds()) names += (names.empty() ? "" : ", ") + known.id;
  return usage_error(fmt::format("there is no study '{}'; choose from: {}", kind, names));
}

}  // namespace stowage
