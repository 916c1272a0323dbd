#pragma once

#include "core/chart/theme.h"

namespace stowage {

/// Dear ImGui's style from one of our themes; sizes in device pixels.
void apply_style(const Theme& theme, float scale);

}  // namespace stowage
