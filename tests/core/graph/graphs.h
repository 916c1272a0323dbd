#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/staged.h"

namespace stowage::test {

/// Writes graphs down shortly: tensors by name and size, ops by what they read and make.
class Sketch {
 public:
  Sketch& tensor(std::string id, std::int64_t bytes, TensorKind kind = TensorKind::kActivation) {
    Tensor tensor;
    tensor.id = std::move(id);
    tensor.bytes = bytes;
    tensor.kind = kind;
    input.add(std::move(tensor));
    return *this;
  }
  /// Inputs and outputs are names of tensors; the last op is at ops.back().
  Sketch& op(std::string id, const std::vector<std::string>& in, const std::vector<std::string>& out,
             std::uint32_t stream = 0) {
    Op op;
    op.id = std::move(id);
    for (const std::string& name : in) op.in.push_back(index(name));
    for (const std::string& name : out) op.out.push_back(index(name));
    op.stream = stream;
    input.add(std::move(op));
    return *this;
  }
  TensorIndex index(std::string_view name) const {
    for (TensorIndex t = 0; t < input.tensors.size(); ++t) {
      if (input.tensors[t].id == name) return t;
    }
    return kNoTensor;
  }
  Graph graph() const { return make_graph(input).value(); }

  GraphInput input;
};

}  // namespace stowage::test
