// Layers of vectors and sequences, and elementwise ones; images are in builder.cpp.
#include <algorithm>
#include <utility>

#include "core/networks/builder.h"

namespace stowage {
namespace {

/// Results of elementwise ops may take the place of an operand of their own shape.
std::vector<SlotPair> elementwise_pairs(const Shape& result, const Shape& a, const Shape& b) {
  std::vector<SlotPair> pairs;
  if (a == result) pairs.push_back({0, 0});
  if (b == result) pairs.push_back({1, 0});
  return pairs;
}

}  // namespace

/// What a dense layer sees of one example, or of one step of a sequence: images are flattened.
std::int64_t NetBuilder::features_of(TensorIndex x) const {
  const Shape& from = shape(x);
  return from.size() == 4 ? from[1] * from[2] * from[3] : from.back();
}

DenseWeights NetBuilder::dense_weights(const std::string& id, std::int64_t features, std::int64_t units, bool bias) {
  DenseWeights weights;
  weights.weight = weight(id + ".weight", {units, features});
  if (bias) weights.bias = weight(id + ".bias", {units});
  return weights;
}

TensorIndex NetBuilder::dense(const std::string& id, TensorIndex x, std::int64_t units, Activation activation) {
  if (failed()) return kNoTensor;
  return dense(id, x, dense_weights(id, features_of(x), units), activation);
}

TensorIndex NetBuilder::dense(const std::string& id, TensorIndex x, const DenseWeights& weights,
                              Activation activation) {
  if (failed()) return kNoTensor;
  const std::int64_t features = features_of(x);
  const std::int64_t units = shape(weights.weight)[0];
  Shape to = shape(x);
  if (to.size() == 4) to.resize(2);
  to.back() = units;
  const std::optional<std::int64_t> elements = element_count(to);
  if (!elements) return fail(id + " has more elements than can be counted");
  std::vector<TensorIndex> in = {x, weights.weight};
  if (weights.bias != kNoTensor) in.push_back(weights.bias);
  const std::int64_t flops = flops_of(id, {*elements, features});
  const bool whole = options_.fused || activation == Activation::kNone;
  const std::string type = whole ? fused_type({"Dense", op_type(activation)}) : "Dense";
  const TensorIndex y = op(type, id, std::move(in), std::move(to), {}, flops);
  return whole ? y : activate(id + ".act", y, activation);
}

std::vector<TensorIndex> NetBuilder::dense_parts(const std::string& id, TensorIndex x, const DenseWeights& weights,
                                                 const std::vector<std::string>& parts) {
  std::vector<TensorIndex> results(parts.size(), kNoTensor);
  if (failed()) return results;
  Shape to = shape(x);
  to.back() = shape(weights.weight)[0] / static_cast<std::int64_t>(parts.size());
  const std::optional<std::int64_t> elements = element_count(to);
  if (!elements) {
    fail(id + " has more elements than can be counted");
    return results;
  }
  Op op;
  op.id = id;
  op.type = "Dense";
  op.in = {x, weights.weight};
  if (weights.bias != kNoTensor) op.in.push_back(weights.bias);
  op.flops = flops_of(id, {*elements, static_cast<std::int64_t>(parts.size()), features_of(x)});
  for (std::size_t i = 0; i < parts.size(); ++i) results[i] = tensor(parts[i], to);
  op.out = results;
  append(std::move(op));
  return results;
}

TensorIndex NetBuilder::matmul(const std::string& id, TensorIndex a, TensorIndex b, Shape shape, std::int64_t depth) {
  if (failed()) return kNoTensor;
  const std::optional<std::int64_t> elements = element_count(shape);
  if (!elements) return fail(id + " has more elements than can be counted");
  return op("MatMul", id, {a, b}, std::move(shape), {}, flops_of(id, {*elements, depth}));
}

TensorIndex NetBuilder::activate(const std::string& id, TensorIndex x, Activation activation) {
  if (failed()) return kNoTensor;
  const std::string type(op_type(activation));
  // What the gradient reads must not be written over.
  const bool in_place = !training() || derivative_from_result(type);
  return op(type, id, {x}, shape(x), in_place ? std::vector<SlotPair>{{0, 0}} : std::vector<SlotPair>());
}

TensorIndex NetBuilder::exp(const std::string& id, TensorIndex x) {
  return op("Exp", id, {x}, shape(x), {{0, 0}});
}

TensorIndex NetBuilder::add_constant(const std::string& id, TensorIndex x) {
  return op("AddConstant", id, {x}, shape(x), {{0, 0}});
}

TensorIndex NetBuilder::elementwise(std::string type, const std::string& id, TensorIndex a, TensorIndex b) {
  return op(std::move(type), id, {a, b}, shape(a), elementwise_pairs(shape(a), shape(a), shape(b)));
}

TensorIndex NetBuilder::add(const std::string& id, TensorIndex a, TensorIndex b, Activation activation) {
  if (options_.fused) return elementwise(fused_type({"Add", op_type(activation)}), id, a, b);
  const TensorIndex sum = elementwise("Add", id, a, b);
  return activation == Activation::kNone ? sum : activate(id + ".act", sum, activation);
}

TensorIndex NetBuilder::mul(const std::string& id, TensorIndex a, TensorIndex b) {
  return elementwise("Mul", id, a, b);
}

TensorIndex NetBuilder::concat(const std::string& id, std::span<const TensorIndex> parts) {
  if (failed()) return kNoTensor;
  Shape to = shape(parts.front());
  to[1] = 0;
  for (const TensorIndex part : parts) to[1] += shape(part)[1];
  return op("Concat", id, {parts.begin(), parts.end()}, std::move(to));
}

std::vector<TensorIndex> NetBuilder::split(const std::string& id, TensorIndex x,
                                           const std::vector<std::string>& parts) {
  std::vector<TensorIndex> results(parts.size(), kNoTensor);
  if (failed()) return results;
  Shape to = shape(x);
  to.back() /= static_cast<std::int64_t>(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) results[i] = tensor(id + "." + parts[i], to);
  Op op;
  op.id = id;
  op.type = "Split";
  op.in = {x};
  op.out = results;
  append(std::move(op));
  return results;
}

TensorIndex NetBuilder::softmax(const std::string& id, TensorIndex x) {
  return op("Softmax", id, {x}, shape(x), {{0, 0}});
}

TensorIndex NetBuilder::layer_norm(const std::string& id, TensorIndex x) {
  if (failed()) return kNoTensor;
  const Shape like = shape(x);
  std::vector<TensorIndex> in = {x};
  for (const TensorIndex t : norm_weights(id, like.back())) in.push_back(t);
  if (!training()) return op("LayerNorm", id, std::move(in), like, {{0, 0}});
  const TensorIndex y = op("LayerNorm", id, std::move(in), like);
  const Shape rows(like.begin(), like.end() - 1);
  const TensorIndex mean = tensor(id + ".mean", rows, DataType::kFloat32);
  const TensorIndex rstd = tensor(id + ".rstd", rows, DataType::kFloat32);
  if (failed()) return kNoTensor;
  graph_.ops.back().out = {y, mean, rstd};
  return y;
}

TensorIndex NetBuilder::embedding(const std::string& id, TensorIndex table, TensorIndex indices) {
  if (failed()) return kNoTensor;
  Shape to = shape(indices);
  to.insert(to.end(), shape(table).begin() + 1, shape(table).end());
  return op("Gather", id, {table, indices}, std::move(to));
}

TensorIndex NetBuilder::dropout(const std::string& id, TensorIndex x) {
  if (!training() || failed()) return x;
  const TensorIndex y = op("Dropout", id, {x}, shape(x), {{0, 0}});
  const TensorIndex mask = tensor(id + ".mask", shape(y), DataType::kBool);
  if (failed()) return kNoTensor;
  graph_.ops.back().out = {y, mask};
  return y;
}

}  // namespace stowage
