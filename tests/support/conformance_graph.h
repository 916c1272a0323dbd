#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/graph/lower.h"
#include "core/graph/staged.h"

namespace stowage::testing {

/// Turns the graph of a conformance case into a staged one. Two layouts: nodes that each make one tensor of their own
/// name ({"inputs","nodes":[{"id","inputs","output_bytes","inplace_inputs"}],"order","outputs"}), and MindSpore's nodes
/// with tensors between them ({"nodes","tensors":{id:{"src","bytes","consumers"}},"streams","events","blocks"}).
class ConformanceGraph {
 public:
  using json = nlohmann::json;

  explicit ConformanceGraph(const json& from) : from_(from) {}

  /// Tensors that are graph outputs besides those of the case.
  ConformanceGraph& also_output(const std::string& id) {
    more_outputs_.push_back(id);
    return *this;
  }

  /// Errors: refused, names what the model has no word for.
  Result<Staged> read() {
    if (from_.contains("tensors")) {
      read_tensors();
    } else {
      read_nodes();
    }
    if (!refused_.empty()) return fail(Error::Kind::kRefused, refused_);
    auto graph = make_graph(std::move(input_));
    if (!graph) {
      return fail(Error::Kind::kRefused,
                  fmt::format("{}: {}", graph.error().front().where, graph.error().front().message));
    }
    Staged staged;
    staged.schedule.order = order_;
    if (const auto sound = check_schedule(*graph, staged.schedule); !sound) return tl::unexpected(sound.error());
    for (const Op& op : graph->ops()) staged.origin.push_back(op.id);
    staged.graph = std::move(*graph);
    return staged;
  }

 private:
  void only(const json& object, const std::set<std::string>& known, const std::string& what) {
    for (const auto& [key, value] : object.items()) {
      if (!known.contains(key) && refused_.empty()) refused_ = fmt::format("unknown key '{}' of {}", key, what);
    }
  }

  TensorIndex tensor(const std::string& id) {
    const auto found = tensors_.find(id);
    if (found != tensors_.end()) return found->second;
    if (refused_.empty()) refused_ = fmt::format("there is no tensor {}", id);
    return 0;
  }
  OpIndex op(const std::string& id) {
    const auto found = ops_.find(id);
    if (found != ops_.end()) return found->second;
    if (refused_.empty()) refused_ = fmt::format("there is no node {}", id);
    return 0;
  }
  void add_tensor(const std::string& id, std::optional<std::int64_t> bytes, TensorKind kind) {
    Tensor tensor;
    tensor.id = id;
    tensor.bytes = bytes;
    tensor.kind = kind;
    tensors_[id] = input_.add(std::move(tensor));
  }

  void add_op(Op one) {
    const std::string id = one.id;
    ops_[id] = input_.add(std::move(one));
  }

  void read_nodes() {
    // What a case asks of the planner stands beside its graph.
    only(from_, {"inputs", "nodes", "order", "outputs", "num_colours", "match_range", "inplace", "sharing"}, "a graph");
    for (const json& one : from_.value("inputs", json::array())) {
      only(one, {"id", "bytes"}, "an input");
      std::optional<std::int64_t> bytes;
      if (one.contains("bytes")) bytes = one["bytes"].get<std::int64_t>();
      add_tensor(one["id"], bytes, TensorKind::kInput);
      input_.inputs.push_back(tensors_[one["id"]]);
    }
    for (const json& node : from_["nodes"]) {
      add_tensor(node["id"], node["output_bytes"].get<std::int64_t>(), TensorKind::kActivation);
    }
    for (const json& node : from_["nodes"]) {
      only(node, {"id", "inputs", "output_bytes", "inplace_inputs", "identity_inputs", "ignore_inputs"}, "a node");
      Op one;
      one.id = node["id"];
      for (const json& id : node["inputs"]) one.in.push_back(tensor(id));
      one.out = {tensor(node["id"])};
      for (const json& slot : node.value("identity_inputs", json::array())) one.inplace.push_back({slot, 0, true});
      for (const json& slot : node.value("inplace_inputs", json::array())) {
        const bool known = std::any_of(one.inplace.begin(), one.inplace.end(),
                                       [&](const SlotPair& pair) { return pair.in == slot.get<std::uint32_t>(); });
        if (!known) one.inplace.push_back({slot, 0, false});
      }
      for (const json& slot : node.value("ignore_inputs", json::array())) one.ignored_inputs.push_back(slot);
      add_op(std::move(one));
    }
    read_order(from_.contains("order") ? from_["order"] : json());
    for (const json& id : from_.value("outputs", json::array())) input_.outputs.push_back(tensor(id));
    for (const std::string& id : more_outputs_) input_.outputs.push_back(tensor(id));
  }

  void read_order(const json& order) {
    if (order.is_null()) {
      for (OpIndex n = 0; n < input_.ops.size(); ++n) order_.push_back(n);
    } else {
      for (const json& id : order) order_.push_back(op(id));
    }
  }

  void read_tensors() {
    only(from_, {"nodes", "tensors", "streams", "events", "blocks"}, "a graph");
    for (const json& node : from_["nodes"]) {
      Op one;
      one.id = node;
      const json streams = from_.value("streams", json::object());
      if (streams.contains(one.id)) one.stream = streams[one.id];
      add_op(std::move(one));
    }
    read_order(json());
    // Numbered as MindSpore does: by the node that makes them.
    std::vector<std::string> ids;
    for (const auto& [id, tensor] : from_["tensors"].items()) ids.push_back(id);
    std::stable_sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
      const OpIndex made_a = op(from_["tensors"][a]["src"]);
      const OpIndex made_b = op(from_["tensors"][b]["src"]);
      if (made_a != made_b) return made_a < made_b;
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    for (const std::string& id : ids) {
      const json& tensor = from_["tensors"][id];
      only(tensor, {"src", "bytes", "consumers"}, "a tensor");
      add_tensor(id, tensor["bytes"].get<std::int64_t>(), TensorKind::kActivation);
      input_.ops[op(tensor["src"])].out.push_back(tensors_[id]);
      for (const json& reader : tensor["consumers"]) input_.ops[op(reader)].in.push_back(tensors_[id]);
    }
    // None of them is a graph output, not even what nobody reads.
    add_tensor("(no output)", 0, TensorKind::kActivation);
    input_.outputs.push_back(tensors_["(no output)"]);
    for (const json& event : from_.value("events", json::array())) {
      input_.events.push_back({op(event[0]), op(event[1])});
    }
    for (const json& block : from_.value("blocks", json::array())) {
      if (block.size() < 2) continue;
      TensorGroup group;
      for (const json& id : block) group.members.push_back(tensor(id));
      input_.groups.push_back(std::move(group));
    }
  }

  const json& from_;
  GraphInput input_;
  std::vector<OpIndex> order_;
  std::map<std::string, TensorIndex> tensors_;
  std::map<std::string, OpIndex> ops_;
  std::vector<std::string> more_outputs_;
  std::string refused_;
};

}  // namespace stowage::testing
