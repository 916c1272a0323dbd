#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/chart/graph_scene.h"
#include "core/graph/staged.h"
#include "core/steps/step.h"

namespace stowage {

/// The graph before a transform, while the steps of that transform are played on it: in the window and in films.

/// Whether the transform hands out memory, so that the colour of an op may say whose it is.
bool decides_memory(const Staged& before, const Staged& after);

/// By op of the graph before: same colour, same memory at the end, where the transform keeps the ops.
std::vector<std::uint32_t> played_colours(const Staged& before, const Staged& after, GraphColour by);

/// Whether there are tags in the steps: the lecture's pictures.
bool gives_tags(std::span<const Step> steps);

/// What the first `position` steps have done with the tags: an op whose result has one has run.
GraphMoment moment_of_tags(const Staged& before, std::span<const Step> steps, std::size_t position);

}  // namespace stowage
