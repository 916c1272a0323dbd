#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/io/graph_fields.h"
#include "core/io/pipeline_fields.h"

namespace stowage {
namespace {

using json::ObjectWriter;

/// The elements of a list, one after the other on the line.
template <typename List, typename Append>
void append_list(std::string& out, const List& list, Append&& append) {
  out += '[';
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

/// The elements of a list, one a line.
template <typename List, typename Append>
void append_lines(std::string& out, const List& list, Append&& append) {
  out += '[';
  bool first = true;
  for (const auto& element : list) {
    out += first ? "\n   " : ",\n   ";
    first = false;
    append(element);
  }
  out += ']';
}

void append_ids(std::string& out, const Graph& graph, const std::vector<TensorIndex>& tensors) {
  append_list(out, tensors, [&](TensorIndex t) { json::append_string(out, graph.tensor(t).id); });
}

void append_slots(std::string& out, const std::vector<SlotPair>& pairs) {
  append_list(out, pairs, [&](const SlotPair& pair) {
    if (pair.identity) {
      out += fmt::format(R"({{"in":{},"out":{},"identity":true}})", pair.in, pair.out);
    } else {
      out += fmt::format("[{},{}]", pair.in, pair.out);
    }
  });
}

/// Only what differs from the default is written.
void append_tensor(std::string& out, const Graph& graph, const Tensor& tensor) {
  ObjectWriter writer(out);
  writer.text("id", tensor.id);
  if (tensor.shape) {
    std::string& value = writer.key("shape");
    append_list(value, *tensor.shape, [&](std::int64_t dimension) { json::append_integer(value, dimension); });
  }
  writer.text("dtype", name_of(tensor.type));
  const bool computed = tensor.shape && tensor.bytes == packed_bytes(*tensor.shape, tensor.type);
  if (tensor.bytes && !computed) writer.integer("bytes", *tensor.bytes);
  writer.text("kind", name_of(tensor.kind));
  if (tensor.alignment != 1) writer.integer("alignment", tensor.alignment);
  if (tensor.donated) writer.key("donated") += "true";
  if (tensor.view_of != kNoTensor) {
    writer.text("view_of", graph.tensor(tensor.view_of).id);
    writer.integer("offset", tensor.view_offset);
  }
  if (!tensor.space.empty()) writer.text("space", tensor.space);
  if (!tensor.source.empty()) writer.text("source", tensor.source);
  writer.members_of(tensor.extra);
  writer.close();
}

void append_op(std::string& out, const Graph& graph, const Op& op) {
  ObjectWriter writer(out);
  writer.text("id", op.id);
  writer.text("type", op.type);
  append_ids(writer.key("in"), graph, op.in);
  append_ids(writer.key("out"), graph, op.out);
  if (!op.inplace.empty()) append_slots(writer.key("inplace"), op.inplace);
  if (!op.alias.empty()) append_slots(writer.key("alias"), op.alias);
  if (!op.ignored_inputs.empty()) {
    std::string& value = writer.key("ignored");
    append_list(value, op.ignored_inputs, [&](std::uint32_t slot) { value += fmt::format("{}", slot); });
  }
  if (op.stream != 0) writer.integer("stream", std::int64_t{op.stream});
  if (op.duration != 1) writer.key("duration") += fmt::format("{}", op.duration);
  if (op.flops != 0) writer.integer("flops", op.flops);
  if (op.workspace != 0) writer.integer("workspace", op.workspace);
  if (op.side_effect) writer.key("side_effect") += "true";
  if (op.backward) writer.key("backward") += "true";
  writer.members_of(op.extra);
  writer.close();
}

/// All members of the graph; `first`: there are none before them.
void append_members(std::string& out, ObjectWriter& writer, const Graph& graph, bool first) {
  const GraphInput& input = graph.input();
  const auto lines = [&](std::string_view key, const auto& list, auto&& append) {
    out += first ? "\n  " : ",\n  ";
    if (!first) writer.continue_line();
    first = false;
    append_lines(writer.key(key), list, append);
  };
  lines("tensors", input.tensors, [&](const Tensor& tensor) { append_tensor(out, graph, tensor); });
  lines("ops", input.ops, [&](const Op& op) { append_op(out, graph, op); });
  if (!input.inputs.empty()) append_ids(writer.key("inputs"), graph, input.inputs);
  if (!input.outputs.empty()) append_ids(writer.key("outputs"), graph, input.outputs);
  if (!input.events.empty()) {
    lines("events", input.events, [&](const Event& event) {
      ObjectWriter entry(out);
      entry.text("after", graph.op(event.after).id);
      entry.text("before", graph.op(event.before).id);
      entry.close();
    });
  }
  if (!input.loops.empty()) {
    lines("loops", input.loops, [&](const Loop& loop) {
      ObjectWriter entry(out);
      std::string& ops = entry.key("ops");
      append_list(ops, loop.ops, [&](OpIndex n) { json::append_string(ops, graph.op(n).id); });
      entry.close();
    });
  }
  if (!input.groups.empty()) {
    lines("groups", input.groups, [&](const TensorGroup& group) {
      ObjectWriter entry(out);
      append_ids(entry.key("members"), graph, group.members);
      entry.integer("pad", group.pad);
      entry.close();
    });
  }
  writer.members_of(input.extra);
}

}  // namespace

void append_graph(std::string& out, const Graph& graph) {
  ObjectWriter writer(out);
  append_members(out, writer, graph, true);
  writer.close();
}

void append_graph_file(std::string& out, const Graph& graph, const std::vector<PipelineStage>* pipeline) {
  ObjectWriter writer(out);
  writer.text("format", kGraphFormat);
  writer.integer("version", kGraphVersion);
  if (!graph.name().empty()) writer.text("name", graph.name());
  if (pipeline != nullptr) append_pipeline(writer.key("pipeline"), *pipeline);
  append_members(out, writer, graph, false);
  writer.close();
}

}  // namespace stowage
