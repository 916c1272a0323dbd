#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/search/instance.h"

namespace stowage {

/// All items in an order for a greedy placement: letters compared in turn, larger first, last tie by item. T the
/// largest load during the lifetime, W sections spanned, Z size, A their product, S the start, earlier first. B is T in
/// steps of a 32nd of the highest load, and eight more of them for each 32nd that the size comes to: what is large
/// finds no place late even where there is room. Steps leave it to S that neighbours in time are placed together, while
/// they are near in memory.
std::vector<std::uint32_t> item_order(const Instance& instance, std::string_view letters);

}  // namespace stowage
