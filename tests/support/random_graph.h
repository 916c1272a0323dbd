#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/graph/lower.h"
#include "core/graph/staged.h"

namespace stowage::testing {

/// What a random graph may contain; everything small, so that quadratic oracles are quick.
struct GraphShape {
  std::int64_t ops = 25;
  std::int64_t largest = 8;  // elements
  std::int64_t streams = 1;
  bool views = false;
  bool inplace = false;  // declared pairs, some of them identities
  bool copies = false;   // ops that only copy
  bool events = false;
  bool weights = false;  // and constants, donated inputs
  bool types = false;    // several element types
  bool unknown = false;  // some sizes nobody knows
  bool workspaces = false;
  bool ignored = false;  // inputs whose contents are not read
  bool several_results = true;
};

class RandomGraph {
 public:
  RandomGraph(std::uint64_t seed, const GraphShape& shape) : random_(seed), shape_(shape) {
    input_.name = fmt::format("random {}", seed);
  }

  Graph make() {
    const std::int64_t inputs = random_.uniform(1, 3);
    for (std::int64_t i = 0; i < inputs; ++i) add_start();
    const std::int64_t ops = random_.uniform(1, shape_.ops);
    for (std::int64_t n = 0; n < ops; ++n) add_op();
    if (random_.uniform(0, 1) == 0) {
      for (int k = 0; k < 2; ++k) {
        const TensorIndex t = pick();
        if (made_[t]) input_.outputs.push_back(t);
      }
    }
    if (shape_.events && ops > 2) {
      for (int k = 0; k < 3; ++k) {
        const std::int64_t after = random_.uniform(0, ops - 2);
        input_.events.push_back(
            {static_cast<OpIndex>(after), static_cast<OpIndex>(random_.uniform(after + 1, ops - 1))});
      }
    }
    return make_graph(std::move(input_)).value();
  }

 private:
  bool one_in(std::int64_t n) { return random_.uniform(0, n - 1) == 0; }

  TensorIndex pick() {
    // Late ones more often: chains come to be.
    const auto count = static_cast<std::int64_t>(input_.tensors.size());
    return static_cast<TensorIndex>(std::max(random_.uniform(0, count - 1), random_.uniform(0, count - 1)));
  }

  Tensor fresh(const char* what) {
    Tensor tensor;
    tensor.id = fmt::format("{}{}", what, input_.tensors.size());
    tensor.shape = std::vector<std::int64_t>{random_.uniform(1, shape_.largest)};
    if (shape_.types && one_in(3)) tensor.type = one_in(2) ? DataType::kFloat16 : DataType::kInt32;
    if (shape_.unknown && one_in(12)) tensor.shape.reset();
    return tensor;
  }

  void add_start() {
    Tensor tensor = fresh("in");
    tensor.kind = TensorKind::kInput;
    if (shape_.weights) {
      tensor.donated = one_in(3);
      if (one_in(2)) tensor.kind = one_in(4) ? TensorKind::kConstant : TensorKind::kWeight;
    }
    made_.push_back(false);
    input_.add(std::move(tensor));
  }

  void add_op() {
    Op op;
    op.id = fmt::format("op{}", input_.ops.size());
    op.type = "Work";
    op.stream = static_cast<std::uint32_t>(random_.uniform(0, shape_.streams - 1));
    op.duration = static_cast<double>(random_.uniform(0, 4));
    const std::int64_t reads = random_.uniform(1, 3);
    for (std::int64_t i = 0; i < reads; ++i) op.in.push_back(pick());
    if (shape_.workspaces && one_in(5)) op.workspace = random_.uniform(1, 20);
    if (shape_.ignored && one_in(6)) op.ignored_inputs.push_back(0);
    if (shape_.copies && one_in(4)) {
      op.type = "Copy";
      op.in.resize(1);
      op.ignored_inputs.clear();
      op.out = {add_result(op.in.front(), kNoTensor)};
    } else if (shape_.views && one_in(5)) {
      op.type = "Reshape";
      op.in.resize(1);
      op.out = {add_result(op.in.front(), op.in.front())};
    } else {
      const std::int64_t makes = shape_.several_results ? random_.uniform(1, 2) : 1;
      for (std::int64_t i = 0; i < makes; ++i) {
        op.out.push_back(add_result(one_in(2) ? op.in.front() : kNoTensor, kNoTensor));
      }
      if (shape_.inplace) declare_pairs(op);
    }
    input_.add(std::move(op));
  }

  /// As large as `model`, where there is one; a view of `base`, where there is one.
  TensorIndex add_result(TensorIndex model, TensorIndex base) {
    Tensor tensor = fresh("t");
    if (model != kNoTensor) {
      tensor.shape = input_.tensors[model].shape;
      tensor.type = input_.tensors[model].type;
    }
    tensor.view_of = base;
    made_.push_back(true);
    return input_.add(std::move(tensor));
  }

  void declare_pairs(Op& op) {
    for (std::uint32_t in = 0; in < op.in.size(); ++in) {
      for (std::uint32_t out = 0; out < op.out.size(); ++out) {
        if (one_in(2)) op.inplace.push_back({in, out, one_in(6)});
      }
    }
  }

  Random random_;
  const GraphShape& shape_;
  GraphInput input_;
  std::vector<bool> made_;  // by tensor: by an op
};

inline Graph random_graph(std::uint64_t seed, const GraphShape& shape) {
  return RandomGraph(seed, shape).make();
}
inline Staged random_staged(std::uint64_t seed, const GraphShape& shape) {
  return stage(random_graph(seed, shape)).value();
}

}  // namespace stowage::testing
