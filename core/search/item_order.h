#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/search/instance.h"

namespace stowage {

/// All items in an order for a greedy placement: letters compared in turn, larger first, last tie by item. T the
/// largest load during the lifetime, W sections spanned, Z size, A their product.
std::vector<std::uint32_t> item_order(const Instance& instance, std::string_view letters);

}  // namespace stowage
