#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include "core/document/document.h"

namespace stowage {

/// A point on the way from a graph to its buffers:
///
///     graph as given --stage 1--> . --stage 2--> . --liveness--> buffers
struct PipelinePoint {
  Document document;       // the graph with its whole pipeline; its plans are not needed
  std::size_t stages = 0;  // that have run
  bool buffers = false;    // behind liveness: there is no graph any more
  std::string allocator;   // who plans it, when it can
};

/// The name of the stage's transform for people.
std::string title_of(const PipelineStage& stage);
/// For people: "As given", "After In-place results", "Buffers".
std::string title_of(const PipelinePoint& point);
/// What a document or a file of it is called: "lecture after in-place".
std::string name_of(const PipelinePoint& point);

/// All that is known at the point: the graph as given with the stages up to there, the problem and its plan. Errors:
/// those of remade and of the allocator.
Result<Document> document_at(const PipelinePoint& point, const std::stop_token& stop);
/// The graph as the stages have left it, with the plan of what it means; what a graph cannot hold is a warning.
Result<Document> settled_at(const PipelinePoint& point, const std::stop_token& stop);

}  // namespace stowage
