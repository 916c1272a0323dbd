#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/tasks/background.h"
#include "ui/loading.h"
#include "ui/pipeline_point.h"
#include "ui/workbench.h"

namespace stowage {

/// A point of the pipeline with its plan, to be drawn beside the present. Holds as long as its graph is the open one.
struct ComparedPoint {
  std::string key;  // in the lists of what is compared
  PipelinePoint point;
  LoadedFile made;

  const Plan& plan() const { return made.document.plans.back(); }
};

/// Points of the pipeline on their way to a document of their own or beside the present.
struct PipelineResults {
  static constexpr std::size_t kMostCompared = 8;

  struct Made {
    PipelinePoint point;
    bool to_compare = false;
    LoadedFile loaded;
  };
  Background<Result<Made>> work;
  std::uint64_t opened = 0;  // Editing::opened of the document that all this is of
  std::vector<std::shared_ptr<const ComparedPoint>> compared;
  std::uint64_t numbers = 0;  // of keys
};

/// The point of the open graph behind so many stages, or behind liveness.
PipelinePoint pipeline_point(const Workbench::State& state, std::size_t stages, bool buffers);
/// Makes it the open document; asks first when changes would be lost.
void open_point(Workbench::State& state, PipelinePoint point);
/// Draws its plan beside the shown one.
void compare_point(Workbench::State& state, PipelinePoint point);
/// Asks where to write it and in which format.
void export_point(Workbench::State& state, PipelinePoint point);

/// The compared point with this key; null when there is none of the open graph.
const ComparedPoint* compared_point(const Workbench::State& state, const std::string& key);
/// The keys of those of the open graph, in the order in which they were asked for.
std::vector<std::string> compared_points(const Workbench::State& state);

}  // namespace stowage
