#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/graph/ancestors.h"
#include "core/graph/staged.h"
#include "core/graph/storages.h"

namespace stowage {

/// What may be asked of a pair beyond soundness.
struct InPlaceDemands {
  bool equal_size = false;                      // output and input as large, not only small enough
  std::set<std::string> never_in_graph_output;  // op types whose results may not lie where a graph output does
  // As TensorFlow Lite's arena planner: as many bytes, more than four of them unless nothing is written, one reader of
  // what is overwritten, and neither of the two an input or output of the graph.
  bool tflite = false;
};

/// An op that only hands its input on: a copy by its type ("Copy", "Clone", "Identity") with one input and one output
/// that are as large.
bool is_copy(const Graph& graph, OpIndex n);

/// Does the pair say that the output is the input, byte for byte? Only what is as large can be.
bool is_identity(const Graph& graph, OpIndex n, const SlotPair& pair);

/// The minimal sound rule of in-place results: asked pair by pair in the order of execution, it knows what has been
/// granted before.
///
///   x ---> relu ---> a        a may take x when every other reader of x, of its views and of whatever else lives in
///    \--> sigmoid -> b        that memory has certainly ended before relu starts: here only if sigmoid does
class InPlaceRule {
 public:
  /// The staged graph must outlive it.
  explicit InPlaceRule(const Staged& staged, InPlaceDemands demands = {});

  /// Every reason why the pair may not share memory, in words; none when it may.
  std::vector<std::string> obstacles(OpIndex n, const SlotPair& pair) const;
  /// The oldest tensor of the memory in which this one lives by now.
  TensorIndex root_of(TensorIndex t) const;
  /// From now on the output lives in the memory of the input. Grant only what has no obstacles.
  InPlace grant(OpIndex n, const SlotPair& pair);

 private:
  /// Memory that tensors have in common, by its root.
  struct Memory {
    std::vector<TensorIndex> members;
    std::vector<TensorIndex> unwatched;  // those whose readers no overwriting op has waited for yet
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
    bool has_output = false;
    bool unfit_for_output = false;  // made by an op of InPlaceDemands::never_in_graph_output
  };

  std::string id(TensorIndex t) const { return staged_.graph.tensor(t).id; }
  std::int64_t offset_of(TensorIndex t) const;
  Memory memory_of(TensorIndex root, const Storages& storages) const;

  void readers(OpIndex n, const SlotPair& pair, const Memory& memory, std::vector<std::string>& why) const;
  void own_reads(OpIndex n, const SlotPair& pair, TensorIndex root, std::vector<std::string>& why) const;
  void loops(OpIndex n, const Memory& memory, std::vector<std::string>& why) const;
  void writable(TensorIndex root, const Memory& memory, std::vector<std::string>& why) const;
  void room(OpIndex n, const SlotPair& pair, const Memory& memory, std::vector<std::string>& why) const;
  void tflite(OpIndex n, const SlotPair& pair, std::vector<std::string>& why) const;
  void places(OpIndex n, const SlotPair& pair, std::vector<std::string>& why) const;
  bool over_before(OpIndex reader, OpIndex n) const;

  const Staged& staged_;
  InPlaceDemands demands_;
  Ancestors ancestors_;
  std::vector<TensorIndex> root_;     // by tensor, of the memory it began in
  std::vector<std::int64_t> offset_;  // by tensor, in that memory
  std::vector<TensorIndex> taken_;    // by root: the root of the memory it was granted; itself while on its own
  std::vector<std::int64_t> taken_offset_;
  std::vector<Memory> memories_;                    // by root
  std::vector<std::uint8_t> bound_;                 // by tensor: in a contiguous group or a shared storage
  std::vector<std::vector<std::size_t>> loops_of_;  // by op; empty when the graph has no loops
};

}  // namespace stowage
