#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

struct LayerSizes {
  std::int64_t heads = 1;
  std::int64_t inner = 1;                     // width of the feed-forward part
  Activation activation = Activation::kGelu;  // of the feed-forward part
  bool norm_first = false;                    // before each half; else after its residual add
  bool dropout = true;                        // while training
  bool joint_projection = false;              // q, k and v come from one product
};

/// One layer of self-attention and feed-forward, both with a residual.
class TransformerLayer {
 public:
  TransformerLayer(NetBuilder& net, std::string id, const LayerSizes& sizes)
      : net_(net), id_(std::move(id)), sizes_(sizes) {}

  TensorIndex build(TensorIndex x) {
    if (net_.failed()) return kNoTensor;
    if (sizes_.norm_first) {
      x = net_.add(id_ + ".residual1", attention(net_.layer_norm(id_ + ".ln1", x)), x);
      return net_.add(id_ + ".residual2", feed_forward(net_.layer_norm(id_ + ".ln2", x)), x);
    }
    x = net_.layer_norm(id_ + ".ln1", net_.add(id_ + ".residual1", attention(x), x));
    return net_.layer_norm(id_ + ".ln2", net_.add(id_ + ".residual2", feed_forward(x), x));
  }

 private:
  TensorIndex drop(const std::string& id, TensorIndex x) { return sizes_.dropout ? net_.dropout(id, x) : x; }

  TensorIndex attention(TensorIndex x) {
    if (net_.failed()) return kNoTensor;
    const Shape like = net_.shape(x);  // batch, steps, width
    const std::int64_t batch = like[0];
    const std::int64_t steps = like[1];
    const std::int64_t width = like[2];
    const std::vector<std::string> names = {id_ + ".q", id_ + ".k", id_ + ".v"};
    std::vector<TensorIndex> qkv;
    if (sizes_.joint_projection) {
      qkv = net_.dense_parts(id_ + ".qkv", x, net_.dense_weights(id_ + ".qkv", width, 3 * width), names);
    } else {
      for (const std::string& name : names) qkv.push_back(net_.dense(name, x, width));
    }
    const Shape square = {batch, sizes_.heads, steps, steps};
    TensorIndex weights = net_.matmul(id_ + ".scores", qkv[0], qkv[1], square, width / sizes_.heads);
    weights = drop(id_ + ".attention_drop", net_.softmax(id_ + ".softmax", weights));
    const TensorIndex context = net_.matmul(id_ + ".context", weights, qkv[2], like, steps);
    return drop(id_ + ".proj_drop", net_.dense(id_ + ".proj", context, width));
  }

  TensorIndex feed_forward(TensorIndex x) {
    if (net_.failed()) return kNoTensor;
    const std::int64_t width = net_.shape(x)[2];
    const TensorIndex inner = net_.dense(id_ + ".ff1", x, sizes_.inner, sizes_.activation);
    return drop(id_ + ".ff_drop", net_.dense(id_ + ".ff2", inner, width));
  }

  NetBuilder& net_;
  std::string id_;
  LayerSizes sizes_;
};

constexpr std::int64_t kWidest = 1LL << 30;

Result<void> check_heads(std::int64_t width, std::int64_t heads) {
  if (width % heads == 0) return {};
  return usage_error(fmt::format("{} heads do not divide a width of {} evenly", heads, width));
}

Result<GraphInput> build_encoder(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t steps = params.count("seq", 1, kWidest);
  const std::int64_t width = params.count("width", 1, kWidest);
  const std::int64_t layers = params.count("layers", 1, 10'000);
  LayerSizes sizes;
  sizes.heads = params.count("heads", 1, kWidest);
  sizes.inner = params.count("inner", 1, kWidest);
  sizes.activation = params.choice("activation") == "gelu" ? Activation::kGelu : Activation::kRelu;
  sizes.norm_first = params.choice("norm") == "first";
  sizes.dropout = params.flag("dropout");
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  if (const Result<void> sound = check_heads(width, sizes.heads); !sound) return tl::unexpected(sound.error());
  NetBuilder net("transformer-encoder", options);
  TensorIndex x = net.input("x", {options.batch, steps, width});
  for (std::int64_t l = 0; l < layers && !net.failed(); ++l) {
    x = TransformerLayer(net, fmt::format("layer{}", l), sizes).build(x);
  }
  net.output(x);
  return net.finish();
}

/// Logits of every position from a head that is the word table again.
Result<GraphInput> build_gpt2(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t vocabulary = params.count("vocabulary", 1, kWidest);
  const std::int64_t positions = params.count("positions", 1, kWidest);
  const std::int64_t steps = params.count("seq", 1, positions);
  const std::int64_t layers = params.count("layers", 1, 10'000);
  const std::int64_t width = params.count("width", 1, kWidest);
  LayerSizes sizes{
      .heads = params.count("heads", 1, kWidest), .inner = 4 * width, .norm_first = true, .joint_projection = true};
  sizes.dropout = params.flag("dropout");
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  if (const Result<void> sound = check_heads(width, sizes.heads); !sound) return tl::unexpected(sound.error());
  NetBuilder net("gpt2-small", options);
  const TensorIndex words = net.weight("wte", {vocabulary, width});
  const TensorIndex table = net.weight("wpe", {positions, width});
  const TensorIndex tokens = net.input("tokens", {options.batch, steps}, DataType::kInt32);
  const TensorIndex places = net.input("positions", {steps}, DataType::kInt32);
  TensorIndex x =
      net.add("embed", net.embedding("embed.words", words, tokens), net.embedding("embed.places", table, places));
  if (sizes.dropout) x = net.dropout("embed.drop", x);
  for (std::int64_t l = 0; l < layers && !net.failed(); ++l) {
    x = TransformerLayer(net, fmt::format("h{}", l), sizes).build(x);
  }
  const TensorIndex logits = net.dense("logits", net.layer_norm("ln_f", x), DenseWeights{words, kNoTensor});
  if (net.training()) {
    net.cross_entropy("loss", logits, net.input("labels", {options.batch, steps}, DataType::kInt32));
  } else {
    net.output(logits);
  }
  return net.finish();
}

ParamSpec dropout_param() {
  return flag_param("dropout", "with dropout while training: a mask of one byte an element is kept", true);
}

std::vector<ParamSpec> encoder_params() {
  return with_training({batch_param(), count_param("seq", "steps of the sequence", 128, {"128", "512", "2048"}),
                        count_param("layers", "layers on top of each other", 1, {"1", "6"}),
                        count_param("width", "features of a step", 512, {"512", "768"}),
                        count_param("heads", "attention heads", 8, {"8", "12"}),
                        count_param("inner", "width of the feed-forward part", 2048, {"2048", "3072"}),
                        ParamSpec{"activation", "of the feed-forward part", "relu", {"relu", "gelu"}},
                        ParamSpec{"norm", "layer norm before each half, or after its add", "last", {"last", "first"}},
                        dropout_param()});
}

std::vector<ParamSpec> gpt2_params() {
  return with_training({batch_param(),
                        count_param("seq", "steps of the sequence, up to positions", 1024, {"128", "1024"}),
                        count_param("layers", "layers on top of each other", 12, {"12", "24", "36", "48"}),
                        count_param("width", "features of a step", 768, {"768", "1024", "1280", "1600"}),
                        count_param("heads", "attention heads", 12, {"12", "16", "20", "25"}),
                        count_param("vocabulary", "words", 50257, {"50257"}),
                        count_param("positions", "of the longest sequence", 1024, {"1024"}), dropout_param()});
}

}  // namespace

std::vector<Network> transformer_networks() {
  return {{"transformer-encoder", "Transformer encoder layer", "Self-attention and feed-forward, both with a residual",
           "Vaswani et al.: Attention is all you need, arXiv 1706.03762", encoder_params(), build_encoder},
          {"gpt2-small", "GPT-2 small", "Twelve decoder layers of width 768; the head is the word table again",
           "Radford et al.: Language models are unsupervised multitask learners, 2019", gpt2_params(), build_gpt2}};
}

}  // namespace stowage
