#pragma once

#include <string>
#include <vector>

#include "core/document/graph_recipe.h"
#include "core/io/json_fields.h"

namespace stowage {

/// Reads the `pipeline` array of a native JSON file: {"transform":"in-place","on":true,"params":{}}. Complaints name
/// what is no stage.
std::vector<PipelineStage> read_pipeline(json::Source& source, json::Value array, const json::Path& path);
/// Reads the `lowering` object beside it into the rest of the recipe: {"schedule":"given","include":["outputs"]}.
void read_lowering(json::Source& source, json::Value object, const json::Path& path, GraphRecipe& recipe);

/// Append them as they are read.
void append_lowering(std::string& out, const GraphRecipe& recipe);
void append_pipeline(std::string& out, const std::vector<PipelineStage>& pipeline);

}  // namespace stowage
