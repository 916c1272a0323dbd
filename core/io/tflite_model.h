#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/io/flatbuffer.h"
#include "core/io/graph_fields.h"

namespace stowage::tflite {

/// Fields of the tables of TensorFlow's schema.fbs that more than one of our sources needs.
namespace model_field {
inline constexpr std::size_t kVersion = 0, kOperatorCodes = 1, kSubgraphs = 2, kDescription = 3, kBuffers = 4,
                             kMetadataBuffer = 5, kMetadata = 6, kSignatures = 7, kExternalGroups = 8,
                             kExternalBuffers = 9, kCount = 10;
}
namespace subgraph_field {
inline constexpr std::size_t kTensors = 0, kInputs = 1, kOutputs = 2, kOperators = 3, kName = 4;
}
namespace buffer_field {
inline constexpr std::size_t kData = 0, kOffset = 1, kSize = 2;
}
namespace operator_field {
inline constexpr std::size_t kCode = 0, kInputs = 1, kOutputs = 2, kOptions = 4, kIntermediates = 8,
                             kLargeOptionsOffset = 9;
}
namespace metadata_field {
inline constexpr std::size_t kName = 0, kBuffer = 1;
}

/// One subgraph of a model.
struct Subgraph {
  std::size_t index = 0;
  GraphInput graph;                // tensor i of the file is tensor i of the graph
  std::vector<bool> opaque;        // by op: a custom one, whose inside nobody knows
  std::vector<std::string> notes;  // what was left out, and what the reading assumes
  std::uint64_t left_out = 0;
  std::vector<std::string> open_dimensions;  // "d0", "d2": positions of those that nobody has said
};

/// What the user says about a model.
struct Wishes {
  std::string subgraph;   // its number or its name; empty: the first, which is the main one
  Dimensions dimensions;  // of those that the file leaves open: "?" all, "d0" those at the front, ...
};

/// Reads one subgraph: tensors with their sizes, ops in their order; constants, variables, inputs and outputs as such.
/// Errors: usage (no such subgraph); input (the model has none). Whether the file is damaged, the caller asks it.
Result<Subgraph> read_subgraph(flat::File& file, const Wishes& wishes);

/// The offsets that a model has for the tensors of a subgraph (metadata OfflineMemoryAllocation), one for each; -1: its
/// place is found when it runs. Nothing when it has none, and a note when they make no sense.
struct OfflinePlan {
  std::vector<std::int32_t> offsets;
  std::size_t at = 0;  // where the numbers stand in the file, behind the three of the head
};
std::optional<OfflinePlan> find_offline_plan(flat::File& file, std::size_t subgraph, std::size_t tensors,
                                             std::vector<std::string>& notes);

inline constexpr std::string_view kOfflinePlanName = "OfflineMemoryAllocation";

}  // namespace stowage::tflite
