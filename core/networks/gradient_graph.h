#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/networks/gradients.h"

namespace stowage {

/// The gradient part of a graph while it grows: which forward tensors want a gradient, what has arrived for each, and
/// the sums where more than one part arrives. Rules write to it.
class GradientGraph {
 public:
  /// Tensors that depend on a weight or on one of the options' inputs want a gradient.
  GradientGraph(GraphInput& graph, const GradientOptions& options);

  bool joint() const { return joint_; }
  bool wants(TensorIndex t) const { return wants_[t] != 0; }
  /// The sum of all parts so far; kNoTensor when there is none.
  TensorIndex arrived(TensorIndex t) const { return arrived_[t]; }
  const Tensor& tensor(TensorIndex t) const { return graph_.tensors[t]; }

  /// Takes an existing tensor as a part of the gradient of t, without a copy; adds it to what is there already.
  void arrive(TensorIndex t, TensorIndex part);
  /// An input of the graph as the gradient of t.
  void arrive_from_outside(TensorIndex t);
  /// One op that makes a part of the gradient of each target. `forward` names it when it has several.
  void emit(const std::string& type, const Op& forward, std::vector<TensorIndex> reads,
            const std::vector<TensorIndex>& targets, std::vector<SlotPair> inplace = {}, std::int64_t flops = 0);
  /// One op that makes a tensor like t that is no part of any gradient yet.
  TensorIndex emit_like(const std::string& type, const std::string& id, std::vector<TensorIndex> reads, TensorIndex t,
                        std::vector<SlotPair> inplace = {});

 private:
  struct Count {
    std::uint32_t parts = 0;  // made by emit
    std::uint32_t summed = 0;
  };
  struct Made {
    std::vector<TensorIndex> reads;
    std::vector<TensorIndex> parts;
    std::vector<SlotPair> alias;
    std::vector<std::uint32_t> ignored;
  };
  void add_onto(Made& made, TensorIndex t);
  TensorIndex add_like(std::string id, TensorIndex t);
  TensorIndex add_part(TensorIndex t);
  Op& append(const std::string& type, std::string id, std::vector<TensorIndex> reads, std::vector<TensorIndex> makes,
             std::vector<SlotPair> inplace, std::int64_t flops);

  GraphInput& graph_;
  bool joint_;
  bool given_;
  // By forward tensor.
  std::vector<std::uint8_t> wants_;
  std::vector<TensorIndex> arrived_;
  std::vector<Count> counts_;
};

}  // namespace stowage
