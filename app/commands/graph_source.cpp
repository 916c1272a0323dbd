#include "app/commands/graph_source.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/commands/interrupt.h"
#include "app/commands/lookup.h"
#include "app/commands/network_text.h"
#include "core/base/text.h"
#include "core/io/graph_document.h"
#include "core/networks/network.h"

namespace stowage {
namespace {

constexpr std::string_view kNetwork = "network:";

Result<PipelineStage> stage_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  PipelineStage stage{text.substr(0, colon), true, {}};
  if (find_transform(stage.transform) == nullptr) {
    std::vector<std::string> known;
    for (const Transform& transform : transforms()) known.push_back(transform.id);
    return usage_error(
        fmt::format("there is no transform '{}'{}", stage.transform, did_you_mean(stage.transform, known)));
  }
  if (colon == std::string::npos) return stage;
  auto params = key_values(std::string_view(text).substr(colon + 1), stage.transform);
  if (!params) return tl::unexpected(params.error());
  stage.params = std::move(*params);
  return stage;
}

}  // namespace

Result<Document> generated_document(const std::string& text, const ReadOptions& options) {
  const std::string rest = text.substr(kNetwork.size());
  const std::size_t colon = rest.find(':');
  const std::string name = rest.substr(0, colon);
  const auto network = network_by_id(name);
  if (!network) return tl::unexpected(network.error());
  ParamValues params;
  if (colon != std::string::npos) {
    auto given = key_values(std::string_view(rest).substr(colon + 1), name);
    if (!given) return tl::unexpected(given.error());
    params = std::move(*given);
  }
  auto graph = generate_network(**network, params);
  if (!graph) return tl::unexpected(graph.error());
  const auto format = format_by_id("graph-json");
  if (!format) return tl::unexpected(format.error());
  // All dimensions of a generated graph are numbers; they are parameters of the network.
  if (options.choices.contains("dims")) {
    return usage_error(fmt::format(
        "{}: a network by name has no symbolic dimensions; its sizes are parameters, such as network:{}:batch=8", name,
        name));
  }
  auto document = document_of_graph(std::move(*graph), std::nullopt, **format, name, options);
  if (document) document->path = text;
  return document;
}

Result<ParamValues> key_values(std::string_view text, const std::string& owner) {
  ParamValues values;
  for (const std::string& one : split(text, ',')) {
    const std::size_t equals = one.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return usage_error(fmt::format("{}: '{}': a parameter is given as KEY=VALUE", owner, one));
    }
    const std::string key = one.substr(0, equals);
    if (!values.emplace(key, one.substr(equals + 1)).second) {
      return usage_error(fmt::format("{}: the parameter '{}' is given twice", owner, key));
    }
  }
  return values;
}

void add_with_option(CLI::App& command, std::vector<std::string>& with) {
  command
      .add_option("--with,-w", with,
                  "A transform of the graph, instead of those that it brings (repeatable; see: stowage list "
                  "transforms; for none at all --choose pipeline=none)")
      ->type_name("NAME[:KEY=VALUE,...]")
      ->expected(1)
      ->take_all();
}

Result<std::vector<PipelineStage>> pipeline_of(const std::vector<std::string>& with) {
  std::vector<PipelineStage> pipeline;
  for (const std::string& text : with) {
    auto stage = stage_of(text);
    if (!stage) return tl::unexpected(stage.error());
    pipeline.push_back(std::move(*stage));
  }
  return pipeline;
}

bool names_network(std::string_view text) {
  return text.starts_with(kNetwork);
}

Result<Document> read_graph_document(const std::string& text, const ReadingFlags& flags) {
  Result<Document> document = read_document_file(text, flags);
  if (document && document->graph == nullptr) return input_error(shown_name(text) + " holds no operator graph");
  return document;
}

Result<Document> read_transformed(const std::string& text, const std::vector<std::string>& with,
                                  const ReadingFlags& flags) {
  if (with.empty()) return read_document_file(text, flags);
  auto pipeline = pipeline_of(with);
  if (!pipeline) return tl::unexpected(std::move(pipeline.error()));
  Result<Document> document = read_graph_document(text, flags);
  if (!document) return document;
  GraphRecipe recipe = document->recipe;
  recipe.pipeline = std::move(*pipeline);
  RunContext context;
  const Interrupt interrupt;
  context.stop = interrupt.token();
  Result<Document> changed = remade(*document, *document->graph, std::move(recipe), context);
  if (!changed) return changed;
  changed->path = std::move(document->path);
  changed->facts = std::move(document->facts);
  return changed;
}

}  // namespace stowage
