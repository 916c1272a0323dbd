#include <array>

#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

struct Depth {
  int layers;
  std::array<int, 4> blocks;  // of each stage
  bool bottleneck;            // 1x1, 3x3, 1x1 to four times the channels; else 3x3, 3x3
};

constexpr std::array<Depth, 7> kDepths = {{{18, {2, 2, 2, 2}, false},
                                           {34, {3, 4, 6, 3}, false},
                                           {50, {3, 4, 6, 3}, true},
                                           {101, {3, 4, 23, 3}, true},
                                           {152, {3, 8, 36, 3}, true},
                                           {200, {3, 24, 36, 3}, true},
                                           {1001, {3, 100, 227, 3}, true}}};

/// Where ReLU stands and how the first pool ends.
enum class Variant {
  kV15,    // the last ReLU of a block after its add, none on shortcuts; the pool pads
  kChart,  // ReLU after every convolution and none after adds; the pool does not pad
};

class ResNet {
 public:
  ResNet(NetBuilder& net, const Depth& depth, Variant variant) : net_(net), depth_(depth), variant_(variant) {}

  void build(std::int64_t image) {
    TensorIndex x = net_.input("image", {net_.options().batch, 3, image, image});
    x = convolution("conv1", x, 64, 7, 2, Activation::kRelu);
    x = net_.max_pool("pool1", x, {.kernel = 3, .stride = 2, .padding = variant_ == Variant::kV15 ? 1 : 0});
    std::int64_t width = 64;
    for (std::size_t stage = 0; stage < depth_.blocks.size(); ++stage) {
      for (int b = 0; b < depth_.blocks[stage]; ++b) {
        x = block(fmt::format("layer{}.{}", stage + 1, b), x, width, stage > 0 && b == 0 ? 2 : 1);
      }
      width *= 2;
    }
    x = net_.global_pool("gap", x);
    net_.classify("prob", net_.dense("fc", x, 1000));
  }

 private:
  TensorIndex convolution(const std::string& id, TensorIndex x, std::int64_t channels, std::int64_t kernel,
                          std::int64_t stride, Activation activation) {
    return net_.conv(id, x,
                     {.channels = channels,
                      .kernel = {kernel, kernel},
                      .stride = stride,
                      .padding = {kernel / 2, kernel / 2},
                      .batch_norm = true,
                      .activation = activation});
  }

  TensorIndex block(const std::string& id, TensorIndex x, std::int64_t width, std::int64_t stride) {
    if (net_.failed()) return kNoTensor;
    constexpr Activation kRelu = Activation::kRelu;
    const Activation before_add = variant_ == Variant::kChart ? kRelu : Activation::kNone;
    const std::int64_t channels = depth_.bottleneck ? 4 * width : width;
    TensorIndex y = kNoTensor;
    if (depth_.bottleneck) {
      y = convolution(id + ".conv1", x, width, 1, 1, kRelu);
      y = convolution(id + ".conv2", y, width, 3, stride, kRelu);
      y = convolution(id + ".conv3", y, channels, 1, 1, before_add);
    } else {
      y = convolution(id + ".conv1", x, width, 3, stride, kRelu);
      y = convolution(id + ".conv2", y, channels, 3, 1, before_add);
    }
    const bool changes = stride != 1 || net_.shape(x)[1] != channels;
    const TensorIndex shortcut = changes ? convolution(id + ".shortcut", x, channels, 1, stride, before_add) : x;
    return net_.add(id + ".add", y, shortcut, variant_ == Variant::kV15 ? kRelu : Activation::kNone);
  }

  NetBuilder& net_;
  const Depth& depth_;
  Variant variant_;
};

Result<GraphInput> build_resnet(const Depth& depth, const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  const std::string_view variant = params.choice("variant");
  const bool chart = variant == "chart" || (variant == "auto" && !options.fused);
  NetBuilder net(fmt::format("resnet{}", depth.layers), options);
  ResNet(net, depth, chart ? Variant::kChart : Variant::kV15).build(image);
  return net.finish();
}

template <std::size_t kIndex>
Network resnet() {
  const Depth& depth = kDepths[kIndex];
  const std::array<int, 4>& blocks = depth.blocks;
  std::vector<ParamSpec> params = classifier_params(224);
  params.push_back(
      {"variant",
       "v1.5: ReLU after each add, as published; chart: ReLU before it and a first pool without padding, the "
       "graph of charts that compare allocation strategies; auto: chart when ops are separate",
       "auto",
       {"auto", "v1.5", "chart"}});
  return {fmt::format("resnet{}", depth.layers),
          fmt::format("ResNet-{}", depth.layers),
          fmt::format("{} blocks {}, {}, {}, {}", depth.bottleneck ? "Bottleneck" : "Basic", blocks[0], blocks[1],
                      blocks[2], blocks[3]),
          depth.layers <= 152 ? "He et al.: Deep residual learning, arXiv 1512.03385; stride in the 3x3 convolution"
                              : "block counts of Chen et al., arXiv 1604.06174, on the ImageNet stem",
          std::move(params),
          [](const ParamValues& values) {
            return build_resnet(kDepths[kIndex], values);
          }};
}

}  // namespace

std::vector<Network> resnet_networks() {
  return {resnet<0>(), resnet<1>(), resnet<2>(), resnet<3>(), resnet<4>(), resnet<5>(), resnet<6>()};
}

}  // namespace stowage
