#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/chart/scene.h"
#include "core/model/problem.h"
#include "ui/stage_tape.h"
#include "ui/workbench.h"

namespace stowage {

struct Recording;

/// Runs a stage of the open graph's pipeline once more, on what the stages before it make, and keeps what it says; a
/// stage that is off as well. The graph comes to the front.
void record_stage(Workbench::State& state, std::size_t stage, bool play_when_ready);
/// The tags of the lecture: given out on the graph as it is before anything is decided about its memory.
void record_tags(Workbench::State& state);

/// By tensor of `graph`: the buffer that it lies in at the end of the pipeline.
std::vector<BufferIndex> buffers_of_tensors(const Graph& graph, const Staged& last, const Problem& problem);

/// What the last applied step says, with the names of the graph's tensors.
std::string stage_caption(const Recording& recording, std::size_t position);
/// The rectangle that the step is about, over the plan.
void add_stage_marks(const Workbench::State& state, Scene& scene);

}  // namespace stowage
