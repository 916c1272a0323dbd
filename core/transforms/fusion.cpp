#include "core/transforms/fusion.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/transforms/fusion_settings.h"
#include "core/transforms/registry.h"
#include "core/transforms/rewriter.h"

namespace stowage {
namespace {

constexpr std::int64_t kMegatronStart = 64;  // elements

/// Outside int64 the gate will refuse it.
std::int64_t product(std::int64_t a, std::int64_t b) {
  const Int128 exact = static_cast<Int128>(a) * b;
  return exact > kMaxInt64 ? kMaxInt64 : static_cast<std::int64_t>(exact);
}

/// The least common multiple, as far as it can be one.
std::int64_t common_alignment(std::int64_t a, std::int64_t b) {
  return product(a / std::gcd(a, b), b);
}

/// Where the members of a bucket lie one behind the other, in bytes.
struct Layout {
  std::vector<TensorIndex> members;
  std::int64_t content = 0;  // without padding
  std::int64_t end = 0;
};

class Fusion {
 public:
  Fusion(const Staged& staged, FusionSettings settings, RunContext& context)
      : staged_(staged), graph_(staged.graph), settings_(std::move(settings)), context_(context) {}

  Result<Transformed> run() {
    context_.say(Step{step::Phase{fmt::format("messages are joined by the rule {}", settings_.rule)}, {}});
    collect();
    if (messages_.empty()) {
      return fail(Error::Kind::kRefused, fmt::format("there are no {} that could be sent together", settings_.what));
    }
    for (const Bucket& bucket : fuse(messages_, settings_)) layouts_.push_back(lay_out(bucket));
    Result<Staged> after = settings_.copies ? with_copies() : with_groups();
    if (!after) return tl::unexpected(after.error());
    result_.staged = std::move(*after);
    report();
    context_.report(1);
    return std::move(result_);
  }

 private:
  bool is_sent(TensorIndex t) const {
    const TensorKind kind = graph_.tensor(t).kind;
    if (settings_.what == "weights") return kind == TensorKind::kWeight;
    if (settings_.what == "states") return kind == TensorKind::kState;
    return kind == TensorKind::kWeightGradient;
  }

  /// In the order in which the rule looks at them.
  void collect() {
    std::vector<std::uint8_t> bound(graph_.tensors().size(), 0);
    const auto bind = [&](TensorIndex t) {
      bound[t] = 1;
    };
    for (const TensorGroup& group : graph_.groups()) std::for_each(group.members.begin(), group.members.end(), bind);
    for (const TensorGroup& group : staged_.groups) std::for_each(group.members.begin(), group.members.end(), bind);
    for (const SharedStorage& storage : staged_.storages) {
      std::for_each(storage.members.begin(), storage.members.end(), bind);
    }
    for (const InPlace& merge : staged_.in_place) bind(graph_.base(merge.child));
    for (TensorIndex t = 0; t < graph_.tensors().size(); ++t) {
      if (!is_sent(t)) continue;
      const Tensor& tensor = graph_.tensor(t);
      const char* why = graph_.is_view(t) ? "it is a view"
                        : !tensor.bytes   ? "its size is unknown"
                        : bound[t] != 0   ? "its place is decided already"
                                          : nullptr;
      if (why == nullptr) {
        sent_.push_back(t);
      } else {
        remark(Remark::Kind::kRefused, t, fmt::format("{} is sent by itself: {}", tensor.id, why));
      }
    }
    order();
    for (const TensorIndex t : sent_) messages_.push_back(message_of(t));
  }

  void order() {
    std::string order = settings_.order;
    if (order == "rule") {
      const bool from_the_end = settings_.rule == "ddp" || settings_.rule == "megatron";
      order = settings_.what == "gradients" ? "ready" : from_the_end ? "reverse" : "forward";
    }
    if (order == "reverse") std::reverse(sent_.begin(), sent_.end());
    if (order != "ready") return;
    const std::vector<std::size_t> steps = staged_.schedule.steps();
    const auto made = [&](TensorIndex t) {
      return graph_.producer(t) == kNoOp ? 0 : steps[graph_.producer(t)] + 1;
    };
    std::stable_sort(sent_.begin(), sent_.end(), [&](TensorIndex a, TensorIndex b) { return made(a) < made(b); });
  }

  /// Bytes of an element of the fusion buffer; sizes are counted in whole ones.
  std::int64_t element_bytes(TensorIndex t) const { return std::max(bits_of(graph_.tensor(t).type) / 8, 1); }

  Message message_of(TensorIndex t) const {
    const Tensor& tensor = graph_.tensor(t);
    Message message;
    message.key = fmt::format("{}|{}", tensor.space, name_of(tensor.type));
    message.bytes = *tensor.bytes;
    message.elements = (message.bytes + element_bytes(t) - 1) / element_bytes(t);
    return message;
  }

  Layout lay_out(const Bucket& bucket) const {
    Layout layout;
    std::vector<std::int64_t> elements;
    for (const std::size_t i : bucket.messages) {
      layout.members.push_back(sent_[i]);
      layout.content += messages_[i].bytes;
      elements.push_back(messages_[i].elements);
    }
    layout.end = layout.content;
    const std::int64_t each = element_bytes(layout.members.front());
    if (settings_.rule == "megatron") {
      layout.end = product(megatron_layout(elements, settings_.dp, settings_.high_bandwidth).bucket_end, each);
    } else if (settings_.rule == "horovod") {
      const std::int64_t sum = std::accumulate(elements.begin(), elements.end(), std::int64_t{0});
      layout.end = product(horovod_pad(sum, settings_.local_size), each);
    } else if (!settings_.copies) {
      // Each begins where its own alignment allows.
      layout.end = 0;
      for (const TensorIndex t : layout.members) {
        layout.end =
            checked_add(align_up(layout.end, graph_.tensor(t).alignment), *graph_.tensor(t).bytes).value_or(kMaxInt64);
      }
    }
    return layout;
  }

  /// Members are written straight into the buffer: they lie one behind the other, each with its own life.
  Result<Staged> with_groups() {
    GraphInput input = graph_.input();
    input.outputs.assign(graph_.outputs().begin(), graph_.outputs().end());
    Staged after = staged_;
    for (const Layout& layout : layouts_) {
      if (settings_.rule == "per-tensor" || layout.members.empty()) continue;
      if (layout.members.size() > 1) after.groups.push_back(TensorGroup{layout.members, 0});
      pad(layout, input);
    }
    auto graph = make_graph(std::move(input));
    if (!graph) return refuse(graph.error().front());
    after.graph = std::move(*graph);
    return after;
  }

  void pad(const Layout& layout, GraphInput& input) const {
    std::int64_t end = 0;
    for (const TensorIndex t : layout.members) {
      Tensor& tensor = input.tensors[t];
      if (settings_.rule == "megatron") {
        tensor.alignment = common_alignment(tensor.alignment, kMegatronStart * element_bytes(t));
      }
      end = checked_add(align_up(end, tensor.alignment), *tensor.bytes).value_or(kMaxInt64);
    }
    Tensor& last = input.tensors[layout.members.back()];
    last.bytes = checked_add(*last.bytes, std::max<std::int64_t>(layout.end - end, 0)).value_or(kMaxInt64);
  }

  static tl::unexpected<Error> refuse(const GraphFault& fault) {
    return fail(Error::Kind::kRefused,
                fmt::format("the joined messages are not sound: {} {}", fault.where, fault.message));
  }

  /// Members keep their memory; a buffer is there only while it is packed, sent and unpacked.
  Result<Staged> with_copies() {
    if (const auto early = refuse_after_sharing(staged_, "fusion with copies"); !early) {
      return tl::unexpected(early.error());
    }
    if (staged_.schedule.order.empty()) return fail(Error::Kind::kRefused, "there is no op that could send anything");
    const std::vector<std::size_t> steps = staged_.schedule.steps();
    std::vector<std::vector<std::size_t>> after_step(staged_.schedule.order.size() + 1);
    for (std::size_t b = 0; b < layouts_.size(); ++b) {
      std::size_t ready = 0;  // steps done
      for (const TensorIndex t : layouts_[b].members) {
        if (graph_.producer(t) != kNoOp) ready = std::max(ready, steps[graph_.producer(t)] + 1);
      }
      after_step[ready].push_back(b);
    }
    Rewriter rewriter(staged_);
    for (std::size_t done = 0; done < after_step.size(); ++done) {
      const OpIndex serves = staged_.schedule.order[done == 0 ? 0 : done - 1];
      if (done > 0) rewriter.emit(serves);
      for (const std::size_t bucket : after_step[done]) insert(rewriter, bucket, serves);
    }
    return rewriter.finish();
  }

  void insert(Rewriter& rewriter, std::size_t bucket, OpIndex serves) {
    const Layout& layout = layouts_[bucket];
    const Tensor& model = graph_.tensor(layout.members.front());
    const auto buffer = [&](const char* what) {
      Tensor tensor;
      tensor.id = fmt::format("{}{}", what, bucket);
      tensor.type = model.type;
      tensor.space = model.space;
      tensor.bytes = layout.end;
      return rewriter.add(std::move(tensor));
    };
    const double copy = settings_.cost.copies(layout.end) / 2 / settings_.time_unit;
    const double send = settings_.cost.one(layout.end) / settings_.time_unit;
    Op pack;
    pack.id = fmt::format("pack{}", bucket);
    pack.type = "Pack";
    for (const TensorIndex t : layout.members) pack.in.push_back(rewriter.current(t));
    pack.out = {buffer("fused")};
    pack.duration = copy;
    Op collective;
    collective.type = settings_.what == "gradients" ? "AllReduce" : "Broadcast";
    collective.id = fmt::format("{}{}", to_lower(collective.type), bucket);
    collective.in = pack.out;
    collective.out = {buffer("sent")};
    collective.inplace = {SlotPair{0, 0, false}};
    collective.duration = send;
    Op unpack;
    unpack.id = fmt::format("unpack{}", bucket);
    unpack.type = "Unpack";
    unpack.in = collective.out;
    unpack.duration = copy;
    for (const TensorIndex t : layout.members) {
      const auto slot = static_cast<std::uint32_t>(unpack.in.size());
      unpack.in.push_back(rewriter.current(t));
      unpack.ignored_inputs.push_back(slot);
      unpack.alias.push_back(SlotPair{slot, slot - 1, false});
      Tensor back = graph_.tensor(t);
      back.id += ".sent";
      if (back.kind == TensorKind::kOutput) back.kind = TensorKind::kActivation;
      unpack.out.push_back(rewriter.add(std::move(back)));
    }
    const std::vector<TensorIndex> sent = unpack.out;
    rewriter.insert(std::move(pack), serves);
    rewriter.insert(std::move(collective), serves);
    rewriter.insert(std::move(unpack), serves);
    for (std::size_t i = 0; i < sent.size(); ++i) rewriter.replace(layout.members[i], sent[i], false);
    result_.report.extra_ops += 3;
    result_.report.extra_time += 2 * copy + send;
    result_.report.bytes_moved += 2 * layout.content;
  }

  void report() {
    TransformReport& report = result_.report;
    double alone = 0;
    double together = 0;
    for (const Message& message : messages_) alone += settings_.cost.one(message.bytes);
    for (const Layout& layout : layouts_) {
      tell(layout);
      together += settings_.cost.one(layout.end) + (settings_.copies ? settings_.cost.copies(layout.content) : 0);
      report.padding += layout.end - layout.content;
      std::vector<std::string> names;
      for (const TensorIndex t : layout.members) names.push_back(graph_.tensor(t).id);
      remark(Remark::Kind::kDone, layout.members.front(),
             fmt::format("{}: {} with {} of padding", fmt::join(names, ", "), format_bytes(layout.end),
                         format_bytes(layout.end - layout.content)));
    }
    report.messages_saved = static_cast<std::int64_t>(messages_.size()) - static_cast<std::int64_t>(layouts_.size());
    report.communication_saved = alone - together;
    remark(Remark::Kind::kNote, kNoTensor,
           fmt::format("{} messages become {}: {} instead of {}, {} latencies less", messages_.size(), layouts_.size(),
                       format_seconds(together), format_seconds(alone), report.messages_saved));
  }

  /// Each member with the one before it.
  void tell(const Layout& layout) {
    if (!context_.records()) return;
    for (std::size_t i = 0; i < layout.members.size(); ++i) {
      const TensorIndex t = layout.members[i];
      context_.say(Step{step::Consider{t}, i == 0 ? std::string("a message begins with it")
                                                  : fmt::format("it goes into the message of {}, behind {}",
                                                                graph_.tensor(layout.members.front()).id,
                                                                graph_.tensor(layout.members[i - 1]).id)});
    }
  }

  void remark(Remark::Kind kind, TensorIndex t, std::string text) {
    if (context_.records()) context_.say(Step{step::Note{text}, {}});
    result_.report.remarks.push_back(Remark{kind, t == kNoTensor ? kNoOp : graph_.producer(t), t, std::move(text)});
  }

  const Staged& staged_;
  const Graph& graph_;
  FusionSettings settings_;
  RunContext& context_;
  std::vector<TensorIndex> sent_;
  std::vector<Message> messages_;  // of sent_
  std::vector<Layout> layouts_;
  Transformed result_;
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  auto settings = fusion_settings(params);
  if (!settings) return tl::unexpected(settings.error());
  return Fusion(staged, std::move(*settings), context).run();
}

}  // namespace

Transform fusion_preset(std::string id, std::string title, std::string summary,
                        const std::map<std::string, std::string>& defaults) {
  Transform transform;
  transform.id = std::move(id);
  transform.title = std::move(title);
  transform.summary = std::move(summary);
  transform.source =
      "PyTorch DDP reducer.cpp; horovod controller.cc; Megatron-LM param_and_grad_buffer.py; DeepSpeed ZeRO";
  transform.params = fusion_params();
  for (ParamSpec& param : transform.params) {
    if (const auto given = defaults.find(param.key); given != defaults.end()) param.value = given->second;
  }
  transform.run = run;
  return transform;
}

Transform fusion_transform() {
  return fusion_preset("fusion", "Joined messages",
                       "Tensors that are sent lie one behind the other, so that one message carries several.", {});
}

}  // namespace stowage
