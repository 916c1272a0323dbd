#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/transforms/registry.h"
#include "core/transforms/rewriter.h"

namespace stowage {
namespace {

/// What an optimizer keeps for each weight from one step of training to the next.
struct Rule {
  const char* id;
  const char* op;
  std::vector<const char*> states;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"sgd", "SGD", {}}, {"momentum", "Momentum", {"momentum"}}, {"adam", "Adam", {"mean", "variance"}}};
  return all;
}

class UpdateAdder {
 public:
  UpdateAdder(const Staged& staged, const Rule& rule, bool fused, bool master)
      : graph_(staged.graph),
        order_(staged.schedule.order),
        rule_(rule),
        fused_(fused),
        master_(master),
        rewriter_(staged) {}

  Result<Transformed> run(const RunContext& context) {
    context.say({step::Phase{fmt::format("updates by the rule {}", rule_.id)}, ""});
    std::vector<TensorIndex> waiting;
    for (const OpIndex n : order_) {
      rewriter_.emit(n);
      for (const TensorIndex t : graph_.op(n).out) {
        if (graph_.tensor(t).kind != TensorKind::kWeightGradient || !graph_.is_output(t)) continue;
        if (!fused_) {
          waiting.push_back(t);
        } else {
          update(t, n, context);
        }
      }
    }
    for (const TensorIndex t : waiting) update(t, graph_.producer(t), context);
    auto staged = rewriter_.finish();
    if (!staged) return tl::unexpected(staged.error());
    Transformed result;
    result.staged = std::move(*staged);
    result.report = std::move(report_);
    return result;
  }

 private:
  TensorIndex state(const Tensor& gradient, const char* what) {
    Tensor state;
    state.id = fmt::format("{}.{}", gradient.id, what);
    state.shape = gradient.shape;
    state.type = DataType::kFloat32;
    if (!state.shape) state.bytes = gradient.bytes;
    state.kind = TensorKind::kState;
    return rewriter_.add(std::move(state));
  }

  void update(TensorIndex gradient, OpIndex made_by, const RunContext& context) {
    const Tensor& tensor = graph_.tensor(gradient);
    Op op;
    op.id = fmt::format("update_{}", tensor.id);
    op.type = rule_.op;
    op.in.push_back(rewriter_.current(gradient));
    for (const char* what : rule_.states) op.in.push_back(state(tensor, what));
    if (master_ && tensor.type != DataType::kFloat32) op.in.push_back(state(tensor, "master"));
    op.side_effect = true;  // it writes the weights and its state
    op.backward = true;
    const std::size_t states = op.in.size() - 1;
    rewriter_.insert(std::move(op), made_by);
    rewriter_.keep_inside(gradient);
    ++report_.extra_ops;
    std::string text =
        fmt::format("{}: read by its update {}, with {} of state", tensor.id, fused_ ? "at once" : "at the end",
                    states == 1 ? "one tensor" : fmt::format("{} tensors", states));
    context.say({step::Consider{gradient}, text});
    report_.remarks.push_back({Remark::Kind::kDone, made_by, gradient, std::move(text)});
  }

  const Graph& graph_;
  std::span<const OpIndex> order_;
  const Rule& rule_;
  bool fused_;
  bool master_;
  Rewriter rewriter_;
  TransformReport report_;
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  if (auto first = refuse_after_sharing(staged, "optimizer"); !first) return tl::unexpected(first.error());
  for (const Rule& rule : rules()) {
    if (rule.id != params.at("rule")) continue;
    return UpdateAdder(staged, rule, params.at("fused") == "yes", params.at("master") == "yes").run(context);
  }
  return usage_error("optimizer: no such rule");
}

}  // namespace

Transform optimizer_transform() {
  Transform transform;
  transform.id = "optimizer";
  transform.title = "Optimizer";
  transform.summary =
      "Updates of the weights become ops with their state (Adam: two tensors a weight); gradients die where they are "
      "read instead of leaving the graph.";
  transform.source = "the update rules of SGD, momentum and Adam (Kingma, Ba: Adam, 2015)";
  ParamSpec rule;
  rule.key = "rule";
  rule.summary = "what is kept for each weight: nothing, one tensor, two";
  rule.value = "adam";
  for (const Rule& one : rules()) rule.choices.emplace_back(one.id);
  ParamSpec fused;
  fused.key = "fused";
  fused.summary = "each update runs as soon as its gradient is there; else all of them at the end";
  fused.value = "yes";
  fused.choices = {"yes", "no"};
  ParamSpec master;
  master.key = "master";
  master.summary = "a float32 copy of weights of other types";
  master.value = "no";
  master.choices = {"yes", "no"};
  transform.params = {rule, fused, master};
  transform.run = run;
  return transform;
}

}  // namespace stowage
