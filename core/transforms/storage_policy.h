#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/transforms/free_storages.h"
#include "core/transforms/storage_plan.h"

namespace stowage {

/// When a result may be written over an input.
enum class InPlaceTest {
  kNever,
  kTags,      // nobody else is going to read it, and both are as large
  kNnvm,      // the same with equal element counts and types; an identity may be read on
  kMxnet,     // types need only be as large
  kOrt,       // equal shapes and element sizes; never over inputs and weights
  kInductor,  // only this op reads it any more; at most 5 % smaller, the same type
};

/// How large a request is.
enum class ElementBytes {
  kAsGraph,    // what the graph says
  kFour,       // elements times 4, whatever the type
  kWholeEach,  // every element rounded up to whole bytes
};

/// What tells the planners of systems apart. They all walk over the ops in order, give the results memory, and take
/// back what nobody is going to read.
struct StoragePolicy {
  InPlaceTest in_place = InPlaceTest::kNnvm;
  bool identity = true;  // a pair that is one may be taken though others still read the input
  FreeList free_list = FreeList::kRange;
  std::int64_t range = 16;  // 0: no storage is used twice
  std::uint32_t colours = 1;
  ElementBytes bytes = ElementBytes::kAsGraph;
  bool type_in_key = false;   // storages of different types are apart
  bool shape_in_key = false;  // only equal shapes of at least one dimension, and equal element sizes, share
  bool alignment_in_key = false;
  bool largest_first = true;     // of the results of one op
  bool outputs_pinned = false;   // graph outputs take nothing that others had
  bool outputs_planned = true;   // else they are somebody else's business
  bool inputs_own = false;       // inputs, weights and constants are storages of their own
  bool unread_own = false;       // what nobody reads is not given back
  bool unknown_planned = false;  // also tensors of unknown size
  bool outputs_first = false;    // unread results go back before the inputs do
};

/// "tags", "nnvm", "mxnet", "tvm-relay", "tvm-relax", "ort", "inductor"; none for anything else.
std::optional<StoragePolicy> storage_policy(std::string_view name);

/// A storage at the end: who founded it and, where it is free, since which step.
struct Freed {
  std::uint32_t storage = 0;
  std::size_t step = 0;
};

struct StorageRun {
  StoragePlan plan;
  std::vector<Freed> freed;  // what is free at the end, in the order in which it came back
};

/// Binds the tensors of a staged graph to storages. Errors: cancelled; refused, when sizes are too large to be counted.
Result<StorageRun> plan_storages(const Staged& staged, const Entries& entries, const StoragePolicy& policy,
                                 RunContext& context, Teller& teller);

/// ONNX Runtime's word for each tensor: "PreExisting", "AllocateStatically", "AllocateOutput", "Allocate", "Reuse(x)".
std::vector<std::string> ort_kinds(const Staged& staged, const Entries& entries, const StoragePlan& plan);

}  // namespace stowage
