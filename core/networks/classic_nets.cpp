// LeNet-5, AlexNet, VGG-16: one layer after the other.
#include <array>

#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

ConvSpec conv(std::int64_t channels, std::int64_t kernel, std::int64_t padding, Activation activation,
              std::int64_t stride = 1) {
  return {.channels = channels,
          .kernel = {kernel, kernel},
          .stride = stride,
          .padding = {padding, padding},
          .activation = activation};
}

/// LeCun et al. 1998, table of section II.B, with full connection from S2 to C3.
Result<GraphInput> build_lenet5(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("lenet5", options);
  const PoolSpec half{.kernel = 2, .stride = 2};
  TensorIndex x = net.input("image", {options.batch, 1, image, image});
  x = net.conv("C1", x, conv(6, 5, 0, Activation::kTanh));
  x = net.average_pool("S2", x, half);
  x = net.conv("C3", x, conv(16, 5, 0, Activation::kTanh));
  x = net.average_pool("S4", x, half);
  x = net.conv("C5", x, conv(120, 5, 0, Activation::kTanh));
  x = net.dense("F6", x, 84, Activation::kTanh);
  x = net.dense("OUT", x, 10);
  net.classify("prob", x);
  return net.finish();
}

Result<GraphInput> build_alexnet(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("alexnet", options);
  const PoolSpec overlapping{.kernel = 3, .stride = 2};
  constexpr Activation kRelu = Activation::kRelu;
  TensorIndex x = net.input("image", {options.batch, 3, image, image});
  x = net.conv("conv1", x, conv(64, 11, 2, kRelu, 4));
  x = net.max_pool("pool1", x, overlapping);
  x = net.conv("conv2", x, conv(192, 5, 2, kRelu));
  x = net.max_pool("pool2", x, overlapping);
  x = net.conv("conv3", x, conv(384, 3, 1, kRelu));
  x = net.conv("conv4", x, conv(256, 3, 1, kRelu));
  x = net.conv("conv5", x, conv(256, 3, 1, kRelu));
  x = net.max_pool("pool5", x, overlapping);
  x = net.dense("fc6", net.dropout("drop5", x), 4096, kRelu);
  x = net.dense("fc7", net.dropout("drop6", x), 4096, kRelu);
  x = net.dense("fc8", x, 1000);
  net.classify("prob", x);
  return net.finish();
}

Result<GraphInput> build_vgg16(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  struct Stage {
    int convolutions;
    std::int64_t channels;
  };
  constexpr std::array<Stage, 5> kStages = {{{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}}};
  constexpr Activation kRelu = Activation::kRelu;
  NetBuilder net("vgg16", options);
  TensorIndex x = net.input("image", {options.batch, 3, image, image});
  for (std::size_t s = 0; s < kStages.size(); ++s) {
    for (int c = 1; c <= kStages[s].convolutions; ++c) {
      x = net.conv(fmt::format("conv{}_{}", s + 1, c), x, conv(kStages[s].channels, 3, 1, kRelu));
    }
    x = net.max_pool(fmt::format("pool{}", s + 1), x, {.kernel = 2, .stride = 2});
  }
  x = net.dropout("drop6", net.dense("fc6", x, 4096, kRelu));
  x = net.dropout("drop7", net.dense("fc7", x, 4096, kRelu));
  x = net.dense("fc8", x, 1000);
  net.classify("prob", x);
  return net.finish();
}

}  // namespace

std::vector<Network> classic_nets_networks() {
  return {{"lenet5", "LeNet-5", "Seven layers for handwritten digits, with full connection to C3",
           "LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition, 1998",
           classifier_params(32), build_lenet5},
          {"alexnet", "AlexNet", "Five convolutions and three dense layers, the one-tower variant",
           "Krizhevsky: One weird trick for parallelizing convolutional neural networks, arXiv 1404.5997; as in "
           "torchvision",
           classifier_params(224), build_alexnet},
          {"vgg16", "VGG-16", "Thirteen 3x3 convolutions and three dense layers",
           "Simonyan, Zisserman: Very deep convolutional networks, arXiv 1409.1556, configuration D",
           classifier_params(224), build_vgg16}};
}

}  // namespace stowage
