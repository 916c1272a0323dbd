#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/staged.h"
#include "core/model/problem.h"

namespace stowage {

/// Which classes of tensors become buffers. Tensors of the graph's own work always do; so do donated inputs and inputs
/// that no list and no kind declares to be one.
struct LowerOptions {
  bool inputs = false;
  bool weights = false;  // and constants and state: from the first step to the last
  bool state = false;    // what stays from one run to the next, whether weights are wanted or not
  bool outputs = true;
  bool streams = true;  // several streams: pairs that only look disjoint in time become conflict edges
  std::int64_t alignment = 1;
  bool operator==(const LowerOptions&) const = default;
};

/// A problem made from a graph, and the way back.
struct Lowered {
  Problem problem;
  std::vector<BufferIndex> buffer_of;             // by tensor; kNoBuffer where it takes no memory here
  std::vector<std::int64_t> offset_in;            // by tensor: bytes above the start of its buffer
  std::vector<std::vector<TensorIndex>> members;  // by buffer: the tensors that live in it
  std::uint64_t unknown = 0;                      // tensors that are left out because nobody knows their size
  std::vector<std::string> notes;                 // "mystery: size unknown, left out"; 20 of a kind, then "7 more: ..."
};

/// Liveness on storages. Step i is the op that runs i-th; a tensor lives in [step of its maker, step of its last reader
/// + 1); unread ones for their own step, outputs to the end, what is there from the start from step 0 on. Views and
/// must-aliases live in their base, in-place results in what they took over: size of the largest, life of all of them
/// together. Loops are read conservatively: what comes in from outside and is read inside lives to the loop's end.
Result<Lowered> lower(const Staged& staged, const LowerOptions& options);

/// A graph with nothing decided about its memory, in its given order (an error as for given_schedule), or in another.
Result<Staged> stage(Graph graph);
Staged staged_in(Graph graph, Schedule schedule);

}  // namespace stowage
