#pragma once

#include <vector>

#include "core/document/edit.h"

namespace stowage {

/// Makes edits speak of the buffers by their numbers after another change; `becomes` is by number before it. Edits of
/// buffers that are gone are left out. False when there is nothing left to do.
bool renumber(std::vector<Edit>& edits, const std::vector<BufferIndex>& becomes);

}  // namespace stowage
