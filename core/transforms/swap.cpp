#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/param_values.h"
#include "core/transforms/registry.h"
#include "core/transforms/rewriter.h"
#include "core/transforms/swap_plan.h"

namespace stowage {
namespace {

Result<SwapSettings> settings_of(const ParamValues& params) {
  SwapSettings settings;
  const std::string& policy = params.at("policy");
  settings.policy = policy == "all"                 ? SwapPolicy::kAll
                    : policy == "conv-only"         ? SwapPolicy::kConvOnly
                    : policy == "farthest-next-use" ? SwapPolicy::kFarthestNextUse
                                                    : SwapPolicy::kFreeTime;
  const std::string& prefetch = params.at("prefetch");
  settings.prefetch = prefetch == "latest"     ? Prefetch::kLatest
                      : prefetch == "earliest" ? Prefetch::kEarliest
                                               : Prefetch::kOnDemand;
  settings.may_stall = params.at("stall") != "never";
  settings.waits_anywhere = params.at("stall") == "anywhere";
  const auto capacity = optional_bytes(params, "capacity", "swap");
  if (!capacity) return tl::unexpected(capacity.error());
  settings.capacity = *capacity;
  const auto speed = bytes_per_second(params.at("bandwidth"));
  if (!speed) {
    return usage_error(
        fmt::format("swap: bandwidth is '{}', which is no known link and no amount of bytes a second above 0",
                    params.at("bandwidth")));
  }
  const auto unit = number_param(params, "microseconds", 1e-9, 1e12, "swap");
  if (!unit) return tl::unexpected(unit.error());
  settings.bytes_per_unit = *speed * *unit * 1e-6;
  return settings;
}

/// Writes the ops of the schedule with the copies between them.
class SwapWriter {
 public:
  SwapWriter(const Staged& staged, const SwapPlan& plan) : staged_(staged), plan_(plan), rewriter_(staged) {
    for (const Op& op : staged.graph.ops()) streams_ = std::max(streams_, op.stream + 1);
  }

  Result<Staged> write() {
    const std::vector<OpIndex>& order = staged_.schedule.order;
    std::vector<std::vector<std::size_t>> outs(order.size() + 1);
    std::vector<std::vector<std::size_t>> ins(order.size() + 1);
    for (std::size_t i = 0; i < plan_.swaps.size(); ++i) {
      outs[plan_.swaps[i].out_done].push_back(i);
      ins[plan_.swaps[i].in_begin].push_back(i);
    }
    hosts_.assign(plan_.swaps.size(), kNoTensor);
    at_.assign(order.size(), kNoOp);
    for (std::size_t step = 0; step < order.size(); ++step) {
      std::vector<OpIndex> done;
      for (const std::size_t i : outs[step]) done.push_back(out(i));
      for (const std::size_t i : ins[step]) in(i, step);
      at_[step] = rewriter_.emit(order[step]);
      // Whoever takes the memory over comes behind the copy, also on another stream.
      for (const OpIndex n : done) rewriter_.order(n, at_[step]);
    }
    auto staged = rewriter_.finish();
    if (!staged) return staged;
    const bool known = std::any_of(staged->spaces.begin(), staged->spaces.end(),
                                   [](const StagedSpace& space) { return space.id == "host"; });
    if (!known) staged->spaces.push_back({"host", std::nullopt});
    return staged;
  }

 private:
  OpIndex serves(const Swap& swap) const { return staged_.schedule.order[swap.next]; }

  OpIndex out(std::size_t i) {
    const Swap& swap = plan_.swaps[i];
    const std::string id = staged_.graph.tensor(swap.tensor).id;
    Tensor host = staged_.graph.tensor(swap.tensor);
    host.id = id + ".host";
    host.kind = TensorKind::kActivation;
    host.space = "host";
    hosts_[i] = rewriter_.add(std::move(host));
    const OpIndex copy = insert(swap, id + ".swap-out", "SwapOut", rewriter_.current(swap.tensor), hosts_[i], streams_);
    rewriter_.order(at_[swap.last], copy);
    return copy;
  }

  void in(std::size_t i, std::size_t step) {
    const Swap& swap = plan_.swaps[i];
    Tensor back = staged_.graph.tensor(swap.tensor);
    const std::string id = back.id;
    back.id = id + ".back";
    const TensorIndex tensor = rewriter_.add(std::move(back));
    const OpIndex copy = insert(swap, id + ".swap-in", "SwapIn", hosts_[i], tensor, streams_ + 1);
    rewriter_.order(at_[step - 1], copy);
    rewriter_.replace(swap.tensor, tensor, true);
  }

  OpIndex insert(const Swap& swap, std::string id, const char* type, TensorIndex from, TensorIndex to,
                 std::uint32_t stream) {
    Op op;
    op.id = std::move(id);
    op.type = type;
    op.in = {from};
    op.out = {to};
    op.stream = stream;
    op.duration = swap.transfer;
    return rewriter_.insert(std::move(op), serves(swap));
  }

  const Staged& staged_;
  const SwapPlan& plan_;
  Rewriter rewriter_;
  std::uint32_t streams_ = 1;
  std::vector<TensorIndex> hosts_;  // by swap
  std::vector<OpIndex> at_;         // by step: the op in the new graph
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  if (const auto early = refuse_after_sharing(staged, "swap"); !early) return tl::unexpected(early.error());
  const auto settings = settings_of(params);
  if (!settings) return tl::unexpected(settings.error());
  const auto plan = plan_swaps(staged, *settings, context);
  if (!plan) return tl::unexpected(plan.error());

  context.say({step::Phase{fmt::format("swap: {}", params.at("policy"))}, ""});
  Transformed result;
  TransformReport& report = result.report;
  if (settings->capacity && plan->load > *settings->capacity) {
    const OpIndex op = staged.schedule.order[plan->fullest];
    std::string text =
        fmt::format("the capacity of {} is not kept: {} needs {} at once, {} more", format_bytes(*settings->capacity),
                    staged.graph.op(op).id, format_bytes(plan->load), format_bytes(plan->load - *settings->capacity));
    context.say({step::Note{text}, ""});
    report.remarks.push_back({Remark::Kind::kRefused, op, kNoTensor, std::move(text)});
  }
  for (const SwapPlan::Refusal& refusal : plan->refused) {
    context.say({step::Consider{refusal.tensor}, refusal.why});
    report.remarks.push_back({Remark::Kind::kRefused, kNoOp, refusal.tensor, refusal.why});
  }
  for (const Swap& swap : plan->swaps) {
    std::string text = fmt::format("{}: {} out in [{:.6g}, {:.6g}], back in [{:.6g}, {:.6g}], free time {:.6g}",
                                   staged.graph.tensor(swap.tensor).id, format_bytes(swap.bytes), swap.times.out_start,
                                   swap.times.out_end, swap.times.in_start, swap.times.in_end, swap.times.free_time);
    context.say({step::Consider{swap.tensor}, text});
    report.remarks.push_back({Remark::Kind::kDone, staged.schedule.order[swap.last], swap.tensor, std::move(text)});
    report.bytes_moved += 2 * swap.bytes;
    report.extra_ops += 2;
    report.copy_time += 2 * swap.transfer;
  }
  report.stall = plan->stall;
  report.extra_time = plan->stall;  // copies run beside the ops
  if (plan->swaps.empty()) {
    result.staged = staged;
    return result;
  }
  auto written = SwapWriter(staged, *plan).write();
  if (!written) return tl::unexpected(written.error());
  result.staged = std::move(*written);
  return result;
}

}  // namespace

Transform swap_transform() {
  Transform transform;
  transform.id = "swap";
  transform.title = "Swap";
  transform.summary =
      "Moves tensors to host memory while nobody reads them and back in time, on two copy streams beside the "
      "computation.";
  transform.source =
      "Rhu et al., vDNN, MICRO 2016; Huang et al., SwapAdvisor, ASPLOS 2020; Peng et al., Capuchin, ASPLOS 2020";
  transform.params = {
      {"policy",
       "which tensors go: all, what convolutions read, while above the capacity what is needed last, by falling free "
       "time until the capacity is kept",
       "free-time",
       {"all", "conv-only", "farthest-next-use", "free-time"},
       true},
      {"bandwidth",
       "of the link, one direction: a preset or bytes a second",
       "pcie3-measured",
       {"pcie3", "pcie3-measured", "pcie4", "pcie5", "nvlink2"},
       false},
      {"microseconds", "how long a unit of the graph's durations is", "1", {}, false},
      {"capacity",
       "of the device, where waiting for a copy out is worth it too; empty: everything that can go for nothing goes",
       "",
       {},
       false},
      {"stall",
       "may the computation wait for copies: never; for copies back, above the capacity for copies out too; for both, "
       "wherever the memory is needed most",
       "never",
       {"never", "allow", "anywhere"},
       true},
      {"prefetch",
       "when a tensor comes back: just in time, as soon as there is room, when it is read",
       "latest",
       {"latest", "earliest", "on-demand"},
       true},
  };
  transform.run = run;
  return transform;
}

}  // namespace stowage
