#include <array>

#include <fmt/format.h>

#include "core/networks/builder.h"
#include "core/networks/registry.h"

namespace stowage {
namespace {

/// Inception v3. Its modules are named as in the paper's companion code: 5b..5d, 6a..6e, 7a..7c.
class InceptionV3 {
 public:
  explicit InceptionV3(NetBuilder& net) : net_(net) {}

  void build(std::int64_t image, bool auxiliary) {
    TensorIndex x = net_.input("image", {net_.options().batch, 3, image, image});
    x = conv("1a", x, 32, {3, 3}, 2, false);
    x = conv("2a", x, 32, {3, 3}, 1, false);
    x = conv("2b", x, 64, {3, 3});
    x = net_.max_pool("pool2", x, kReduce);
    x = conv("3b", x, 80, {1, 1});
    x = conv("4a", x, 192, {3, 3}, 1, false);
    x = net_.max_pool("pool4", x, kReduce);
    x = module_a("5b", x, 32);
    x = module_a("5c", x, 64);
    x = module_a("5d", x, 64);
    x = reduction_a("6a", x);
    x = module_b("6b", x, 128);
    x = module_b("6c", x, 160);
    x = module_b("6d", x, 160);
    x = module_b("6e", x, 192);
    if (auxiliary) head(x);
    x = reduction_b("7a", x);
    x = module_c("7b", x);
    x = module_c("7c", x);
    net_.classify("prob", net_.dense("fc", net_.global_pool("gap", x), 1000));
  }

 private:
  static constexpr PoolSpec kReduce{.kernel = 3, .stride = 2};
  static constexpr PoolSpec kSmooth{.kernel = 3, .stride = 1, .padding = 1};

  TensorIndex conv(const std::string& id, TensorIndex x, std::int64_t channels, Extent kernel, std::int64_t stride = 1,
                   bool padded = true) {
    const Extent padding = padded ? Extent{kernel.height / 2, kernel.width / 2} : Extent{0, 0};
    return net_.conv(id, x,
                     {.channels = channels,
                      .kernel = kernel,
                      .stride = stride,
                      .padding = padding,
                      .batch_norm = true,
                      .activation = Activation::kRelu});
  }
  TensorIndex join(const std::string& id, std::initializer_list<TensorIndex> branches) {
    return net_.concat(id + ".concat", {branches.begin(), branches.size()});
  }
  /// The last branch of each module that keeps the size.
  TensorIndex smoothed(const std::string& id, TensorIndex x, std::int64_t channels) {
    return conv(id + ".d2", net_.average_pool(id + ".d1", x, kSmooth), channels, {1, 1});
  }

  TensorIndex module_a(const std::string& id, TensorIndex x, std::int64_t pooled) {
    const TensorIndex a = conv(id + ".a", x, 64, {1, 1});
    TensorIndex b = conv(id + ".b1", x, 48, {1, 1});
    b = conv(id + ".b2", b, 64, {5, 5});
    TensorIndex c = conv(id + ".c1", x, 64, {1, 1});
    c = conv(id + ".c2", c, 96, {3, 3});
    c = conv(id + ".c3", c, 96, {3, 3});
    return join(id, {a, b, c, smoothed(id, x, pooled)});
  }

  TensorIndex reduction_a(const std::string& id, TensorIndex x) {
    const TensorIndex a = conv(id + ".a", x, 384, {3, 3}, 2, false);
    TensorIndex b = conv(id + ".b1", x, 64, {1, 1});
    b = conv(id + ".b2", b, 96, {3, 3});
    b = conv(id + ".b3", b, 96, {3, 3}, 2, false);
    return join(id, {a, b, net_.max_pool(id + ".c", x, kReduce)});
  }

  /// `narrow` channels inside the branches of factored 7x7 convolutions.
  TensorIndex module_b(const std::string& id, TensorIndex x, std::int64_t narrow) {
    const TensorIndex a = conv(id + ".a", x, 192, {1, 1});
    TensorIndex b = conv(id + ".b1", x, narrow, {1, 1});
    b = conv(id + ".b2", b, narrow, {1, 7});
    b = conv(id + ".b3", b, 192, {7, 1});
    TensorIndex c = conv(id + ".c1", x, narrow, {1, 1});
    c = conv(id + ".c2", c, narrow, {7, 1});
    c = conv(id + ".c3", c, narrow, {1, 7});
    c = conv(id + ".c4", c, narrow, {7, 1});
    c = conv(id + ".c5", c, 192, {1, 7});
    return join(id, {a, b, c, smoothed(id, x, 192)});
  }

  TensorIndex reduction_b(const std::string& id, TensorIndex x) {
    TensorIndex a = conv(id + ".a1", x, 192, {1, 1});
    a = conv(id + ".a2", a, 320, {3, 3}, 2, false);
    TensorIndex b = conv(id + ".b1", x, 192, {1, 1});
    b = conv(id + ".b2", b, 192, {1, 7});
    b = conv(id + ".b3", b, 192, {7, 1});
    b = conv(id + ".b4", b, 192, {3, 3}, 2, false);
    return join(id, {a, b, net_.max_pool(id + ".c", x, kReduce)});
  }

  TensorIndex module_c(const std::string& id, TensorIndex x) {
    const TensorIndex a = conv(id + ".a", x, 320, {1, 1});
    const TensorIndex b = forked(id + ".b", conv(id + ".b1", x, 384, {1, 1}));
    TensorIndex c = conv(id + ".c1", x, 448, {1, 1});
    c = conv(id + ".c2", c, 384, {3, 3});
    c = forked(id + ".c", c);
    return join(id, {a, b, c, smoothed(id, x, 192)});
  }
  TensorIndex forked(const std::string& id, TensorIndex x) {
    const TensorIndex wide = conv(id + ".wide", x, 384, {1, 3});
    const TensorIndex high = conv(id + ".high", x, 384, {3, 1});
    return join(id, {wide, high});
  }

  /// The auxiliary classifier.
  void head(TensorIndex x) {
    x = net_.average_pool("aux.pool", x, {.kernel = 5, .stride = 3});
    x = conv("aux.conv0", x, 128, {1, 1});
    x = conv("aux.conv1", x, 768, {5, 5}, 1, false);
    net_.classify("aux.prob", net_.dense("aux.fc", net_.global_pool("aux.gap", x), 1000));
  }

  NetBuilder& net_;
};

Result<GraphInput> build_inception(const ParamValues& values) {
  ParamReader params(values);
  const std::int64_t image = params.count("image", 1, 1 << 20);
  const bool auxiliary = params.flag("aux");
  const NetworkOptions options = params.options();
  if (params.error()) return tl::unexpected(*params.error());
  NetBuilder net("inception-v3", options);
  InceptionV3(net).build(image, auxiliary);
  return net.finish();
}

}  // namespace

std::vector<Network> inception_networks() {
  std::vector<ParamSpec> params = classifier_params(299);
  params.push_back(flag_param("aux", "with the auxiliary classifier behind module 6e"));
  return {{"inception-v3", "Inception v3", "Eleven modules of parallel branches that are concatenated",
           "Szegedy et al.: Rethinking the Inception architecture, arXiv 1512.00567; as in torchvision",
           std::move(params), build_inception}};
}

}  // namespace stowage
