#pragma once

#include "ui/chart/canvas.h"
#include "ui/compared_side.h"

namespace stowage {

/// What the mouse does on a column of plans side by side: as on the map, but all columns have one camera, and a buffer
/// lies where the column's own plan has it. Edits, boxes and measurements are the map's alone.
void drive_column(Workbench::State& state, const Canvas& canvas, const Viewport& view, const ComparedSide& side);

}  // namespace stowage
