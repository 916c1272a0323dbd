#pragma once

#include "core/base/text.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"

namespace stowage {

/// The breaks of the view's map as zigzags across the area, with the bytes that are skipped and the address at which
/// the picture goes on, where there is room for words.
void add_breaks(Scene& scene, const Viewport& view, float scale, AddressStyle style, ByteUnit unit, const Theme& theme,
                const TextMeasure& measure);
/// The same breaks as short zigzags over the axis, left of the area.
void add_axis_breaks(Scene& scene, const Viewport& view, float scale, const Theme& theme);

}  // namespace stowage
