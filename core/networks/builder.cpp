#include "core/networks/builder.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/networks/cost.h"

namespace stowage {
namespace {

constexpr std::size_t kMostOps = 250'000;  // of the forward part; keeps any parameters from eating all memory

}  // namespace

NetBuilder::NetBuilder(std::string name, const NetworkOptions& options) : options_(options) {
  graph_.name = std::move(name);
  gradients_.joint = options.joint_gradients;
  gradients_.given = options.given_gradients;
}

const Shape& NetBuilder::shape(TensorIndex t) const {
  static const Shape kNone;
  return t < graph_.tensors.size() ? *graph_.tensors[t].shape : kNone;
}

TensorIndex NetBuilder::fail(std::string message) {
  if (!error_) error_ = Error{Error::Kind::kUsage, std::move(message)};
  return kNoTensor;
}

TensorIndex NetBuilder::tensor(std::string id, Shape shape, std::optional<DataType> type, TensorKind kind) {
  if (failed()) return kNoTensor;
  Tensor tensor;
  tensor.type = type.value_or(options_.type);
  tensor.bytes = packed_bytes(shape, tensor.type);
  if (!tensor.bytes) return fail(fmt::format("{} needs more than 2^63-1 bytes", id));
  tensor.id = std::move(id);
  tensor.shape = std::move(shape);
  tensor.kind = kind;
  return graph_.add(std::move(tensor));
}

TensorIndex NetBuilder::input(std::string id, Shape shape, std::optional<DataType> type, TensorKind kind) {
  const TensorIndex t = tensor(std::move(id), std::move(shape), type, kind);
  if (t != kNoTensor) graph_.inputs.push_back(t);
  return t;
}

TensorIndex NetBuilder::weight(std::string id, Shape shape, TensorKind kind) {
  return tensor(std::move(id), std::move(shape), std::nullopt, kind);
}

void NetBuilder::append(Op op) {
  if (failed()) return;
  if (graph_.ops.size() == kMostOps) {
    fail(fmt::format("that would be more than {} ops", kMostOps));
    return;
  }
  graph_.add(std::move(op));
}

TensorIndex NetBuilder::op(std::string type, const std::string& id, std::vector<TensorIndex> in, Shape shape,
                           std::vector<SlotPair> inplace, std::int64_t flops) {
  const TensorIndex y = tensor(id, std::move(shape));
  Op op;
  op.id = id;
  op.type = std::move(type);
  op.in = std::move(in);
  op.out = {y};
  op.inplace = std::move(inplace);
  op.flops = flops;
  append(std::move(op));
  return failed() ? kNoTensor : y;
}

std::int64_t NetBuilder::flops_of(const std::string& id, std::initializer_list<std::int64_t> factors) {
  // Backward takes up to twice as much again, and that must still fit.
  constexpr std::int64_t kMost = kMaxInt64 / 4;
  const std::optional<std::int64_t> products = element_count(std::span(factors.begin(), factors.size()));
  const bool fits = products && *products <= kMost / 2;
  const std::optional<std::int64_t> sum = fits ? checked_add(flops_, 2 * *products) : std::nullopt;
  if (!sum || *sum > kMost) {
    fail(fmt::format("up to {} the network has more operations than can be counted", id));
    return 0;
  }
  flops_ = *sum;
  return 2 * *products;
}

std::optional<std::int64_t> NetBuilder::window(const std::string& id, std::int64_t size, std::int64_t kernel,
                                               std::int64_t stride, std::int64_t padding) {
  const std::optional<std::int64_t> padded = checked_add(size, 2 * padding);
  if (!padded || *padded < kernel) {
    fail(fmt::format("the input is too small: at {} a window of {} has to fit into {}{}", id, kernel, size,
                     padding > 0 ? fmt::format(" padded by {}", padding) : ""));
    return std::nullopt;
  }
  return (*padded - kernel) / stride + 1;
}

std::vector<TensorIndex> NetBuilder::norm_weights(const std::string& id, std::int64_t channels) {
  std::vector<TensorIndex> weights = {weight(id + ".gamma", {channels}), weight(id + ".beta", {channels})};
  return weights;
}

TensorIndex NetBuilder::conv(const std::string& id, TensorIndex x, const ConvSpec& spec) {
  if (failed()) return kNoTensor;
  const Shape from = shape(x);
  const auto height = window(id, from[2], spec.kernel.height, spec.stride, spec.padding.height);
  const auto width = window(id, from[3], spec.kernel.width, spec.stride, spec.padding.width);
  if (!height || !width) return kNoTensor;
  const std::int64_t depth = from[1] / spec.groups;
  Shape to = {from[0], spec.channels, *height, *width};
  std::vector<TensorIndex> in = {x,
                                 weight(id + ".weight", {spec.channels, depth, spec.kernel.height, spec.kernel.width})};
  if (!spec.batch_norm) in.push_back(weight(id + ".bias", {spec.channels}));
  const std::int64_t flops =
      flops_of(id, {from[0], spec.channels, *height, *width, depth, spec.kernel.height, spec.kernel.width});
  if (!options_.fused) {
    TensorIndex y = op("Conv", id, std::move(in), std::move(to), {}, flops);
    if (spec.batch_norm) y = batch_norm(id + ".bn", y);
    return spec.activation == Activation::kNone ? y : activate(id + ".act", y, spec.activation);
  }
  if (spec.batch_norm) {
    for (const TensorIndex t : norm_weights(id + ".bn", spec.channels)) in.push_back(t);
    in.push_back(weight(id + ".bn.mean", {spec.channels}, TensorKind::kState));
    in.push_back(weight(id + ".bn.variance", {spec.channels}, TensorKind::kState));
  }
  const std::string type = fused_type({"Conv", spec.batch_norm ? "BatchNorm" : "", op_type(spec.activation)});
  return op(type, id, std::move(in), std::move(to), {}, flops);
}

TensorIndex NetBuilder::batch_norm(const std::string& id, TensorIndex x) {
  if (failed()) return kNoTensor;
  const Shape like = shape(x);
  std::vector<TensorIndex> in = {x};
  for (const TensorIndex t : norm_weights(id, like[1])) in.push_back(t);
  if (!training()) {
    in.push_back(weight(id + ".mean", {like[1]}, TensorKind::kState));
    in.push_back(weight(id + ".variance", {like[1]}, TensorKind::kState));
    return op("BatchNorm", id, std::move(in), like, {{0, 0}});
  }
  const TensorIndex y = op("BatchNorm", id, std::move(in), like);
  const TensorIndex mean = tensor(id + ".mean", {like[1]}, DataType::kFloat32);
  const TensorIndex rstd = tensor(id + ".rstd", {like[1]}, DataType::kFloat32);
  if (failed()) return kNoTensor;
  graph_.ops.back().out = {y, mean, rstd};
  return y;
}

TensorIndex NetBuilder::pool(std::string type, const std::string& id, TensorIndex x, const PoolSpec& spec) {
  if (failed()) return kNoTensor;
  const Shape from = shape(x);
  const auto height = window(id, from[2], spec.kernel, spec.stride, spec.padding);
  const auto width = window(id, from[3], spec.kernel, spec.stride, spec.padding);
  if (!height || !width) return kNoTensor;
  return op(std::move(type), id, {x}, {from[0], from[1], *height, *width});
}

TensorIndex NetBuilder::max_pool(const std::string& id, TensorIndex x, const PoolSpec& spec) {
  return pool("MaxPool", id, x, spec);
}

TensorIndex NetBuilder::average_pool(const std::string& id, TensorIndex x, const PoolSpec& spec) {
  return pool("AveragePool", id, x, spec);
}

TensorIndex NetBuilder::global_pool(const std::string& id, TensorIndex x) {
  if (failed()) return kNoTensor;
  return op("GlobalAveragePool", id, {x}, {shape(x)[0], shape(x)[1]});
}

void NetBuilder::classify(const std::string& id, TensorIndex logits) {
  if (!training()) return output(logits);
  const TensorIndex probabilities = softmax(id, logits);
  if (failed()) return;
  if (labels_ == kNoTensor) labels_ = input("label", {shape(logits)[0]}, DataType::kInt32);
  gradients_.losses.push_back(Loss{probabilities, labels_});
}

void NetBuilder::cross_entropy(const std::string& id, TensorIndex logits, TensorIndex labels) {
  const TensorIndex loss = op("CrossEntropy", id, {logits, labels}, {});
  if (failed()) return;
  graph_.tensors[loss].kind = TensorKind::kOutput;
  graph_.outputs.push_back(loss);
  gradients_.losses.push_back(Loss{loss, kNoTensor});
}

void NetBuilder::output(TensorIndex t) {
  if (failed()) return;
  graph_.tensors[t].kind = TensorKind::kOutput;
  graph_.outputs.push_back(t);
  gradients_.losses.push_back(Loss{t, kNoTensor});
}

Result<GraphInput> NetBuilder::finish() {
  if (error_) return tl::unexpected(*error_);
  if (training()) {
    if (const Result<void> added = add_gradients(graph_, gradients_); !added) return tl::unexpected(added.error());
  }
  set_durations(graph_);
  return std::move(graph_);
}

}  // namespace stowage
