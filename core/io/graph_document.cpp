#include "core/io/graph_document.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/schedule.h"

namespace stowage {
namespace {

/// The parts between commas; empty ones are left out.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) parts.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

Result<LowerOptions> chosen_classes(const std::string& include) {
  LowerOptions options;
  options.outputs = false;
  for (const std::string_view part : parts_of(include)) {
    if (part == "inputs") {
      options.inputs = true;
    } else if (part == "weights") {
      options.weights = true;
    } else if (part == "state") {
      options.state = true;
    } else if (part == "outputs") {
      options.outputs = true;
    } else if (part != "none") {
      return usage_error(
          fmt::format("include: expected some of inputs, weights, state, outputs, or none; not '{}'", part));
    }
  }
  return options;
}

}  // namespace

std::vector<ReadChoice> graph_choices() {
  std::vector<std::string> orders;
  for (const Scheduler& scheduler : schedulers()) orders.push_back(scheduler.id);
  return {{"include", "which of inputs, weights, state and outputs become buffers, or none of them", "outputs", {}},
          {"dims", "values of symbolic dimensions, such as batch=32,seq=128", "", {}},
          {"schedule", "the order in which the ops run", "given", std::move(orders)},
          {"pipeline",
           "the transforms that the file brings (a graph without any: in-place), or none",
           "own",
           {"own", "none"}}};
}

Result<Dimensions> chosen_dimensions(const Format& format, const ReadOptions& options) {
  Dimensions dimensions;
  for (const std::string_view part : parts_of(format.choice(options, "dims"))) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto value = parse_int(part.substr(std::min(equals + 1, part.size())));
    if (equals == 0 || !value || *value < 0)
      return usage_error(fmt::format("dims: expected NAME=NUMBER, not '{}'", part));
    const std::string name(part.substr(0, equals));
    if (!dimensions.emplace(name, *value).second) {
      return usage_error(fmt::format("dims: the dimension '{}' is given twice", name));
    }
  }
  return dimensions;
}

Result<void> check_dimensions(const Dimensions& dimensions, const std::set<std::string>& symbols) {
  for (const auto& [name, value] : dimensions) {
    if (symbols.contains(name)) continue;
    return usage_error(fmt::format("dims: the graph has no symbolic dimension '{}'; it has: {}", name,
                                   symbols.empty() ? "none" : fmt::format("{}", fmt::join(symbols, ", "))));
  }
  return {};
}

void ask_for(Document& document, const std::set<std::string>& open_dimensions, const std::string& name) {
  if (open_dimensions.empty()) return;
  for (const std::string& one : open_dimensions) document.facts.open.push_back({"dims", one});
  document.facts.warnings.push_back(
      fmt::format("{}: dimensions without a value: {}; what has them is left out; say them: --dims {}=NUMBER", name,
                  printable_utf8(fmt::format("{}", fmt::join(open_dimensions, ", "))),
                  printable_utf8(fmt::format("{}", fmt::join(open_dimensions, "=NUMBER,")))));
}

Result<Document> document_of_graph(Graph graph, std::optional<GraphRecipe> recipe, const Format& format,
                                   const std::string& name, const ReadOptions& options) {
  const auto with_name = [&](const Error& error) {
    return fail(error.kind, fmt::format("{}: {}", name, error.message));
  };
  Document document;
  document.recipe = recipe ? std::move(*recipe) : GraphRecipe{"given", default_pipeline(graph), {}};
  if (options.choices.contains("include")) {
    const auto classes = chosen_classes(format.choice(options, "include"));
    if (!classes) return tl::unexpected(classes.error());
    document.recipe.lowering = *classes;
  }
  if (options.choices.contains("schedule")) document.recipe.schedule = format.choice(options, "schedule");
  if (options.choices.contains("pipeline") && format.choice(options, "pipeline") == "none")
    document.recipe.pipeline.clear();
  RunContext context;
  auto prepared = prepare(graph, document.recipe, context);
  if (!prepared) return with_name(prepared.error());

  document.graph = std::make_shared<const Graph>(std::move(graph));
  document.staged = std::make_shared<const Staged>(prepared->last());
  document.problem = std::make_shared<const Problem>(std::move(prepared->lowered.problem));
  for (const std::string& note : prepared->lowered.notes)
    document.facts.warnings.push_back(fmt::format("{}: {}", name, note));
  document.facts.left_out = prepared->lowered.unknown;
  document.facts.format = format.id;
  document.facts.times = "half-open";
  document.facts.offsets = "none";
  return document;
}

}  // namespace stowage
