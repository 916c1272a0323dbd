#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/io/hlo_text.h"
#include "core/io/model_graph.h"

namespace stowage::hlo {

/// Bytes that a computation needs inside beside its parameters and results, by its name.
using InnerBytes = std::unordered_map<std::string_view, std::int64_t>;

/// Adds the instructions of a computation as ops, in their order. Tuples and get-tuple-element only hand on what they
/// get; results that lie in an operand's memory (bitcast, while, the second half of asynchronous ones, aliasing that
/// the text declares) are aliases. What calls a computation of `inner` needs as much workspace.
void add_computation(const Computation& computation, const InnerBytes& inner, ModelGraph& made);

/// The same for each computation of the module by itself: the most that live in it at one time, without parameters,
/// constants and results.
InnerBytes inner_bytes(const Module& module);

}  // namespace stowage::hlo
