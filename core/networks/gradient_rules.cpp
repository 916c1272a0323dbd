#include "core/networks/gradient_rules.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/networks/op_types.h"

namespace stowage {
namespace {

using Tensors = std::vector<TensorIndex>;

/// What backward writes over: the first thing that it reads, the arriving gradient.
const std::vector<SlotPair> kOnArriving = {{0, 0}};

Tensors wanted(const GradientGraph& gradients, const Tensors& of) {
  Tensors found;
  for (const TensorIndex t : of) {
    if (gradients.wants(t)) found.push_back(t);
  }
  return found;
}

/// The gradients of the op's results that have arrived.
Tensors arrived(const GradientGraph& gradients, const Op& op) {
  Tensors found;
  for (const TensorIndex t : op.out) {
    if (gradients.arrived(t) != kNoTensor) found.push_back(gradients.arrived(t));
  }
  return found;
}

bool same_size(const GradientGraph& gradients, TensorIndex a, TensorIndex b) {
  return element_count(*gradients.tensor(a).shape) == element_count(*gradients.tensor(b).shape);
}

/// in: x, weight, bias or none, then the weights and statistics of a fused batch norm. A fused op runs its inside again
/// from all of its inputs.
void weighted(GradientGraph& gradients, const Op& op) {
  const std::vector<std::string_view> parts = parts_of(op.type);
  const TensorIndex x = op.in[0];
  const TensorIndex weight = op.in[1];
  const Tensors dy = arrived(gradients, op);
  const auto reads = [&](std::initializer_list<TensorIndex> kept) {
    Tensors all = dy;
    all.insert(all.end(), kept.begin(), kept.end());
    return all;
  };
  if (parts.size() > 1) {
    Tensors all = dy;
    all.insert(all.end(), op.in.begin(), op.in.end());
    if (derivative_from_result(parts.back())) all.push_back(op.out[0]);
    gradients.emit(op.type + "Grad", op, std::move(all), wanted(gradients, op.in), {},
                   gradients.wants(x) ? 2 * op.flops : op.flops);
  } else if (gradients.joint()) {
    gradients.emit(op.type + "Grad", op, gradients.wants(x) ? reads({x, weight}) : reads({x}), wanted(gradients, op.in),
                   {}, gradients.wants(x) ? 2 * op.flops : op.flops);
  } else {
    gradients.emit(op.type + "GradWeight", op, reads({x}), {weight}, {}, op.flops);
    if (op.in.size() > 2) gradients.emit(op.type + "GradBias", op, dy, {op.in[2]});
    gradients.emit(op.type + "GradInput", op, reads({weight}), wanted(gradients, {x}), {}, op.flops);
  }
}

void matmul(GradientGraph& gradients, const Op& op) {
  const TensorIndex dy = gradients.arrived(op.out[0]);
  const TensorIndex a = op.in[0];
  const TensorIndex b = op.in[1];
  const Tensors targets = wanted(gradients, op.in);
  if (gradients.joint()) {
    gradients.emit("MatMulGrad", op, {dy, a, b}, targets, {}, static_cast<std::int64_t>(targets.size()) * op.flops);
    return;
  }
  gradients.emit("MatMulGradA", op, {dy, b}, wanted(gradients, {a}), {}, op.flops);
  gradients.emit("MatMulGradB", op, {dy, a}, wanted(gradients, {b}), {}, op.flops);
}

/// in: x, gamma, beta, then running statistics or none; out: y, then the statistics of this run or none.
void norm(GradientGraph& gradients, const Op& op) {
  Tensors reads = {gradients.arrived(op.out[0]), op.in[0], op.in[1]};
  reads.insert(reads.end(), op.in.begin() + 3, op.in.end());
  reads.insert(reads.end(), op.out.begin() + 1, op.out.end());
  gradients.emit(op.type + "Grad", op, std::move(reads), wanted(gradients, op.in));
}

void from_result(GradientGraph& gradients, const Op& op) {
  gradients.emit(op.type + "Grad", op, {gradients.arrived(op.out[0]), op.out[0]}, op.in, kOnArriving);
}

void from_input(GradientGraph& gradients, const Op& op) {
  gradients.emit(op.type + "Grad", op, {gradients.arrived(op.out[0]), op.in[0]}, op.in, kOnArriving);
}

void max_pool(GradientGraph& gradients, const Op& op) {
  gradients.emit("MaxPoolGrad", op, {gradients.arrived(op.out[0]), op.in[0], op.out[0]}, op.in);
}

void from_gradient_alone(GradientGraph& gradients, const Op& op) {
  gradients.emit(op.type + "Grad", op, {gradients.arrived(op.out[0])}, op.in);
}

void pass_on(GradientGraph& gradients, const Op& op) {
  gradients.arrive(op.in[0], gradients.arrived(op.out[0]));
}

void add(GradientGraph& gradients, const Op& op) {
  TensorIndex dy = gradients.arrived(op.out[0]);
  const std::string_view last = parts_of(op.type).back();
  if (last != "Add") {
    dy = gradients.emit_like(fmt::format("{}Grad", last), fmt::format("d_{}.inside", op.id), {dy, op.out[0]}, op.out[0],
                             kOnArriving);
  }
  for (const TensorIndex t : wanted(gradients, op.in)) {
    if (same_size(gradients, t, op.out[0])) {
      gradients.arrive(t, dy);
    } else {
      gradients.emit("ReduceSum", op, {dy}, {t});
    }
  }
}

void mul(GradientGraph& gradients, const Op& op) {
  const TensorIndex dy = gradients.arrived(op.out[0]);
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensors target = wanted(gradients, {op.in[i]});
    const TensorIndex other = op.in[1 - i];
    if (same_size(gradients, op.in[i], op.out[0])) {
      gradients.emit("Mul", op, {dy, other}, target, kOnArriving);
    } else {
      gradients.emit("MulReduceSum", op, {dy, other}, target);
    }
  }
}

void concat(GradientGraph& gradients, const Op& op) {
  gradients.emit("Split", op, {gradients.arrived(op.out[0])}, wanted(gradients, op.in));
}

void split(GradientGraph& gradients, const Op& op) {
  Tensors parts;
  for (const TensorIndex t : op.out) {
    const TensorIndex part = gradients.arrived(t);
    // A part that the loss does not depend on counts as zeros.
    parts.push_back(part != kNoTensor ? part : gradients.emit_like("Zeros", "d_" + gradients.tensor(t).id, {}, t));
  }
  gradients.emit("Concat", op, std::move(parts), op.in);
}

void gather(GradientGraph& gradients, const Op& op) {
  gradients.emit("GatherGrad", op, {gradients.arrived(op.out[0]), op.in[1]}, {op.in[0]});
}

void dropout(GradientGraph& gradients, const Op& op) {
  gradients.emit("DropoutGrad", op, {gradients.arrived(op.out[0]), op.out[1]}, op.in, kOnArriving);
}

struct Rule {
  std::string_view type;  // of the first part of a fused op
  void (*apply)(GradientGraph&, const Op&);
};

constexpr Rule kRules[] = {
    {"Conv", weighted},
    {"Dense", weighted},
    {"MatMul", matmul},
    {"BatchNorm", norm},
    {"LayerNorm", norm},
    {"Relu", from_result},
    {"Relu6", from_result},
    {"Sigmoid", from_result},
    {"Tanh", from_result},
    {"Exp", from_result},
    {"Softmax", from_result},
    {"Gelu", from_input},
    {"MaxPool", max_pool},
    {"AveragePool", from_gradient_alone},
    {"GlobalAveragePool", from_gradient_alone},
    {"AddConstant", pass_on},
    {"Add", add},
    {"Mul", mul},
    {"Concat", concat},
    {"Split", split},
    {"Gather", gather},
    {"Dropout", dropout},
};

}  // namespace

Result<void> differentiate(GradientGraph& gradients, const Op& op) {
  const std::string_view first = parts_of(op.type).front();
  for (const Rule& rule : kRules) {
    if (rule.type != first) continue;
    rule.apply(gradients, op);
    return {};
  }
  return usage_error(fmt::format("{} has no gradient: none is known for ops of type {}", op.id, op.type));
}

bool differentiate_loss(GradientGraph& gradients, const Op& op, const Loss& loss) {
  if (op.type == "CrossEntropy") {
    gradients.emit("CrossEntropyGrad", op, {op.in[0], op.in[1]}, {op.in[0]});
    return true;
  }
  if (op.type == "Softmax" && loss.labels != kNoTensor) {
    // Probabilities minus the one that should be 1; they are not needed after that.
    gradients.emit("SoftmaxCrossEntropyGrad", op, {op.out[0], loss.labels}, op.in, {{0, 0}});
    return true;
  }
  return false;
}

}  // namespace stowage
