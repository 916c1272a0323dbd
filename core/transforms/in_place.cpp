#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/copy_removal.h"
#include "core/transforms/in_place_rule.h"
#include "core/transforms/load_guard.h"
#include "core/transforms/registry.h"

namespace stowage {
namespace {

InPlaceDemands demands_of(const ParamValues& params) {
  InPlaceDemands demands;
  demands.equal_size = params.at("size") == "equal";
  demands.tflite = params.at("rule") == "tflite";
  for (const std::string& type : split(params.at("never-in-output"), '+')) {
    if (!type.empty()) demands.never_in_graph_output.insert(type);
  }
  return demands;
}

class Run {
 public:
  Run(const Staged& staged, const ParamValues& params, RunContext& context)
      : staged_(staged),
        graph_(staged.graph),
        context_(context),
        rule_(staged, demands_of(params)),
        guard_(staged),
        removal_(staged),
        remove_copies_(params.at("remove-copies") == "on") {}

  Result<Transformed> run() {
    context_.say(Step{step::Phase{"in-place results"}, {}});
    result_.staged = staged_;
    for (std::size_t step = 0; step < staged_.schedule.order.size(); ++step) {
      if (step % 256 == 0 && context_.should_stop()) {
        return fail(Error::Kind::kCancelled, "stopped before its end");
      }
      look_at(staged_.schedule.order[step]);
    }
    context_.report(1);
    if (!removal_.any()) return std::move(result_);
    auto without = removal_.apply(result_.staged.in_place);
    if (!without) return tl::unexpected(without.error());
    result_.staged = std::move(*without);
    return std::move(result_);
  }

 private:
  void look_at(OpIndex n) {
    const Op& op = graph_.op(n);
    std::vector<SlotPair> pairs = op.inplace;
    const bool copy = is_copy(graph_, n);
    if (copy) pairs = {SlotPair{0, 0, true}};
    std::vector<std::uint32_t> placed;
    for (const SlotPair& pair : pairs) {
      if (std::find(placed.begin(), placed.end(), pair.out) != placed.end()) continue;
      if (look_at(n, pair, copy)) placed.push_back(pair.out);
    }
  }

  bool look_at(OpIndex n, const SlotPair& pair, bool copy) {
    const Op& op = graph_.op(n);
    const TensorIndex in = op.in[pair.in];
    const TensorIndex out = op.out[pair.out];
    if (context_.records())
      context_.say(Step{step::Consider{out}, fmt::format("{} could write it over {}", op.id, graph_.tensor(in).id)});
    std::vector<std::string> why = rule_.obstacles(n, pair);
    const TensorIndex root = rule_.root_of(in);
    if (why.empty() && !guard_.allows(root, out)) {
      why.push_back(fmt::format("the memory would be held longer than {} needs it, and the load would rise",
                                graph_.tensor(out).id));
    }
    if (!why.empty()) {
      remark(Remark::Kind::kRefused, n, out,
             fmt::format("{}: {} may not take the memory of {}: {}", op.id, graph_.tensor(out).id, graph_.tensor(in).id,
                         fmt::join(why, "; ")));
      return false;
    }
    guard_.merge(root, out);
    result_.staged.in_place.push_back(rule_.grant(n, pair));
    TransformReport& report = result_.report;
    const std::int64_t bytes = graph_.tensor(out).bytes.value_or(0);
    report.bytes_saved += bytes;
    const bool gone = copy && remove_copies_ && removal_.remove(n);
    if (gone) {
      ++report.copies_removed;
      report.copied_bytes_saved += bytes;
      --report.extra_ops;
      report.extra_flops -= op.flops;
      report.extra_time -= op.duration;
    }
    remark(Remark::Kind::kDone, n, out,
           fmt::format("{}: {} takes the memory of {}{}, {} less", op.id, graph_.tensor(out).id, graph_.tensor(in).id,
                       gone ? " and the copy is gone" : "", format_bytes(bytes)));
    return true;
  }

  void remark(Remark::Kind kind, OpIndex n, TensorIndex t, std::string text) {
    if (context_.records()) context_.say(Step{step::Note{text}, {}});
    result_.report.remarks.push_back(Remark{kind, n, t, std::move(text)});
  }

  const Staged& staged_;
  const Graph& graph_;
  RunContext& context_;
  InPlaceRule rule_;
  LoadGuard guard_;
  CopyRemoval removal_;
  bool remove_copies_;
  Transformed result_;
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  return Run(staged, params, context).run();
}

}  // namespace

Transform in_place_transform() {
  Transform transform;
  transform.id = "in-place";
  transform.title = "In-place results";
  transform.summary = "Results take the memory of an input that nobody needs any more; copies become nothing.";
  transform.source = "the rules of XLA, MLIR, NNVM and ONNX Runtime, down to what is sound";
  ParamSpec copies;
  copies.key = "remove-copies";
  copies.summary = "take copies whose result lies where the original does out of the graph";
  copies.value = "on";
  copies.choices = {"on", "off"};
  ParamSpec size;
  size.key = "size";
  size.summary = "how large a result may be: as large as what is there, or exactly that";
  size.value = "fits";
  size.choices = {"fits", "equal"};
  ParamSpec never;
  never.key = "never-in-output";
  never.summary = "types of ops, joined by +, whose results may not lie where a graph output does";
  never.closed = false;
  ParamSpec rule;
  rule.key = "rule";
  rule.summary = "whatever is sound, or of that only what TensorFlow Lite's arena planner shares";
  rule.value = "sound";
  rule.choices = {"sound", "tflite"};
  transform.params = {copies, size, never, rule};
  transform.run = run;
  return transform;
}

}  // namespace stowage
