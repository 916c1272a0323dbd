#pragma once

#include <string>
#include <string_view>

#include "core/chart/scene.h"

namespace stowage {

/// A name as one drawable line: valid UTF-8, no control characters, at most some hundred bytes.
std::string one_line(std::string_view name);

/// The text itself when it is at most `width` pixels wide, else as much of its beginning as fits with an ellipsis;
/// empty when not even two letters would be left.
std::string shortened(std::string_view text, float width, float size, FontFace face, const TextMeasure& measure);

}  // namespace stowage
