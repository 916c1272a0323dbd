// Models of TensorFlow Lite (LiteRT) as a graph and a problem: operators run in their order, one a step. A tensor lives
// from the operator that makes it to its last reader, the inputs from the start, outputs and variables to the end;
// constants are left out. A plan for the interpreter of microcontrollers (metadata OfflineMemoryAllocation) is read as
// the plan of the file, and a plan of ours can be put into a copy of the model.
// (TensorFlow's schema.fbs; tflite-micro, docs/memory_management.md.)

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/io/flatbuffer.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/graph_file.h"
#include "core/io/json.h"
#include "core/io/tflite_model.h"

namespace stowage {

Format tflite_format();
Result<std::string> write_tflite(const Document& document, const WriteOptions& options);

namespace {

bool sniff(std::string_view bytes) {
  // A text may hold these letters; no text holds a zero byte.
  return bytes.size() >= 8 && bytes.substr(4, 4) == "TFL3" && bytes.find('\0') != std::string_view::npos;
}

GraphRecipe recipe_of_models() {
  GraphRecipe recipe;
  recipe.lowering.inputs = true;
  recipe.lowering.state = true;
  return recipe;
}

/// The interpreter lets the tensors of an op that it knows nothing about lie wherever that op wants them.
bool share_an_opaque_op(const tflite::Subgraph& subgraph, const Graph& graph, TensorIndex a, TensorIndex b) {
  const auto touches = [&](const Op& op, TensorIndex t) {
    for (const TensorIndex other : op.in) {
      if (other == t) return true;
    }
    return false;
  };
  const auto op_of = [&](TensorIndex made, TensorIndex other) {
    const OpIndex n = graph.producer(made);
    return n != kNoOp && subgraph.opaque[n] && (graph.producer(other) == n || touches(graph.op(n), other));
  };
  if (op_of(a, b) || op_of(b, a)) return true;
  for (const OpIndex n : graph.readers(a)) {
    if (subgraph.opaque[n] && touches(graph.op(n), b)) return true;
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format format = tflite_format();
  const auto dimensions = chosen_dimensions(format, options);
  if (!dimensions) return tl::unexpected(dimensions.error());

  flat::File file(bytes);
  auto subgraph = tflite::read_subgraph(file, {format.choice(options, "subgraph"), *dimensions});
  std::optional<tflite::OfflinePlan> plan;
  if (subgraph && !file.damage()) {
    plan = tflite::find_offline_plan(file, subgraph->index, subgraph->graph.tensors.size(), subgraph->notes);
  }
  if (file.damage()) return input_error(fmt::format("{}: the model is {}", name, file.damage_text()));
  if (!subgraph) return fail(subgraph.error().kind, fmt::format("{}: {}", name, subgraph.error().message));

  if (subgraph->index != 0) {
    json::ObjectWriter extra(subgraph->graph.extra);
    extra.integer("tflite_subgraph", static_cast<std::uint64_t>(subgraph->index));
    extra.close();
  }
  auto document = document_of_file({std::move(subgraph->graph), recipe_of_models(), std::move(subgraph->notes),
                                    subgraph->left_out, std::move(subgraph->open_dimensions)},
                                   format, name, options);
  if (!document) return document;
  document->original = std::make_shared<const std::string>(bytes);
  if (!plan) return document;

  const Graph& graph = *document->graph;
  TensorPlaces places;
  for (const std::int32_t offset : plan->offsets) places.offsets.push_back(offset < 0 ? kNoOffset : offset);
  places.meant = [&](TensorIndex a, TensorIndex b) {
    return share_an_opaque_op(*subgraph, graph, a, b);
  };
  const auto put = put_places(*document, places, options, name);
  if (!put) return tl::unexpected(put.error());
  return document;
}

}  // namespace

Format tflite_format() {
  Format format;
  format.id = "tflite";
  format.title = "TensorFlow Lite model";
  format.extension = ".tflite";
  format.summary = "the graph of a model and its offline plan; a plan is written into a copy of the model";
  format.sniff = sniff;
  format.binary = true;
  format.read = read;
  format.write = write_tflite;
  format.choices = graph_choices();
  for (ReadChoice& choice : format.choices) {
    if (choice.key == "include") choice.value = "inputs,state,outputs";
    if (choice.key == "dims") choice.summary = "values of open dimensions: ?=8 all, d0=8 the first of each, d1=8, ...";
  }
  format.choices.push_back({"subgraph", "number or name of the subgraph; the main one when it is empty", "", {}});
  return format;
}

}  // namespace stowage
