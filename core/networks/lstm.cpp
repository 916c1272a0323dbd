#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

struct LstmSizes {
  std::int64_t steps = 1;
  std::int64_t layers = 1;
  std::int64_t hidden = 1;
  std::int64_t input = 1;
  std::int64_t words = 0;    // of the input vocabulary; 0: the inputs are vectors
  std::int64_t classes = 0;  // told apart at each step; 0: the last layer's results are the outputs
};

/// An LSTM unrolled over its steps, which share their weights; with a loss at each step.
class Lstm {
 public:
  Lstm(NetBuilder& net, const LstmSizes& sizes) : net_(net), sizes_(sizes) {}

  void build() {
    declare();
    for (std::int64_t step = 0; step < sizes_.steps && !net_.failed(); ++step) {
      const std::string at = fmt::format("t{}", step);
      TensorIndex x = read(at);
      for (std::size_t l = 0; l < layers_.size() && !net_.failed(); ++l) {
        x = cell(fmt::format("{}.l{}", at, l), x, layers_[l]);
      }
      end(at, x);
    }
  }

 private:
  struct Layer {
    DenseWeights from_input;
    DenseWeights from_hidden;
    TensorIndex hidden = kNoTensor;  // of the step before
    TensorIndex cell = kNoTensor;
  };

  std::int64_t batch() const { return net_.options().batch; }

  void declare() {
    if (sizes_.words > 0) words_ = net_.weight("embedding", {sizes_.words, sizes_.input});
    for (std::int64_t l = 0; l < sizes_.layers && !net_.failed(); ++l) {
      const std::string id = fmt::format("l{}", l);
      Layer layer;
      layer.from_input = net_.dense_weights(id + ".i2h", l == 0 ? sizes_.input : sizes_.hidden, 4 * sizes_.hidden);
      layer.from_hidden = net_.dense_weights(id + ".h2h", sizes_.hidden, 4 * sizes_.hidden);
      layer.hidden = net_.input(id + ".h0", {batch(), sizes_.hidden}, std::nullopt, TensorKind::kState);
      layer.cell = net_.input(id + ".c0", {batch(), sizes_.hidden}, std::nullopt, TensorKind::kState);
      layers_.push_back(layer);
    }
    if (sizes_.classes > 0) head_ = net_.dense_weights("head", sizes_.hidden, sizes_.classes);
  }

  TensorIndex read(const std::string& at) {
    if (sizes_.words == 0) return net_.input(at + ".x", {batch(), sizes_.input});
    const TensorIndex word = net_.input(at + ".word", {batch()}, DataType::kInt32);
    return net_.embedding(at + ".embed", words_, word);
  }

  /// h = o * tanh(c), c = f * c' + i * g; the gates i, g, f, o come from one product with x and one with h', in
  /// this order (that of MXNet's LSTM cells, on which Chen et al. measured).
  TensorIndex cell(const std::string& id, TensorIndex x, Layer& layer) {
    const TensorIndex from_input = net_.dense(id + ".i2h", x, layer.from_input);
    const TensorIndex from_hidden = net_.dense(id + ".h2h", layer.hidden, layer.from_hidden);
    const TensorIndex sum = net_.add(id + ".sum", from_input, from_hidden);
    const std::vector<TensorIndex> parts = net_.split(id + ".split", sum, {"i", "g", "f", "o"});
    const TensorIndex i = net_.activate(id + ".i", parts[0], Activation::kSigmoid);
    const TensorIndex g = net_.activate(id + ".g", parts[1], Activation::kTanh);
    const TensorIndex f = net_.activate(id + ".f", parts[2], Activation::kSigmoid);
    const TensorIndex o = net_.activate(id + ".o", parts[3], Activation::kSigmoid);
    const TensorIndex kept = net_.mul(id + ".kept", f, layer.cell);
    const TensorIndex fresh = net_.mul(id + ".fresh", i, g);
    layer.cell = net_.add(id + ".c", kept, fresh);
    layer.hidden = net_.mul(id + ".h", o, net_.activate(id + ".tanh_c", layer.cell, Activation::kTanh));
    return layer.hidden;
  }

  void end(const std::string& at, TensorIndex x) {
    if (sizes_.classes == 0) return net_.output(x);
    const TensorIndex logits = net_.dense(at + ".logits", x, head_);
    if (!net_.training()) return net_.output(logits);
    net_.cross_entropy(at + ".loss", logits, net_.input(at + ".label", {batch()}, DataType::kInt32));
  }

  NetBuilder& net_;
  LstmSizes sizes_;
  TensorIndex words_ = kNoTensor;
  DenseWeights head_;
  std::vector<Layer> layers_;
};

Result<GraphInput> build_lstm(const ParamValues& values) {
  constexpr std::int64_t kWidest = 1LL << 30;
  ParamReader params(values);
  LstmSizes sizes;
  sizes.steps = params.count("seq", 1, 1'000'000);
  sizes.layers = params.count("layers", 1, 100'000);
  sizes.hidden = params.count("hidden", 1, kWidest);
  sizes.input = params.count("input", 1, kWidest);
  sizes.words = params.count("words", 0, kWidest);
  sizes.classes = params.count("classes", 0, kWidest);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("lstm", options);
  Lstm(net, sizes).build();
  return net.finish();
}

}  // namespace

std::vector<Network> lstm_networks() {
  return {{"lstm", "Unrolled LSTM", "Layers of LSTM cells over the steps of a sequence, with an output at each step",
           "Hochreiter, Schmidhuber: Long short-term memory, 1997; sizes of Chen et al., arXiv 1604.06174",
           with_training({batch_param(64),
                          count_param("seq", "steps of the sequence", 64, {"64", "128", "256", "512", "1000"}),
                          count_param("layers", "cells on top of each other", 4, {"2", "4"}),
                          count_param("hidden", "size of the state", 1024, {"1024"}),
                          count_param("input", "size of an input vector", 1024, {"1024"}),
                          count_param("words", "input vocabulary; 0: the inputs are vectors", 50, {"0", "50"}),
                          count_param("classes", "classes told apart at each step; 0: none", 5000, {"0", "5000"})}),
           build_lstm}};
}

}  // namespace stowage
