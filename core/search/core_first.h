#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/run/run.h"
#include "core/search/instance.h"

namespace stowage {

/// The few stretches of time that are nearly full decide whether anything fits; all else has room. So they are solved
/// exactly, each as a small problem of its own, and everything else is then placed around them.
///
///   load   ____capacity__________________________________
///      |        /##\                   /##########\         ##: at least `share` of the capacity, and five sections
///      |   /\__/ ## \_____   _______/\/ ########## \__          more on both sides
///      |__/      ##       \_/           ##########    \__   lifetimes are clipped to it; stretches that share a
///      +------------------------------------------------    buffer are one
///
/// Where thousands are live at once nearly all of them are live through the whole stretch: they go to its bottom
/// (presolve.h), and a few hundred are left to search for.
///
/// Returns the placed items with their offsets in units; an empty list when a stretch is too large or its question was
/// not answered within `nodes`.
std::vector<std::pair<std::uint32_t, std::int64_t>> solve_core(const Instance& instance, std::int64_t capacity,
                                                               double share, std::uint64_t seed, std::int64_t nodes,
                                                               const RunContext& context);

/// Items that touch a stretch as a problem of that stretch alone; `buffer` of each is its number in the whole.
Instance clipped(const Instance& whole, SectionRange stretch, std::span<const std::uint32_t> items);

}  // namespace stowage
