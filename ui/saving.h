#pragma once

#include <memory>
#include <string>

#include "ui/pipeline_point.h"
#include "ui/state.h"

namespace stowage {

/// What the open save dialog writes.
struct SaveSubject {
  std::shared_ptr<const PipelinePoint> point;  // null: the open document
  bool settled = false;  // a file with a graph alone gets it as its transforms leave it, not as it came with them
};

/// Shows the save dialog for a point of the pipeline.
void ask_where_to_save(Workbench::State& state, std::shared_ptr<const PipelinePoint> point);
/// Whether the subject has a graph and a file of this name holds one and nothing else: then `settled` matters.
bool holds_graph_alone(const Workbench::State& state, const SaveSubject& subject, const std::string& path);
/// Writes what the dialog was about.
void save_as_asked(Workbench::State& state, const action::SaveTo& what);

}  // namespace stowage
