// An operator graph in a file of its own: {"format": "stowage-graph", "version": 1, "tensors": [...], "ops": [...],
// ...}, of which format and version may be missing.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/graph_fields.h"
#include "core/io/intake.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"
#include "core/io/pipeline_fields.h"
#include "core/transforms/pipeline.h"

namespace stowage {

Format graph_json_format();

namespace {

bool sniff_json(const json::Outline& outline) {
  if (outline.array) return false;
  const bool is_native = outline.has("graph") || outline.has("problem");
  if (outline.has("tensors") && outline.has("ops")) return !is_native;
  if (outline.has("format")) return false;
  return (outline.has("ops") && outline.has("inputs")) ||
         (outline.has("buffers") && outline.has("loops") && outline.has("steps"));
}

template <typename Named>
void note_repeats(std::span<const Named> all, std::string_view what, std::vector<std::string>& warnings) {
  const std::string plural = fmt::format("duplicate {} ids", what);
  Notes repeats(warnings, plural);
  std::unordered_set<std::string_view> known;
  for (const Named& one : all) {
    if (one.id.empty() || known.insert(one.id).second) continue;
    repeats.add([&] { return fmt::format("duplicate {} id \"{}\"; both are kept", what, shown(one.id)); });
  }
}

/// What is there from the start cannot be made as well: it is taken as there.
void note_made_inputs(const Graph& graph, std::vector<std::string>& warnings) {
  Notes made(warnings, "inputs that an op makes");
  for (const Op& op : graph.ops()) {
    for (const TensorIndex t : op.out) {
      if (graph.tensor(t).kind != TensorKind::kInput) continue;
      made.add([&] {
        return fmt::format("\"{}\" makes \"{}\", which is an input and there from the start", shown(op.id),
                           shown(graph.tensor(t).id));
      });
    }
  }
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const auto text = sound_json(bytes, name, options.watch);
  if (!text) return tl::unexpected<Error>(text.error());
  const Format format = graph_json_format();
  const auto dimensions = chosen_dimensions(format, options);
  if (!dimensions) return tl::unexpected(dimensions.error());

  json::Source source(*text, name, false, options.watch);  // a graph with a part left out is another graph
  const json::Path top;
  const json::Value root = json::root(*text);
  if (root.kind() != json::Kind::kObject)
    return input_error(fmt::format("{}: $: expected an object, found {}", name, name_of(root.kind())));
  const bool of_loops = json::outline_of(*text).has("buffers");
  std::optional<json::Value> pipeline;
  Symbols symbols{options.lenient, {}, {}};
  auto graph =
      of_loops ? read_loop_buffers(source, root, top) : read_graph(source, root, top, *dimensions, &pipeline, &symbols);
  std::optional<GraphRecipe> recipe;
  if (pipeline) {
    const json::Path at{&top, "pipeline", {}};
    recipe = GraphRecipe{"given", read_pipeline(source, *pipeline, at), {}};
  }
  if (!source.complaints.empty()) return tl::unexpected(source.complaints.error());
  if (const auto known = check_dimensions(*dimensions, symbols.names); !known) return tl::unexpected(known.error());
  auto document = document_of_graph(std::move(*graph), std::move(recipe), format, name, options);
  if (!document) return document;
  ask_for(*document, symbols.open, name);
  std::vector<std::string> warnings = source.take_warnings();
  note_repeats(document->graph->tensors(), "tensor", warnings);
  note_repeats(document->graph->ops(), "op", warnings);
  note_made_inputs(*document->graph, warnings);
  warnings.insert(warnings.end(), document->facts.warnings.begin(), document->facts.warnings.end());
  document->facts.warnings = std::move(warnings);
  return document;
}

Result<std::string> write(const Document& document, const WriteOptions& options) {
  if (document.graph == nullptr) return input_error("there is no operator graph in this document");
  std::string out;
  // Of a native file with a pipeline, the graph that goes in.
  const bool wanted = options.with_pipeline || document.facts.format == "graph-json";
  const std::vector<PipelineStage>& pipeline = document.recipe.pipeline;
  append_graph_file(out, *document.graph,
                    wanted && pipeline != default_pipeline(*document.graph) ? &pipeline : nullptr);
  out += '\n';
  return out;
}

}  // namespace

Format graph_json_format() {
  Format format;
  format.id = "graph-json";
  format.title = "Operator graph";
  format.extension = ".graph.json";
  format.summary = "tensors and the ops that make and read them; becomes a problem through liveness";
  format.sniff_json = sniff_json;
  format.read = read;
  format.write = write;
  format.choices = graph_choices();
  return format;
}

}  // namespace stowage
