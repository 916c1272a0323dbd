#include "core/transforms/double_ended.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/base/text.h"
#include "core/graph/lower.h"
#include "core/transforms/param_values.h"
#include "core/transforms/registry.h"

namespace stowage {
namespace {

bool is_long_lived(const Tensor& tensor) {
  return tensor.kind == TensorKind::kWeight || tensor.kind == TensorKind::kConstant ||
         tensor.kind == TensorKind::kState;
}

/// What values need from their end at each step: their load, as lifetimes tell it.
Result<std::vector<std::int64_t>> loads(const Staged& staged) {
  LowerOptions options;
  options.streams = false;
  const auto lowered = lower(staged, options);
  if (!lowered) return tl::unexpected(lowered.error());
  std::vector<std::int64_t> loads(staged.schedule.order.size() + 1, 0);
  for (const Buffer& buffer : lowered->problem.buffers()) {
    if (!buffer.takes_memory() || buffer.space != 0) continue;
    loads[static_cast<std::size_t>(buffer.start)] += buffer.size;
    loads[static_cast<std::size_t>(buffer.end)] -= buffer.size;
  }
  for (std::size_t step = 1; step < loads.size(); ++step) loads[step] += loads[step - 1];
  return loads;
}

class DoubleEnded {
 public:
  DoubleEnded(const Staged& staged, bool weights_high, RunContext& context)
      : staged_(staged), weights_high_(weights_high), context_(context) {}

  Result<Transformed> run(std::optional<std::int64_t> given) {
    const auto needed = loads(staged_);
    if (!needed) return tl::unexpected(needed.error());
    const std::int64_t values = needed->empty() ? 0 : *std::max_element(needed->begin(), needed->end());
    GraphInput input = staged_.graph.input();
    for (Tensor& tensor : input.tensors) {
      if (!is_long_lived(tensor) || tensor.view_of != kNoTensor || !tensor.space.empty()) continue;
      tensor.space = kWeightsSpace;
      fixed_ = align_up(fixed_, tensor.alignment) + tensor.bytes.value_or(0);
    }
    const std::int64_t capacity = given.value_or(fixed_ + values);
    place(input, capacity);
    if (given) {
      collide(*needed, capacity);
    } else {
      tell_need(values);
    }
    auto graph = make_graph(std::move(input));
    if (!graph) return fail(Error::Kind::kRefused, "double-ended: " + graph.error().front().message);
    Transformed result{staged_, std::move(report_)};
    result.staged.graph = std::move(*graph);
    // Nobody asked for a limit: what values need by their lifetimes is less than what many plans take.
    if (!given) return result;
    result.staged.spaces.push_back({kWeightsSpace, fixed_});
    result.staged.spaces.push_back({kValuesSpace, std::max<std::int64_t>(0, capacity - fixed_)});
    return result;
  }

 private:
  void remark(Remark::Kind kind, OpIndex op, TensorIndex tensor, std::string text) {
    context_.say({step::Note{text}, {}});
    report_.remarks.push_back({kind, op, tensor, std::move(text)});
  }

  /// Weights one behind the other from their end, each at its alignment; the pointer never comes back.
  void place(const GraphInput& input, std::int64_t capacity) {
    context_.say({step::Phase{weights_high_ ? "weights from the top down" : "weights from the bottom up"}, {}});
    std::int64_t low = 0;
    std::int64_t high = capacity;
    for (TensorIndex t = 0; t < input.tensors.size(); ++t) {
      const Tensor& tensor = input.tensors[t];
      if (tensor.space != kWeightsSpace || tensor.view_of != kNoTensor) continue;
      const std::int64_t bytes = tensor.bytes.value_or(0);
      std::int64_t address = align_up(low, tensor.alignment);
      if (weights_high_) {
        if (high < bytes) break;  // told as a collision
        address = high = (high - bytes) / tensor.alignment * tensor.alignment;
      } else {
        low = address + bytes;
      }
      context_.say({step::Place{t, address}, {}});
      report_.remarks.push_back({Remark::Kind::kDone, kNoOp, t, fmt::format("{}: at {}", tensor.id, address)});
    }
    if (weights_high_) fixed_ = std::max(fixed_, capacity - high);
  }

  /// Without a capacity: how much there must be for the ends not to meet.
  void tell_need(std::int64_t values) {
    remark(Remark::Kind::kNote, kNoOp, kNoTensor,
           fmt::format("{} of weights, at least {} of values: below {} together the two ends meet; without a capacity "
                       "neither has a limit",
                       format_bytes(fixed_), format_bytes(values), format_bytes(fixed_ + values)));
  }

  /// The first op at which the two ends meet.
  void collide(const std::vector<std::int64_t>& needed, std::int64_t capacity) {
    const std::int64_t room = capacity - fixed_;
    if (room < 0) {
      return remark(Remark::Kind::kRefused, kNoOp, kNoTensor,
                    fmt::format("collision: the weights alone need {}, {} more than there is", format_bytes(fixed_),
                                format_bytes(-room)));
    }
    const auto above = std::find_if(needed.begin(), needed.end(), [&](std::int64_t bytes) { return bytes > room; });
    if (above != needed.end()) {
      const OpIndex op = staged_.schedule.order[static_cast<std::size_t>(above - needed.begin())];
      return remark(Remark::Kind::kRefused, op, kNoTensor,
                    fmt::format("collision: {} needs {} of values at once, {} more than the weights leave",
                                staged_.graph.op(op).id, format_bytes(*above), format_bytes(*above - room)));
    }
    const std::int64_t most = needed.empty() ? 0 : *std::max_element(needed.begin(), needed.end());
    remark(Remark::Kind::kNote, kNoOp, kNoTensor,
           fmt::format("{} of weights, at least {} of values, {} between them", format_bytes(fixed_),
                       format_bytes(most), format_bytes(room - most)));
  }

  const Staged& staged_;
  bool weights_high_;
  RunContext& context_;
  std::int64_t fixed_ = 0;  // bytes of weights, padded
  TransformReport report_;
};

Result<Transformed> run(const Staged& staged, const ParamValues& params, RunContext& context) {
  const auto capacity = optional_bytes(params, "capacity", "double-ended");
  if (!capacity) return tl::unexpected(capacity.error());
  return DoubleEnded(staged, params.at("weights") == "high", context).run(*capacity);
}

}  // namespace

Transform double_ended_transform() {
  Transform transform;
  transform.id = "double-ended";
  transform.title = "Double-ended placement";
  transform.summary =
      "Weights, constants and optimizer state grow from one end of the memory, values from the other; each side is a "
      "space of its own, and where they meet is told.";
  transform.source = "MindSpore's memory adapter: static memory from the top down, dynamic from 0 up";
  transform.params = {
      {"weights", "which end they begin at", "low", {"low", "high"}, true},
      {"capacity", "bytes between the ends; empty: no limit, what both need is told", "", {}, false},
  };
  transform.run = run;
  return transform;
}

}  // namespace stowage
