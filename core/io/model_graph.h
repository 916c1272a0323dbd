#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/format.h"
#include "core/io/graph_fields.h"
#include "core/io/unique_ids.h"

namespace stowage {

/// A graph on its way out of a model file. Models are read as far as they make sense: names that come twice are told
/// apart, what is left out is listed, and dimensions without a value are asked for.
class ModelGraph {
 public:
  /// `name` begins the messages.
  ModelGraph(const std::string& name, const Dimensions& dimensions) : name_(name), dimensions_(dimensions) {}

  /// Adds a tensor; its id becomes printable and unlike those before: "x", "x (2)". `shape` is in the words of the
  /// file, "batch, 8", for one whose size is not known.
  TensorIndex add(Tensor tensor, const std::string& shape = {});
  /// The same for an op; one without an id is called after its type: "Relu", "Relu (2)".
  OpIndex add(Op op);

  /// The value that was given for a dimension: for its name, else for `tensor.index`, else for `?`, which stands for
  /// all that have no name. Nothing when none was.
  std::optional<std::int64_t> given(std::string_view symbol, std::string_view tensor, std::size_t index);
  /// The document will ask for a dimension that has no value.
  void ask(std::string_view symbol) { asked_.insert(symbol.empty() ? "?" : std::string(symbol)); }
  /// The same for one that only a run of the model knows: asked for when nothing else is.
  void ask_last(std::string_view tensor, std::size_t index) { asked_last_.insert(place(tensor, index)); }

  void note(std::string_view text);
  /// The same about a part of the file that is not in the document.
  void leave_out(std::string_view text);

  /// Through the gate and into a document, in the given order; where that cannot be run and no other was chosen, depth
  /// first, and it says so. Without a choice of classes those of `lowering`. Errors: input, usage.
  Result<Document> finish(const Format& format, const ReadOptions& options, const LowerOptions& lowering);

  GraphInput input;

 private:
  void ask_for_dimensions();
  void add_shapes(std::vector<std::string>& warnings) const;
  static std::string place(std::string_view tensor, std::size_t index);

  static constexpr std::size_t kMostNotes = 1000;

  std::string name_;
  const Dimensions& dimensions_;
  UniqueIds tensor_ids_;
  UniqueIds op_ids_;
  std::set<std::string> asked_;  // dimensions without a value
  std::set<std::string> asked_last_;
  std::map<std::string, std::string, std::less<>> shapes_;  // by the id of a tensor
  std::set<std::string> used_;                              // keys of dimensions_ that stood somewhere
  std::vector<std::string> notes_;
  std::uint64_t untold_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace stowage
