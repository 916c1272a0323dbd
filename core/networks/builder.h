#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/networks/gradients.h"
#include "core/networks/op_types.h"
#include "core/networks/options.h"

namespace stowage {

using Shape = std::vector<std::int64_t>;

struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;
};

struct ConvSpec {
  std::int64_t channels = 1;  // of the result
  Extent kernel = {};
  std::int64_t stride = 1;
  Extent padding = {0, 0};  // on each side
  std::int64_t groups = 1;  // as many as input channels: depthwise
  bool batch_norm = false;  // the convolution then has no bias
  Activation activation = Activation::kNone;
};

struct PoolSpec {
  std::int64_t kernel = 2;
  std::int64_t stride = 2;
  std::int64_t padding = 0;  // on each side
};

/// The weight [units, features] of a dense layer and its bias [units], which may be kNoTensor.
struct DenseWeights {
  TensorIndex weight = kNoTensor;
  TensorIndex bias = kNoTensor;
};

/// Writes an operator graph as one writes a layer table: each call adds the op (or ops, when not fused) of a layer and
/// returns its result. Images are [batch, channels, height, width], sequences [batch, steps, features].
///
/// flops of an op are two for each multiply-accumulate of its convolution or matrix product; everything else counts 0,
/// as in published totals. Weights have the published shapes, so their elements add up to the published parameters.
///
/// The first layer that makes no sense (a kernel larger than its image, a size outside int64) is the error that
/// finish() returns; after it calls return kNoTensor and add nothing.
class NetBuilder {
 public:
  NetBuilder(std::string name, const NetworkOptions& options);

  const NetworkOptions& options() const { return options_; }
  bool training() const { return options_.training; }
  bool failed() const { return error_.has_value(); }
  /// Of a result; empty after an error.
  const Shape& shape(TensorIndex t) const;

  TensorIndex input(std::string id, Shape shape, std::optional<DataType> type = std::nullopt,
                    TensorKind kind = TensorKind::kInput);
  TensorIndex weight(std::string id, Shape shape, TensorKind kind = TensorKind::kWeight);

  TensorIndex conv(const std::string& id, TensorIndex x, const ConvSpec& spec);
  /// A border that does not fill a window is left out.
  TensorIndex max_pool(const std::string& id, TensorIndex x, const PoolSpec& spec);
  TensorIndex average_pool(const std::string& id, TensorIndex x, const PoolSpec& spec);
  /// [batch, channels, h, w] to [batch, channels].
  TensorIndex global_pool(const std::string& id, TensorIndex x);

  DenseWeights dense_weights(const std::string& id, std::int64_t features, std::int64_t units, bool bias = true);
  /// Images are flattened first, which moves nothing.
  TensorIndex dense(const std::string& id, TensorIndex x, std::int64_t units,
                    Activation activation = Activation::kNone);
  TensorIndex dense(const std::string& id, TensorIndex x, const DenseWeights& weights,
                    Activation activation = Activation::kNone);
  /// One product whose result comes in equal parts, as tensors of their own.
  std::vector<TensorIndex> dense_parts(const std::string& id, TensorIndex x, const DenseWeights& weights,
                                       const std::vector<std::string>& parts);
  /// The product of two activations, `depth` multiply-accumulates for each element of the result.
  TensorIndex matmul(const std::string& id, TensorIndex a, TensorIndex b, Shape shape, std::int64_t depth);

  TensorIndex activate(const std::string& id, TensorIndex x, Activation activation);
  TensorIndex exp(const std::string& id, TensorIndex x);
  /// x plus a number that is part of the op.
  TensorIndex add_constant(const std::string& id, TensorIndex x);
  /// Elementwise; b may be smaller than a and is then repeated.
  TensorIndex add(const std::string& id, TensorIndex a, TensorIndex b, Activation activation = Activation::kNone);
  TensorIndex mul(const std::string& id, TensorIndex a, TensorIndex b);
  /// Along the channels of images.
  TensorIndex concat(const std::string& id, std::span<const TensorIndex> parts);
  /// Along the last dimension, into equal parts named id.part.
  std::vector<TensorIndex> split(const std::string& id, TensorIndex x, const std::vector<std::string>& parts);
  TensorIndex softmax(const std::string& id, TensorIndex x);
  TensorIndex layer_norm(const std::string& id, TensorIndex x);
  /// The rows of `table` that the indices name; the shape of the result is that of the indices, then a row.
  TensorIndex embedding(const std::string& id, TensorIndex table, TensorIndex indices);
  /// Training only: a mask of one byte an element is drawn. Otherwise x itself.
  TensorIndex dropout(const std::string& id, TensorIndex x);

  /// The mean loss of [.., classes] against labels: a scalar, an output. Its gradient is taken when finishing.
  void cross_entropy(const std::string& id, TensorIndex logits, TensorIndex labels);
  /// A classifier's end: without training the logits are an output; with training the probabilities are made and
  /// compared with labels.
  void classify(const std::string& id, TensorIndex logits);
  /// An output; with training, the gradient that arrives for it is an input of the graph.
  void output(TensorIndex t);
  /// With training, the gradient of this input is an output too.
  void differentiate(TensorIndex t) { gradients_.inputs.push_back(t); }

  /// The graph, with gradients when training, and with durations (cost.h).
  Result<GraphInput> finish();

 private:
  TensorIndex fail(std::string message);
  TensorIndex tensor(std::string id, Shape shape, std::optional<DataType> type = std::nullopt,
                     TensorKind kind = TensorKind::kActivation);
  void append(Op op);
  /// An op of one result, named like it. No result after an error.
  TensorIndex op(std::string type, const std::string& id, std::vector<TensorIndex> in, Shape shape,
                 std::vector<SlotPair> inplace = {}, std::int64_t flops = 0);
  std::int64_t flops_of(const std::string& id, std::initializer_list<std::int64_t> factors);
  std::optional<std::int64_t> window(const std::string& id, std::int64_t size, std::int64_t kernel, std::int64_t stride,
                                     std::int64_t padding);
  TensorIndex pool(std::string type, const std::string& id, TensorIndex x, const PoolSpec& spec);
  std::vector<TensorIndex> norm_weights(const std::string& id, std::int64_t channels);
  TensorIndex batch_norm(const std::string& id, TensorIndex x);
  TensorIndex elementwise(std::string type, const std::string& id, TensorIndex a, TensorIndex b);
  std::int64_t features_of(TensorIndex x) const;

  NetworkOptions options_;
  GraphInput graph_;
  GradientOptions gradients_;
  TensorIndex labels_ = kNoTensor;  // of a classifier
  std::int64_t flops_ = 0;          // of all ops so far
  std::optional<Error> error_;
};

}  // namespace stowage
