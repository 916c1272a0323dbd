#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/implied.h"
#include "core/transforms/param_values.h"
#include "core/transforms/registry.h"
#include "core/transforms/storage_policy.h"

namespace stowage {
namespace {

struct Settings {
  StoragePolicy policy;
  std::string name;
  bool search_range = false;
  bool control_edges = false;
  Engine engine = Engine::kData;
};

constexpr std::int64_t kMost = 1'000'000'000;

bool several_streams(const Graph& graph) {
  return std::any_of(graph.ops().begin(), graph.ops().end(),
                     [&](const Op& op) { return op.stream != graph.ops().front().stream; });
}

void set_free_list(StoragePolicy& policy, const std::string& name) {
  if (name == "range") policy.free_list = FreeList::kRange;
  if (name == "best-fit") policy.free_list = FreeList::kBestFit;
  if (name == "oldest") policy.free_list = FreeList::kOldest;
  if (name == "exact") policy.free_list = FreeList::kExact;
}

/// Each parameter changes one thing about the policy; its default leaves it alone.
Result<Settings> settings_of(const Staged& staged, const ParamValues& params) {
  Settings settings;
  settings.name = params.at("policy");
  settings.policy = *storage_policy(settings.name);
  StoragePolicy& policy = settings.policy;
  if (params.at("in-place") == "off") policy.in_place = InPlaceTest::kNever;
  if (params.at("in-place") == "on" && policy.in_place == InPlaceTest::kNever) policy.in_place = InPlaceTest::kNnvm;
  if (params.at("identity") != "policy") policy.identity = params.at("identity") == "on";
  set_free_list(policy, params.at("free-list"));
  settings.search_range = params.at("match-range") == "auto";
  if (!settings.search_range) {
    const auto range = count_param(params, "match-range", 0, kMost, "sharing");
    if (!range) return tl::unexpected(range.error());
    policy.range = *range;
  }
  if (params.at("sharing") == "off") policy.range = 0;
  const auto colours = count_param(params, "colours", 1, kMost, "sharing");
  if (!colours) return tl::unexpected(colours.error());
  policy.colours = static_cast<std::uint32_t>(*colours);
  if (params.at("four-byte-elements") == "on") policy.bytes = ElementBytes::kFour;
  if (params.at("order") != "policy") policy.largest_first = params.at("order") == "largest-first";
  if (params.at("outputs") != "policy") policy.outputs_pinned = params.at("outputs") == "pinned";
  settings.control_edges = params.at("control-edges") == "on";
  const std::string& engine = params.at("engine");
  const bool streams = engine == "streams" || (engine == "auto" && several_streams(staged.graph));
  settings.engine = streams ? Engine::kStreams : Engine::kData;
  return settings;
}

/// The range among 1, 2, 4, 8, 16 whose plan needs least memory; the smallest of equals.
Result<std::int64_t> best_range(const Staged& staged, const Entries& entries, StoragePolicy policy,
                                RunContext& context) {
  RunContext silent = context;
  silent.steps = nullptr;
  std::int64_t best = 1;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t range : {1, 2, 4, 8, 16}) {
    policy.range = range;
    TransformReport ignored;
    Teller nobody(staged, silent, ignored);
    const auto run = plan_storages(staged, entries, policy, silent, nobody);
    if (!run) return tl::unexpected(run.error());
    if (run->plan.total() >= least) continue;
    least = run->plan.total();
    best = range;
  }
  return best;
}

void tell_ort(const Staged& staged, const Entries& entries, const StorageRun& run, Teller& teller) {
  const std::vector<std::string> kinds = ort_kinds(staged, entries, run.plan);
  for (TensorIndex t = 0; t < kinds.size(); ++t) {
    teller.remark(Remark::Kind::kNote, staged.graph.producer(t), t, fmt::format("{}: {}", teller.id(t), kinds[t]));
  }
  for (const Freed& freed : run.freed) {
    const TensorIndex original = run.plan.storages[freed.storage].members.front();
    teller.remark(Remark::Kind::kNote, staged.schedule.order[freed.step], original,
                  fmt::format("{} is freed after step {}", teller.id(original), freed.step));
  }
}

void tell_orders(const Staged& staged, const TransformReport& report, Teller& teller) {
  if (report.implied.empty()) return;
  for (const Event& event : report.implied) {
    teller.remark(Remark::Kind::kNote, event.before, kNoTensor,
                  fmt::format("{} has to wait for {}: it writes where that one reads or wrote",
                              staged.graph.op(event.before).id, staged.graph.op(event.after).id));
  }
  teller.remark(
      Remark::Kind::kNote, kNoOp, kNoTensor,
      fmt::format("{} orders are taken for granted that the graph does not promise. Either they become control "
                  "edges (control-edges=on), or the engine treats each storage as a variable that is changed: "
                  "an op that writes it waits for the reads and writes of it that were issued before",
                  report.implied.size()));
}

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  if (!staged.storages.empty()) {
    return fail(Error::Kind::kRefused, "the tensors are bound to storages already");
  }
  auto settings = settings_of(staged, params);
  if (!settings) return tl::unexpected(settings.error());
  const Entries entries(staged);
  if (settings->search_range && settings->policy.range != 0) {
    const auto range = best_range(staged, entries, settings->policy, context);
    if (!range) return tl::unexpected(range.error());
    settings->policy.range = *range;
  }

  Transformed result;
  Teller teller(staged, context, result.report);
  teller.phase(fmt::format("storages by the rules of {}", settings->name));
  if (settings->search_range) {
    teller.remark(Remark::Kind::kNote, kNoOp, kNoTensor,
                  fmt::format("match range {} needs least of 1, 2, 4, 8, 16", settings->policy.range));
  }
  auto planned = plan_storages(staged, entries, settings->policy, context, teller);
  if (!planned) return tl::unexpected(planned.error());
  if (settings->name == "ort") tell_ort(staged, entries, *planned, teller);

  const StoragePlan& plan = planned->plan;
  std::int64_t apart = 0;
  std::size_t tensors = 0;
  for (const SharedStorage& storage : plan.storages) {
    for (const TensorIndex t : storage.members) apart += entries.bytes(t);
    tensors += storage.members.size();
  }
  teller.remark(Remark::Kind::kNote, kNoOp, kNoTensor,
                fmt::format("{} tensors in {} storages: {} instead of {}", tensors, plan.storages.size(),
                            format_bytes(plan.total()), format_bytes(apart)));
  result.report.bytes_saved = apart - plan.total();

  result.staged = staged;
  result.staged.storages = plan.storages;
  result.staged.in_place.insert(result.staged.in_place.end(), plan.in_place.begin(), plan.in_place.end());
  auto implied = implied_orders(result.staged, settings->engine);
  if (!implied && settings->control_edges) return tl::unexpected(implied.error());
  if (!implied) {  // the plan holds without them being listed
    teller.remark(Remark::Kind::kNote, kNoOp, kNoTensor, implied.error().message);
    context.report(1);
    return result;
  }
  result.report.critical_path_before = critical_path(staged, settings->engine, {});
  result.report.critical_path_after = critical_path(staged, settings->engine, *implied);
  result.report.implied = std::move(*implied);
  tell_orders(staged, result.report, teller);
  context.report(1);
  if (!settings->control_edges || result.report.implied.empty()) return result;
  auto ordered = with_events(result.staged, result.report.implied);
  if (!ordered) return tl::unexpected(ordered.error());
  result.staged = std::move(*ordered);
  return result;
}

ParamSpec spec(std::string key, std::string summary, std::string value, std::vector<std::string> choices,
               bool closed = true) {
  ParamSpec param;
  param.key = std::move(key);
  param.summary = std::move(summary);
  param.value = std::move(value);
  param.choices = std::move(choices);
  param.closed = closed;
  return param;
}

}  // namespace

Transform sharing_transform() {
  Transform transform;
  transform.id = "sharing";
  transform.title = "Shared storages";
  transform.summary = "Tensors that are not needed at the same time get one storage: tags and a box of free ones.";
  transform.source =
      "dmlc/nnvm src/pass/plan_memory.cc; apache/tvm graph_plan_memory.cc and static_plan_block_memory.cc; "
      "microsoft/onnxruntime allocation_planner.cc; pytorch torch/_inductor";
  transform.params = {
      spec("policy", "whose rules", "nnvm", {"tags", "nnvm", "mxnet", "tvm-relay", "tvm-relax", "ort", "inductor"}),
      spec("in-place", "results over inputs, where the policy does that", "policy", {"policy", "on", "off"}),
      spec("sharing", "storages that came back are used again", "on", {"on", "off"}),
      spec("match-range", "how many times too large or too small a free storage may be; 0: none is used again", "16",
           {"0", "1", "2", "4", "8", "16", "auto"}, false),
      spec("colours", "longest paths within which storages are used again; 1: anywhere", "1", {"1", "2", "4"}, false),
      spec("free-list", "which of the free storages", "policy", {"policy", "range", "best-fit", "exact", "oldest"}),
      spec("four-byte-elements", "every element counts 4 bytes, as in NNVM", "off", {"off", "on"}),
      spec("order", "results of one op: the largest first, or as declared", "policy",
           {"policy", "largest-first", "declared"}),
      spec("outputs", "graph outputs take used storages, or only new ones", "policy", {"policy", "reusable", "pinned"}),
      spec("identity", "a result that is its input may lie on it while others read it", "policy",
           {"policy", "on", "off"}),
      spec("engine", "what orders the ops besides sharing: data and events, or also streams", "auto",
           {"auto", "data", "streams"}),
      spec("control-edges", "write the orders that sharing takes for granted into the graph", "off", {"off", "on"}),
  };
  transform.run = run;
  return transform;
}

}  // namespace stowage
