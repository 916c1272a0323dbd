#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/bench/samples.h"

namespace stowage::samples {

void Network::add(std::string_view id, std::int64_t start, std::int64_t end, double kib, std::string_view kind,
                  std::string_view op) {
  Buffer buffer;
  buffer.start = start;
  buffer.end = end;
  buffer.size = static_cast<std::int64_t>(kib * 1024);
  buffer.kind = input_.kind_index(kind);
  if (op.empty()) {
    input_.add(id, buffer);
    return;
  }
  Details details;
  details.op = op;
  input_.add(id, buffer, details);
}

/// Inference of a chain of convolutions, as in VGG: two neighbours are live at a time, besides a workspace.
Sample conv_net() {
  struct Layer {
    std::string_view name;
    double out_kib;
    double workspace_kib;
  };
  static constexpr std::array<Layer, 18> kLayers = {{{"conv1_1", 3136, 441},
                                                     {"conv1_2", 3136, 1764},
                                                     {"pool1", 784, 0},
                                                     {"conv2_1", 1568, 441},
                                                     {"conv2_2", 1568, 882},
                                                     {"pool2", 392, 0},
                                                     {"conv3_1", 784, 220.5},
                                                     {"conv3_2", 784, 441},
                                                     {"conv3_3", 784, 441},
                                                     {"pool3", 196, 0},
                                                     {"conv4_1", 392, 110.25},
                                                     {"conv4_2", 392, 220.5},
                                                     {"conv4_3", 392, 220.5},
                                                     {"pool4", 98, 0},
                                                     {"conv5_1", 98, 55.125},
                                                     {"conv5_2", 98, 55.125},
                                                     {"pool5", 24.5, 0},
                                                     {"fc", 4, 0}}};
  Network net("conv_net");
  net.add("image", 0, 1, 588, "input");
  std::int64_t step = 0;
  for (const Layer& layer : kLayers) {
    const bool last = step + 1 == static_cast<std::int64_t>(kLayers.size());
    net.add(layer.name, step, last ? step + 1 : step + 2, layer.out_kib, last ? "output" : "activation");
    if (layer.workspace_kib > 0) {
      net.add(fmt::format("{}_columns", layer.name), step, step + 1, layer.workspace_kib, "workspace");
    }
    ++step;
  }
  return sample_of("conv_net.csv", std::move(net.input()));
}

/// Inference of residual blocks: the input of each block waits for the addition at its end.
Sample residual_net() {
  Network net("residual_net");
  net.add("image", 0, 1, 588, "input");
  net.add("stem", 0, 4, 784, "activation", "Conv");
  net.add("stem_columns", 0, 1, 1029, "workspace", "Conv");
  std::int64_t step = 1;
  double kib = 784;
  for (int stage = 0; stage < 4; ++stage) {
    for (int block = 0; block < 4; ++block) {
      const std::string name = fmt::format("s{}b{}", stage + 1, block + 1);
      const bool shrinks = stage > 0 && block == 0;
      if (shrinks) {
        kib /= 2;
        net.add(name + "_project", step, step + 3, kib, "activation", "Conv");
      }
      net.add(name + "_conv1", step, step + 2, kib, "activation", "Conv");
      net.add(name + "_columns1", step, step + 1, kib * 0.5625, "workspace", "Conv");
      net.add(name + "_conv2", step + 1, step + 3, kib, "activation", "Conv");
      net.add(name + "_columns2", step + 1, step + 2, kib * 0.5625, "workspace", "Conv");
      // The sum feeds both the next block and, over the shortcut, the addition at its end; a projection reads it once.
      const bool projected_next = block == 3;
      net.add(name + "_sum", step + 2, step + (projected_next ? 4 : 6), kib, "activation", "Add");
      step += 3;
    }
  }
  net.add("pooled", step, step + 2, 8, "activation", "GlobalAveragePool");
  net.add("scores", step + 1, step + 2, 4, "output", "Gemm");
  return sample_of("residual_net.json", std::move(net.input()));
}

/// One step of training: activations wait for their backward operator, so the chart is a pyramid; weights, momentum and
/// the gradients of weights stay.
Sample training_step() {
  struct Layer {
    std::string_view name;
    double act_kib;
    double weight_kib;
  };
  static constexpr std::array<Layer, 13> kLayers = {{{"conv1", 1568, 37},
                                                     {"conv2", 1568, 144},
                                                     {"conv3", 784, 216},
                                                     {"conv4", 784, 324},
                                                     {"conv5", 784, 324},
                                                     {"conv6", 392, 432},
                                                     {"conv7", 392, 576},
                                                     {"conv8", 392, 576},
                                                     {"conv9", 196, 648},
                                                     {"conv10", 196, 720},
                                                     {"conv11", 196, 720},
                                                     {"fc1", 32, 784},
                                                     {"fc2", 16, 128}}};
  constexpr std::int64_t kSteps = 3;  // of a layer in each direction: operator, normalisation, activation
  const auto layers = static_cast<std::int64_t>(kLayers.size());
  const std::int64_t turn = layers * kSteps;  // where the loss is computed
  const std::int64_t update = turn + 1 + layers * kSteps;
  const std::int64_t end = update + layers;

  Network net("training_step");
  for (std::int64_t i = 0; i < layers; ++i) {
    const Layer& layer = kLayers[static_cast<std::size_t>(i)];
    net.add(fmt::format("{}.weight", layer.name), 0, end, layer.weight_kib, "weight");
  }
  for (std::int64_t i = 0; i < layers; ++i) {
    const Layer& layer = kLayers[static_cast<std::size_t>(i)];
    net.add(fmt::format("{}.momentum", layer.name), update + i, end, layer.weight_kib / 2, "state");
  }
  net.add("images", 0, end - layers - 1, 588, "input");
  net.add("labels", 0, turn + 1, 1, "input");
  double before_kib = 588;
  for (std::int64_t i = 0; i < layers; ++i) {
    const Layer& layer = kLayers[static_cast<std::size_t>(i)];
    const std::int64_t forward = i * kSteps;
    const std::int64_t backward = turn + 1 + (layers - 1 - i) * kSteps;
    const std::string name(layer.name);
    net.add(name + ".linear", forward, backward + 2, layer.act_kib, "activation", "Conv");
    net.add(name + ".columns", forward, forward + 1, layer.weight_kib * 0.75, "workspace", "Conv");
    net.add(name + ".statistics", forward + 1, backward + 2, 2, "state", "BatchNorm");
    net.add(name + ".out", forward + 2, backward + 1, layer.act_kib, "activation", "Relu");
    net.add(name + ".grad_linear", backward + 1, backward + 3, layer.act_kib, "gradient", "ReluGrad");
    net.add(name + ".grad_columns", backward + 2, backward + 3, layer.weight_kib * 0.75, "workspace", "ConvGrad");
    net.add(name + ".grad_weight", backward + 2, update + i + 1, layer.weight_kib, "gradient", "ConvGrad");
    if (i > 0) {
      net.add(name + ".grad_in", backward + 2, backward + kSteps + 2, before_kib, "gradient", "ConvGrad");
    }
    before_kib = layer.act_kib;
  }
  net.add("loss", turn, turn + 1, 4, "output", "SoftmaxCrossEntropy");
  net.add("grad_scores", turn, turn + 2, 16, "gradient", "SoftmaxCrossEntropy");
  return sample_of("training_step.json", std::move(net.input()));
}

/// A recurrent network unrolled over time: inputs wait for their turn, outputs pile up, cells are passed on.
Sample lstm_unrolled() {
  constexpr std::int64_t kTimes = 16;
  constexpr std::int64_t kSteps = 4;  // gates, cell, tanh, hidden
  const std::int64_t end = kTimes * kSteps + 1;
  Network net("lstm_unrolled");
  net.add("W_input", 0, end - 1, 1024, "weight");
  net.add("W_hidden", 0, end - 1, 1024, "weight");
  net.add("cell_0", 0, 2, 64, "state");
  net.add("hidden_0", 0, 1, 64, "state");
  for (std::int64_t t = 0; t < kTimes; ++t) {
    const std::int64_t step = t * kSteps;
    const bool last = t + 1 == kTimes;
    net.add(fmt::format("x_{}", t + 1), 0, step + 1, 64, "input");
    net.add(fmt::format("gates_{}", t + 1), step, step + 4, 256, "activation", "MatMul");
    net.add(fmt::format("cell_{}", t + 1), step + 1, last ? end : step + kSteps + 2, 64, "state", "Mul");
    net.add(fmt::format("tanh_{}", t + 1), step + 2, step + 4, 64, "activation", "Tanh");
    net.add(fmt::format("hidden_{}", t + 1), step + 3, end, 64, "output", "Mul");
  }
  return sample_of("lstm_unrolled.json", std::move(net.input()));
}

}  // namespace stowage::samples
