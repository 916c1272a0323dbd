#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/io/format.h"
#include "core/io/graph_fields.h"

namespace stowage {

/// The questions that every file with an operator graph leaves open: `include` (which classes of tensors besides the
/// graph's own work become buffers: inputs, weights, state, outputs), `dims` (values of symbolic dimensions),
/// `schedule`, `pipeline` (the file's own transforms or none).
std::vector<ReadChoice> graph_choices();
/// The values of symbolic dimensions, "batch=32,seq=128". Errors: usage.
Result<Dimensions> chosen_dimensions(const Format& format, const ReadOptions& options);

/// Has the graph every dimension that was given a value? A usage error names those that it has.
Result<void> check_dimensions(const Dimensions& dimensions, const std::set<std::string>& symbols);
/// What lacks one of these is left out until it has a value: warnings and readers' questions say so.
void ask_for(Document& document, const std::set<std::string>& open_dimensions, const std::string& name);

/// A document of a graph by its recipe; without one the default pipeline. What was chosen for the format goes over the
/// recipe. `name` begins the messages. Errors as those of prepare, and usage (a choice).
Result<Document> document_of_graph(Graph graph, std::optional<GraphRecipe> recipe, const Format& format,
                                   const std::string& name, const ReadOptions& options);

}  // namespace stowage
