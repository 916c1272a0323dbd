#pragma once

#include <optional>
#include <string_view>

#include "core/model/buffer.h"

namespace stowage::csv {

/// `LOWER-UPPER` or `LOWER-UPPER@LOW:HIGH`, as minimalloc's files write gaps; each number may be negative. Nothing when
/// it is anything else.
std::optional<Gap> parse_gap(std::string_view text);

}  // namespace stowage::csv
