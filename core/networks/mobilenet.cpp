#include <array>

#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

/// The convolutions of both: with batch norm, without bias.
class MobileNet {
 public:
  explicit MobileNet(NetBuilder& net) : net_(net) {}

  TensorIndex full(const std::string& id, TensorIndex x, std::int64_t channels) {
    return net_.conv(id, x,
                     {.channels = channels,
                      .kernel = {3, 3},
                      .stride = 2,
                      .padding = {1, 1},
                      .batch_norm = true,
                      .activation = Activation::kRelu6});
  }
  TensorIndex depthwise(const std::string& id, TensorIndex x, std::int64_t stride) {
    if (net_.failed()) return kNoTensor;
    const std::int64_t channels = net_.shape(x)[1];
    return net_.conv(id, x,
                     {.channels = channels,
                      .kernel = {3, 3},
                      .stride = stride,
                      .padding = {1, 1},
                      .groups = channels,
                      .batch_norm = true,
                      .activation = Activation::kRelu6});
  }
  TensorIndex pointwise(const std::string& id, TensorIndex x, std::int64_t channels, Activation activation) {
    return net_.conv(id, x, {.channels = channels, .batch_norm = true, .activation = activation});
  }
  void end(TensorIndex x) { net_.classify("prob", net_.dense("fc", net_.global_pool("gap", x), 1000)); }

 private:
  NetBuilder& net_;
};

Result<GraphInput> build_v1(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  struct Pair {
    std::int64_t channels;
    std::int64_t stride;
  };
  constexpr std::array<Pair, 13> kPairs = {{{64, 1},
                                            {128, 2},
                                            {128, 1},
                                            {256, 2},
                                            {256, 1},
                                            {512, 2},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {1024, 2},
                                            {1024, 1}}};
  NetBuilder net("mobilenet-v1", options);
  MobileNet mobile(net);
  TensorIndex x = net.input("image", {options.batch, 3, image, image});
  x = mobile.full("conv1", x, 32);
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    x = mobile.depthwise(fmt::format("dw{}", i + 1), x, kPairs[i].stride);
    x = mobile.pointwise(fmt::format("pw{}", i + 1), x, kPairs[i].channels, Activation::kRelu6);
  }
  mobile.end(x);
  return net.finish();
}

Result<GraphInput> build_v2(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  struct Row {
    std::int64_t expansion;
    std::int64_t channels;
    int blocks;
    std::int64_t stride;  // of the first block
  };
  constexpr std::array<Row, 7> kRows = {
      {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}}};
  NetBuilder net("mobilenet-v2", options);
  MobileNet mobile(net);
  TensorIndex x = net.input("image", {options.batch, 3, image, image});
  x = mobile.full("conv1", x, 32);
  int number = 0;
  for (const Row& row : kRows) {
    for (int b = 0; b < row.blocks && !net.failed(); ++b) {
      const std::string id = fmt::format("b{}", number++);
      const std::int64_t channels = net.shape(x)[1];
      const std::int64_t stride = b == 0 ? row.stride : 1;
      TensorIndex y = x;
      if (row.expansion != 1) y = mobile.pointwise(id + ".expand", y, channels * row.expansion, Activation::kRelu6);
      y = mobile.depthwise(id + ".dw", y, stride);
      y = mobile.pointwise(id + ".project", y, row.channels, Activation::kNone);
      x = stride == 1 && channels == row.channels ? net.add(id + ".add", y, x) : y;
    }
  }
  mobile.end(mobile.pointwise("conv_last", x, 1280, Activation::kRelu6));
  return net.finish();
}

}  // namespace

std::vector<Network> mobilenet_networks() {
  return {{"mobilenet-v1", "MobileNet v1", "Depthwise and pointwise convolutions in turn, width 1.0",
           "Howard et al.: MobileNets, arXiv 1704.04861", classifier_params(224), build_v1},
          {"mobilenet-v2", "MobileNet v2", "Inverted residual blocks, width 1.0",
           "Sandler et al.: MobileNetV2, arXiv 1801.04381", classifier_params(224), build_v2}};
}

}  // namespace stowage
