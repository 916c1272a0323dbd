#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"

namespace stowage {

/// A training graph taken apart: the forward ops, and all that follows from the first gradient on.
struct TrainingParts {
  std::vector<OpIndex> forward;          // in the order of the schedule
  std::vector<OpIndex> rest;             // likewise: backward ops, updates
  std::vector<std::uint8_t> is_forward;  // by op
  /// By op: may it run again? Not with side effects, in loops, or when it writes over what it reads.
  std::vector<std::uint8_t> repeatable;
  std::vector<std::size_t> position;  // by op: where in its list it stands
  /// By tensor: does the rest read a forward value? Once each.
  std::vector<std::uint8_t> read_by_rest;
};

/// Ops are backward when they say so, make gradients, or depend on such an op. Error: refused, when the graph has no
/// backward part, `wants` being who asks.
Result<TrainingParts> find_training_parts(const Staged& staged, std::string_view wants);

/// Does it change what it reads in place, by a must-alias that is no mere renaming?
bool writes_over_input(const Op& op);

/// Tensors whose memory is the caller's: weights, constants, state, inputs that are not donated.
bool is_given(const Graph& graph, TensorIndex t);
/// Bytes of the memory that a tensor brings with it: none for views, given ones and those of unknown size.
std::int64_t own_bytes(const Graph& graph, TensorIndex t);

/// Places between forward ops at which little is alive, so that one may start again from there. Cut p lies behind the
/// p-th forward op; what crosses it are values made before it that forward ops behind it read.
struct Cuts {
  std::vector<std::size_t> at;      // ascending positions in TrainingParts::forward
  std::vector<std::int64_t> bytes;  // of what crosses each of them
};

enum class CutChoice {
  kSeparators,  // a single value crosses: the articulation points of the forward graph
  kNarrow,      // as few as it takes to come by a cut often
  kAll,
};
/// Crossing values below 1/4096 of the largest forward value (losses, counters) are not counted, only kept.
Cuts find_cuts(const Graph& graph, const TrainingParts& parts, CutChoice choice);

/// By tensor: the places that a forward value crosses, [from, to); empty when no forward op behind its maker reads it.
struct Crossing {
  std::size_t from = 0;
  std::size_t to = 0;
};
std::vector<Crossing> find_crossings(const Graph& graph, const TrainingParts& parts);

}  // namespace stowage
