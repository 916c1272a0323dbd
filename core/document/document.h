#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/graph_recipe.h"
#include "core/graph/graph.h"
#include "core/model/plan.h"
#include "core/model/problem.h"

namespace stowage {

/// A size that the file leaves open: a choice of its format takes NAME=N for it, "dims" of a graph.
struct OpenSize {
  std::string choice;
  std::string name;  // "batch"; "?" for all that have no name
  bool operator==(const OpenSize&) const = default;
};

/// How a file was read, for `info`, the status bar and warnings.
struct ReadFacts {
  std::string format;   // id in formats.def: "minimalloc-csv", "stowage-json"
  std::string times;    // "half-open", "closed", "open": the rule of the file
  std::string offsets;  // "none", "plan", "pins"
  std::vector<std::string> warnings;
  std::string capacity_hint;   // "1048576 in the file's name", or empty
  std::vector<OpenSize> open;  // what lacks one of these is left out until it has a value
  std::uint64_t left_out = 0;  // rows that are not in the document; the warnings say which and why
  std::string title;           // of a document that has no file yet; empty: it has no name either
};

/// An open file: a problem with any number of plans, and the operator graph that it comes from, if any.
struct Document {
  std::string path;  // as given; empty for a new one
  std::shared_ptr<const Problem> problem = std::make_shared<const Problem>();
  std::vector<Plan> plans;
  std::shared_ptr<const Graph> graph;    // the problem was made from it; null when there is none
  GraphRecipe recipe;                    // how
  std::shared_ptr<const Staged> staged;  // the graph at the end of the recipe's pipeline; null without a graph
  ReadFacts facts;
  std::string view;                             // the file's "view" object as JSON text; empty when none
  std::string extra;                            // unknown top-level keys as the text of a JSON object; empty when none
  std::shared_ptr<const std::string> original;  // the bytes it was read from, where a writer puts plans back into them

  const Plan* find_plan(std::string_view id) const;
  /// Adds a plan or replaces the one with the same id; returns it.
  Plan& put_plan(Plan plan);
};

/// The document with another graph or another way from it to the problem; plans are gone, the capacity stays. Errors as
/// those of prepare.
Result<Document> remade(const Document& before, Graph graph, GraphRecipe recipe, RunContext& context);

/// The file's name without its folders; of a document without a file what it was called, or "untitled".
std::string title_of(const Document& document);
/// The same without the ending of the file's name, for the name of another file.
std::string stem_of(const Document& document);

}  // namespace stowage
