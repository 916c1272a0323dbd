#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/graph/data_type.h"

namespace stowage {

using TensorIndex = std::uint32_t;
using OpIndex = std::uint32_t;
inline constexpr TensorIndex kNoTensor = 0xFFFFFFFFU;
inline constexpr OpIndex kNoOp = 0xFFFFFFFFU;

/// What a tensor is to the graph; decides how long it lives and whether its memory may be written.
enum class TensorKind : std::uint8_t {
  kActivation,
  kInput,
  kWeight,
  kConstant,
  kGradient,
  kWeightGradient,
  kState,  // of an optimizer, of a recurrent network
  kWorkspace,
  kOutput,
};

/// "activation", "input", ...: as it stands in files.
std::string_view name_of(TensorKind kind);
std::optional<TensorKind> tensor_kind(std::string_view name);

/// A value of the operator graph.
struct Tensor {
  std::string id;
  std::optional<std::vector<std::int64_t>> shape;  // none: unknown; no dimensions: a scalar
  DataType type = DataType::kFloat32;
  std::optional<std::int64_t>
      bytes;  // given, or made of shape and type by the gate; none: unknown, it cannot be planned
  TensorKind kind = TensorKind::kActivation;
  std::int64_t alignment = 1;
  bool donated = false;             // a graph input whose memory the graph may write
  TensorIndex view_of = kNoTensor;  // a view: it owns no memory, it lies inside this one
  std::int64_t view_offset = 0;     // bytes above the start of what it is a view of
  std::string space;                // id of an address space; empty: the default one
  std::string source;               // where it comes from in the user's program
  std::string extra;                // unknown keys, as the text of a JSON object; empty when none
  bool operator==(const Tensor&) const = default;
};

/// Which output of an op goes with which of its inputs: positions in Op::out and Op::in.
struct SlotPair {
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  bool identity = false;  // the op changes nothing: others may still read the input
  bool operator==(const SlotPair&) const = default;
};

/// A step of the computation.
struct Op {
  std::string id;
  std::string type;  // "Conv", "MatMul"
  std::vector<TensorIndex> in;
  std::vector<TensorIndex> out;
  std::vector<SlotPair> inplace;              // the output may take the memory of the input
  std::vector<SlotPair> alias;                // the output must: it is the input by another name
  std::vector<std::uint32_t> ignored_inputs;  // positions in `in` whose contents it never reads
  std::uint32_t stream = 0;
  double duration = 1;  // in units of the graph's own clock
  std::int64_t flops = 0;
  std::int64_t workspace = 0;  // bytes that it needs while it runs
  bool side_effect = false;
  bool backward = false;  // of the gradient part
  std::string extra;      // unknown keys, as the text of a JSON object; empty when none
  bool operator==(const Op&) const = default;
};

/// `before` starts only after `after` has ended: an event between streams, a control edge.
struct Event {
  OpIndex after = kNoOp;
  OpIndex before = kNoOp;
  bool operator==(const Event&) const = default;
};

/// Ops that run several times; what was made before them and is read among them is needed until the last time.
struct Loop {
  std::vector<OpIndex> ops;
  bool operator==(const Loop&) const = default;
};

/// Tensors that must lie one behind the other in this order, each `pad` bytes behind the one before.
struct TensorGroup {
  std::vector<TensorIndex> members;
  std::int64_t pad = 0;
  bool operator==(const TensorGroup&) const = default;
};

/// Everything a graph is made of, before anybody has looked whether it makes sense.
struct GraphInput {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<Op> ops;  // in the given order of execution
  std::vector<TensorIndex> inputs;
  std::vector<TensorIndex> outputs;  // none: every made tensor that nobody reads
  std::vector<Event> events;
  std::vector<Loop> loops;
  std::vector<TensorGroup> groups;
  std::string extra;  // unknown keys of the graph, as the text of a JSON object; empty when none

  TensorIndex add(Tensor tensor);
  OpIndex add(Op op);
};

/// One thing that is wrong with a GraphInput.
struct GraphFault {
  std::string where;    // "ops[3].in[0]", "tensors[1].bytes"; empty: the graph as a whole
  std::string message;  // without the place: "reads tensor 17, of 12"
};

/// An operator graph that has passed the gate: immutable. Promised: every index is sound, each tensor is made by at
/// most one op, views end at a tensor that is none, sizes are known or known to be unknown and their sum fits in int64,
/// and the ops can be ordered so that each runs after what it reads and waits for.
class Graph {
 public:
  Graph() = default;

  const std::string& name() const { return input_.name; }
  std::span<const Tensor> tensors() const { return input_.tensors; }
  std::span<const Op> ops() const { return input_.ops; }
  std::span<const Event> events() const { return input_.events; }
  std::span<const Loop> loops() const { return input_.loops; }
  std::span<const TensorGroup> groups() const { return input_.groups; }
  const Tensor& tensor(TensorIndex t) const { return input_.tensors[t]; }
  const Op& op(OpIndex n) const { return input_.ops[n]; }

  /// kNoOp when the tensor is there from the start.
  OpIndex producer(TensorIndex t) const { return producers_[t]; }
  /// The ops that read it, ascending; an op that reads it twice comes twice. Ignored inputs do not count.
  std::span<const OpIndex> readers(TensorIndex t) const;
  /// The tensor whose memory it lives in: itself unless it is a view or a must-alias output (of one that is, its base).
  TensorIndex base(TensorIndex t) const { return bases_[t]; }
  /// Bytes above the start of its base.
  std::int64_t base_offset(TensorIndex t) const { return base_offsets_[t]; }
  bool is_view(TensorIndex t) const { return bases_[t] != t; }
  bool is_output(TensorIndex t) const { return is_output_[t] != 0; }
  /// The declared ones and those of kind output; without any, everything made that nobody reads. Ascending.
  std::span<const TensorIndex> outputs() const { return outputs_; }
  /// Ops that must end before op n starts: makers of what it reads, and events. Ascending, once each.
  std::span<const OpIndex> waits_for(OpIndex n) const;

  /// The first with this id; kNoTensor, kNoOp when there is none. Linear.
  TensorIndex find_tensor(std::string_view id) const;
  OpIndex find_op(std::string_view id) const;

  /// What it was made of: copy, change and give it to make_graph again to derive another graph.
  const GraphInput& input() const { return input_; }

 private:
  void find_bases();
  void find_readers();
  void find_outputs();
  void find_waits();

  friend tl::expected<Graph, std::vector<GraphFault>> make_graph(GraphInput input);

  GraphInput input_;
  std::vector<OpIndex> producers_;
  std::vector<TensorIndex> bases_;
  std::vector<std::int64_t> base_offsets_;
  std::vector<std::uint8_t> is_output_;
  std::vector<TensorIndex> outputs_;
  // Readers of tensor t: readers_[reader_begin_[t]] .. readers_[reader_begin_[t + 1]]; waits likewise.
  std::vector<std::size_t> reader_begin_;
  std::vector<OpIndex> readers_;
  std::vector<std::size_t> wait_begin_;
  std::vector<OpIndex> waits_;
};

/// The only gate: either a sound graph or its faults.
tl::expected<Graph, std::vector<GraphFault>> make_graph(GraphInput input);

}  // namespace stowage
