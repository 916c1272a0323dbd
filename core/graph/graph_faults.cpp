#include "core/graph/graph_faults.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace stowage {
namespace {

class Faults {
 public:
  explicit Faults(const GraphInput& input) : input_(input) {}

  std::vector<GraphFault> find() {
    tensors();
    ops();
    links();
    if (faults_.empty()) views();  // needs sound indices
    if (faults_.empty()) cycles();
    return std::move(faults_);
  }

 private:
  void add(std::string where, std::string message) {
    faults_.push_back(GraphFault{std::move(where), std::move(message)});
  }
  void tensor_index(const std::string& where, TensorIndex t) {
    if (t >= input_.tensors.size()) add(where, fmt::format("is tensor {}, but there are {}", t, input_.tensors.size()));
  }
  void op_index(const std::string& where, OpIndex n) {
    if (n >= input_.ops.size()) add(where, fmt::format("is op {}, but there are {}", n, input_.ops.size()));
  }

  void tensors() {
    std::optional<std::int64_t> sum = 0;
    for (std::size_t t = 0; t < input_.tensors.size(); ++t) {
      const Tensor& tensor = input_.tensors[t];
      const auto where = [&](std::string_view field) {
        return fmt::format("tensors[{}].{}", t, field);
      };
      std::optional<std::int64_t> bytes = tensor.bytes;
      if (bytes && *bytes < 0) add(where("bytes"), fmt::format("is {}, below 0", *bytes));
      if (!bytes && tensor.shape) {
        bytes = packed_bytes(*tensor.shape, tensor.type);
        if (!bytes) add(where("shape"), "has a negative dimension, or needs more than 2^63-1 bytes");
      }
      if (tensor.alignment < 1) add(where("alignment"), fmt::format("is {}, below 1", tensor.alignment));
      if (tensor.view_of != kNoTensor) tensor_index(where("view_of"), tensor.view_of);
      if (tensor.view_offset < 0) add(where("offset"), fmt::format("is {}, below 0", tensor.view_offset));
      // Padding to the alignment is less than the alignment itself.
      if (sum) sum = checked_add(*sum, std::max<std::int64_t>(bytes.value_or(0), 0));
      if (sum) sum = checked_add(*sum, std::max<std::int64_t>(tensor.alignment, 0));
      if (sum) sum = checked_add(*sum, std::max<std::int64_t>(tensor.view_offset, 0));
    }
    for (const Op& op : input_.ops) {
      if (sum) sum = checked_add(*sum, std::max<std::int64_t>(op.workspace, 0));
    }
    if (!sum) add("tensors", "together need more than 2^63-1 bytes");
  }

  void ops() {
    std::vector<OpIndex> producers(input_.tensors.size(), kNoOp);
    for (OpIndex n = 0; n < input_.ops.size(); ++n) {
      const Op& op = input_.ops[n];
      const std::string at = fmt::format("ops[{}]", n);
      for (std::size_t i = 0; i < op.in.size(); ++i) tensor_index(fmt::format("{}.in[{}]", at, i), op.in[i]);
      for (std::size_t i = 0; i < op.out.size(); ++i) {
        const TensorIndex t = op.out[i];
        const std::string where = fmt::format("{}.out[{}]", at, i);
        tensor_index(where, t);
        if (t >= producers.size()) continue;
        if (producers[t] != kNoOp) {
          add(where, fmt::format("tensor {} is made by {} already", input_.tensors[t].id, input_.ops[producers[t]].id));
        }
        producers[t] = n;
      }
      slots(at + ".inplace", op, op.inplace);
      slots(at + ".alias", op, op.alias);
      for (const std::uint32_t slot : op.ignored_inputs) {
        if (slot >= op.in.size()) add(at + ".ignored", fmt::format("input {} of {}", slot, op.in.size()));
      }
      if (!std::isfinite(op.duration) || op.duration < 0) add(at + ".duration", "is not a number of at least 0");
      if (op.flops < 0) add(at + ".flops", "is below 0");
      if (op.workspace < 0) add(at + ".workspace", "is below 0");
    }
  }

  void slots(const std::string& where, const Op& op, const std::vector<SlotPair>& pairs) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].in >= op.in.size() || pairs[i].out >= op.out.size()) {
        add(fmt::format("{}[{}]", where, i), fmt::format("pairs input {} with output {}; the op has {} and {}",
                                                         pairs[i].in, pairs[i].out, op.in.size(), op.out.size()));
      }
    }
  }

  void links() {
    for (std::size_t i = 0; i < input_.inputs.size(); ++i) tensor_index(fmt::format("inputs[{}]", i), input_.inputs[i]);
    for (std::size_t i = 0; i < input_.outputs.size(); ++i)
      tensor_index(fmt::format("outputs[{}]", i), input_.outputs[i]);
    for (std::size_t i = 0; i < input_.events.size(); ++i) {
      op_index(fmt::format("events[{}].after", i), input_.events[i].after);
      op_index(fmt::format("events[{}].before", i), input_.events[i].before);
    }
    for (std::size_t i = 0; i < input_.loops.size(); ++i) {
      for (const OpIndex n : input_.loops[i].ops) op_index(fmt::format("loops[{}].ops", i), n);
    }
    std::vector<bool> grouped(input_.tensors.size(), false);
    for (std::size_t i = 0; i < input_.groups.size(); ++i) {
      const std::string where = fmt::format("groups[{}]", i);
      if (input_.groups[i].pad < 0) add(where + ".pad", "is below 0");
      for (const TensorIndex t : input_.groups[i].members) {
        tensor_index(where, t);
        if (t >= grouped.size()) continue;
        if (grouped[t]) add(where, fmt::format("tensor {} is in a group already", input_.tensors[t].id));
        grouped[t] = true;
      }
    }
  }

  /// A view of a view of ... must end at something that is none.
  void views() {
    const std::vector<TensorIndex> parents = view_parents(input_);
    // 0: not looked at, 1: on the chain being followed, 2: known to end
    std::vector<std::uint8_t> seen(parents.size(), 0);
    for (TensorIndex t = 0; t < parents.size(); ++t) {
      std::vector<TensorIndex> chain;
      TensorIndex at = t;
      while (seen[at] == 0 && parents[at] != at) {
        seen[at] = 1;
        chain.push_back(at);
        at = parents[at];
      }
      if (seen[at] == 1) {
        add(fmt::format("tensors[{}]", at), fmt::format("{} is a view of itself", input_.tensors[at].id));
        return;
      }
      seen[at] = 2;
      for (const TensorIndex passed : chain) seen[passed] = 2;
    }
  }

  /// Kahn's algorithm; what is left waits for itself.
  void cycles() {
    const auto edges = order_edges(input_);
    const std::size_t count = input_.ops.size();
    std::vector<std::size_t> waiting(count, 0);
    std::vector<std::vector<OpIndex>> followers(count);
    for (const auto& [op, before] : edges) {
      ++waiting[op];
      followers[before].push_back(op);
    }
    std::vector<OpIndex> ready;
    for (OpIndex n = 0; n < count; ++n) {
      if (waiting[n] == 0) ready.push_back(n);
    }
    std::size_t done = 0;
    while (!ready.empty()) {
      const OpIndex n = ready.back();
      ready.pop_back();
      ++done;
      for (const OpIndex follower : followers[n]) {
        if (--waiting[follower] == 0) ready.push_back(follower);
      }
    }
    if (done == count) return;
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::size_t left) { return left > 0; });
    const auto n = static_cast<std::size_t>(stuck - waiting.begin());
    add(fmt::format("ops[{}]", n),
        fmt::format("{} of {} ops wait for each other in a circle, {} among them or behind it", count - done, count,
                    input_.ops[n].id));
  }

  const GraphInput& input_;
  std::vector<GraphFault> faults_;
};

}  // namespace

std::vector<GraphFault> find_faults(const GraphInput& input) {
  return Faults(input).find();
}

std::vector<TensorIndex> view_parents(const GraphInput& input) {
  std::vector<TensorIndex> parents(input.tensors.size());
  for (TensorIndex t = 0; t < parents.size(); ++t) {
    parents[t] = input.tensors[t].view_of == kNoTensor ? t : input.tensors[t].view_of;
  }
  for (const Op& op : input.ops) {
    for (const SlotPair& pair : op.alias) {
      if (input.tensors[op.out[pair.out]].view_of == kNoTensor) parents[op.out[pair.out]] = op.in[pair.in];
    }
  }
  return parents;
}

std::vector<std::pair<std::uint32_t, OpIndex>> order_edges(const GraphInput& input) {
  std::vector<OpIndex> producers(input.tensors.size(), kNoOp);
  for (OpIndex n = 0; n < input.ops.size(); ++n) {
    for (const TensorIndex t : input.ops[n].out) producers[t] = n;
  }
  std::vector<std::pair<std::uint32_t, OpIndex>> edges;
  for (OpIndex n = 0; n < input.ops.size(); ++n) {
    for (TensorIndex t : input.ops[n].in) {
      // A view that no op makes is there when the tensor it lies in is.
      while (producers[t] == kNoOp && input.tensors[t].view_of != kNoTensor) t = input.tensors[t].view_of;
      if (producers[t] != kNoOp) edges.emplace_back(n, producers[t]);
    }
  }
  for (const Event& event : input.events) edges.emplace_back(event.before, event.after);
  return edges;
}

}  // namespace stowage
