#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/graph/graph.h"
#include "core/graph/lower.h"
#include "core/io/format.h"

namespace stowage {

/// What a reader of a foreign file with an operator graph has found.
struct GraphFile {
  GraphInput graph;
  GraphRecipe recipe;
  std::vector<std::string> notes;  // without the file's name
  std::uint64_t left_out = 0;
  std::vector<std::string> open_dimensions = {};  // names for the choice "dims"
};

/// make_graph and document_of_graph; faults of the graph are one error. `name` begins the messages.
Result<Document> document_of_file(GraphFile file, const Format& format, const std::string& name,
                                  const ReadOptions& options);

/// The places that a file with an operator graph gives its tensors.
struct TensorPlaces {
  std::vector<std::int64_t> offsets;  // by tensor of the graph; kNoOffset where the file has none
  /// A tensor without an offset lies in memory that is not planned here: its buffer is left out. Otherwise it is yet to
  /// be planned.
  bool others_lie_elsewhere = false;
  /// Do two tensors share bytes on purpose? None: nobody does.
  std::function<bool(TensorIndex, TensorIndex)> meant = {};
};

/// The problem that document_of_graph made, by its tensors. The recipe must not change the graph.
Result<Lowered> lowered_again(const Document& document);

/// Makes the places the plan "file" of a document of document_of_graph, whose recipe does not change the graph. Where
/// only some buffers have one, these are pins, unless the options say that they are a plan all the same. Spaces in
/// which nothing lies go. Errors: input (the places cannot be).
Result<void> put_places(Document& document, const TensorPlaces& places, const ReadOptions& options,
                        const std::string& name);

}  // namespace stowage
