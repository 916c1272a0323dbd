#include "core/explain/fit_graph.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/model/load.h"
#include "core/model/metrics.h"
#include "core/transforms/pipeline.h"
#include "core/transforms/training_parts.h"

namespace stowage {
namespace {

constexpr std::chrono::milliseconds kPlanTime{1500};  // for a mix whose load fits

using Pipeline = std::vector<PipelineStage>;

PipelineStage stage_of(std::string transform, ParamValues params) {
  PipelineStage stage;
  stage.transform = std::move(transform);
  stage.params = std::move(params);
  return stage;
}

class GraphFitter {
 public:
  GraphFitter(const Staged& staged, const LowerOptions& options, std::int64_t capacity, RunContext& context)
      : staged_(staged), options_(options), context_(context) {
    fit_.capacity = capacity;
  }

  Result<GraphFit> run() {
    const auto before = lower(staged_, options_);
    if (!before) return tl::unexpected(before.error());
    fit_.load_before = load(before->problem, 0);
    for (const Op& op : staged_.graph.ops()) fit_.time_before += op.duration;
    find_hungriest();
    const std::optional<Time> deadline = context_.deadline;
    if (deadline) context_.deadline = share_of(*deadline);
    try_mixes();
    context_.deadline = deadline;
    choose();
    if (context_.stop.stop_requested()) return fail(Error::Kind::kCancelled, "fit: stopped");
    return std::move(fit_);
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  /// Planning needs time too: mixes are tried for half of what there is.
  static Time share_of(Time deadline) {
    const Time now = std::chrono::steady_clock::now();
    return now + std::max(Time::duration::zero(), deadline - now) / 2;
  }

  bool out_of_time() {
    if (context_.should_stop()) fit_.stopped = true;
    return fit_.stopped;
  }

  struct Mix {
    FitProposal proposal;
    Staged staged;
  };

  /// Bytes that all mixes leave alone: weights and inputs, where they count.
  std::int64_t given_bytes() const {
    std::int64_t bytes = 0;
    const Graph& graph = staged_.graph;
    for (TensorIndex t = 0; t < graph.tensors().size(); ++t) {
      const Tensor& tensor = graph.tensor(t);
      if (graph.is_view(t) || !is_given(graph, t)) continue;
      const bool input = tensor.kind == TensorKind::kInput;
      if (input ? options_.inputs : options_.weights) bytes += tensor.bytes.value_or(0);
    }
    return bytes;
  }

  /// What an op needs at once; a result that may be written over what it reads needs nothing of its own.
  void find_hungriest() {
    const Graph& graph = staged_.graph;
    const std::int64_t given = given_bytes();
    for (OpIndex n = 0; n < graph.ops().size(); ++n) {
      const Op& op = graph.op(n);
      std::set<TensorIndex> bases;
      for (const TensorIndex t : op.in) bases.insert(graph.base(t));
      for (std::uint32_t slot = 0; slot < op.out.size(); ++slot) {
        const bool over =
            std::any_of(op.inplace.begin(), op.inplace.end(), [&](const SlotPair& pair) { return pair.out == slot; });
        if (!over) bases.insert(graph.base(op.out[slot]));
      }
      std::int64_t bytes = given + op.workspace;
      for (const TensorIndex t : bases) bytes += own_bytes(graph, t);
      if (bytes <= fit_.hungriest_bytes) continue;
      fit_.hungriest_bytes = bytes;
      fit_.hungriest = n;
    }
  }

  std::vector<PipelineStage> recomputations() const {
    std::vector<PipelineStage> stages;
    for (const char* const policy : {"selective", "sqrt", "budget", "recursive", "revolve"}) {
      stages.push_back(stage_of("recompute", {{"policy", policy}}));
    }
    const double own = static_cast<double>(fit_.capacity - given_bytes());
    if (own <= 0) return stages;
    // In-place takes something off afterwards, planning may put a little on.
    for (const double share : {1.3, 1.15, 1.05, 1.0, 0.97, 0.9, 0.8, 0.65}) {
      const std::string budget = std::to_string(static_cast<std::int64_t>(own * share));
      stages.push_back(stage_of("recompute", {{"policy", "dtr"}, {"heuristic", "dtr-eq"}, {"budget", budget}}));
      stages.push_back(stage_of("recompute", {{"policy", "optimal-chain"}, {"budget", budget}}));
    }
    return stages;
  }

  void try_mixes() {
    const Mix nothing{{}, staged_};
    Mix first = nothing;
    first.proposal.load = fit_.load_before;
    after_recompute(first);
    // What already fits for nothing cannot be made cheaper.
    if (std::any_of(mixes_.begin(), mixes_.end(),
                    [&](const Mix& mix) { return mix.proposal.cost() == 0 && mix.proposal.load <= fit_.capacity; })) {
      return;
    }
    for (const PipelineStage& stage : recomputations()) {
      if (out_of_time()) return;
      if (auto mix = extended(first, stage)) after_recompute(*mix);
    }
    if (std::any_of(mixes_.begin(), mixes_.end(), [&](const Mix& mix) { return mix.proposal.load <= fit_.capacity; })) {
      return;
    }
    for (const char* const reduced : {"fp16", "fp8"}) {
      if (auto mix = extended(first, stage_of("compression", {{"reduced", reduced}}))) {
        mix->proposal.exact = false;
        after_compression(*mix);
      }
    }
  }

  void after_recompute(const Mix& mix) {
    after_compression(mix);
    if (auto more = extended(mix, stage_of("compression", {}))) after_compression(*more);
  }

  void after_compression(const Mix& mix) {
    finish(mix);
    const std::string capacity = std::to_string(std::max<std::int64_t>(0, fit_.capacity - given_bytes()));
    if (auto more = extended(mix, stage_of("swap", {{"capacity", capacity}}))) finish(*more);
    if (mix.proposal.pipeline.empty()) {
      if (auto more = extended(
              mix, stage_of("swap", {{"policy", "farthest-next-use"}, {"capacity", capacity}, {"stall", "allow"}}))) {
        finish(*more);
      }
    }
  }

  /// The mix as it is, and with in-place at the end.
  void finish(const Mix& mix) {
    keep(mix);
    if (auto more = extended(mix, stage_of("in-place", {}))) keep(*more);
  }

  /// One stage more; nothing when it is refused or changes nothing.
  std::optional<Mix> extended(const Mix& mix, const PipelineStage& stage) {
    const std::vector<PipelineStage> one = {stage};
    RunContext quiet = context_;
    quiet.steps = nullptr;
    auto result = run_pipeline(mix.staged, one, quiet);
    if (!result) return std::nullopt;
    const TransformReport& report = result->back().report;
    Staged& after = result->back().after;
    const bool same_memory = after.in_place.size() == mix.staged.in_place.size();
    if (same_memory && after.graph.ops().size() == mix.staged.graph.ops().size()) return std::nullopt;
    Mix more{mix.proposal, std::move(after)};
    more.proposal.pipeline.push_back(stage);
    // Copies run beside the ops; only waiting for them counts.
    if (stage.transform != "swap") more.proposal.extra_time += report.extra_time;
    more.proposal.stall += report.stall;
    more.proposal.extra_ops += report.extra_ops;
    more.proposal.bytes_moved += report.bytes_moved;
    return more;
  }

  void keep(Mix mix) {
    ++fit_.tried;
    const auto lowered = lower(mix.staged, options_);
    if (!lowered) return;
    mix.proposal.load = load(lowered->problem, 0);
    if (!fit_.least || mix.proposal.load < fit_.least->load) fit_.least = mix.proposal;
    if (mix.proposal.load <= fit_.capacity) mixes_.push_back(std::move(mix));
  }

  /// Plans the mixes whose load fits, cheapest first, until a plan fits too.
  void choose() {
    std::stable_sort(mixes_.begin(), mixes_.end(), [](const Mix& a, const Mix& b) {
      if (a.proposal.exact != b.proposal.exact) return a.proposal.exact;
      if (a.proposal.cost() != b.proposal.cost()) return a.proposal.cost() < b.proposal.cost();
      return a.proposal.pipeline.size() < b.proposal.pipeline.size();
    });
    for (Mix& mix : mixes_) {
      if (context_.should_stop()) {
        fit_.stopped = true;
        return;
      }
      mix.proposal.makespan = makespan_of(mix.staged);
      if (!mix.proposal.makespan || *mix.proposal.makespan > fit_.capacity) continue;
      fit_.best = std::move(mix.proposal);
      return;
    }
  }

  std::optional<std::int64_t> makespan_of(const Staged& staged) {
    const auto lowered = lower(staged, options_);
    const Allocator* allocator = find_allocator("best");
    if (!lowered || allocator == nullptr) return std::nullopt;
    RunContext limited = context_;
    limited.steps = nullptr;
    const auto deadline = std::chrono::steady_clock::now() + kPlanTime;
    limited.deadline = context_.deadline ? std::min(*context_.deadline, deadline) : deadline;
    const auto run = run_allocator(*allocator, lowered->problem, {}, limited);
    if (!run) return std::nullopt;
    return makespan_of_space(lowered->problem, run->plan, 0);
  }

  const Staged& staged_;
  const LowerOptions& options_;
  RunContext& context_;
  std::vector<Mix> mixes_;  // whose load fits
  GraphFit fit_;
};

}  // namespace

Result<GraphFit> fit_graph(const Staged& staged, const LowerOptions& options, std::int64_t capacity,
                           RunContext& context) {
  return GraphFitter(staged, options, capacity, context).run();
}

}  // namespace stowage
