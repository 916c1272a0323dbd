#include "core/io/model_graph.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/graph_file.h"
#include "core/io/intake.h"

namespace stowage {

namespace {

/// Does every op come after those that make what it reads?
bool runs_as_it_stands(const GraphInput& input) {
  std::vector<bool> there(input.tensors.size(), true);
  for (const Op& op : input.ops) {
    for (const TensorIndex t : op.out) there[t] = false;
  }
  for (const Op& op : input.ops) {
    if (!std::all_of(op.in.begin(), op.in.end(), [&](TensorIndex t) { return there[t]; })) return false;
    for (const TensorIndex t : op.out) there[t] = true;
  }
  return true;
}

}  // namespace

TensorIndex ModelGraph::add(Tensor tensor, const std::string& shape) {
  tensor.id = tensor_ids_.take(tensor.id, "tensor");
  if (!shape.empty() && !tensor.shape && !tensor.bytes) shapes_.insert_or_assign(tensor.id, sound_text(shape));
  return input.add(std::move(tensor));
}

OpIndex ModelGraph::add(Op op) {
  op.type = sound_text(op.type);
  op.id = op_ids_.take(op.id, op.type.empty() ? "op" : op.type);
  return input.add(std::move(op));
}

std::optional<std::int64_t> ModelGraph::given(std::string_view symbol, std::string_view tensor, std::size_t index) {
  const std::string here = place(tensor, index);
  const std::string_view keys[] = {symbol, here, symbol.empty() ? "?" : ""};
  for (const std::string_view key : keys) {
    const auto found = key.empty() ? dimensions_.end() : dimensions_.find(key);
    if (found == dimensions_.end()) continue;
    used_.insert(found->first);
    return found->second;
  }
  return std::nullopt;
}

void ModelGraph::note(std::string_view text) {
  if (notes_.size() < kMostNotes) {
    notes_.emplace_back(text);
  } else {
    ++untold_;
  }
}

void ModelGraph::leave_out(std::string_view text) {
  ++left_out_;
  note(text);
}

std::string ModelGraph::place(std::string_view tensor, std::size_t index) {
  return fmt::format("{}.{}", tensor, index);
}

void ModelGraph::ask_for_dimensions() {
  const bool of_the_run = asked_.empty();
  if (of_the_run) asked_ = std::move(asked_last_);
  std::erase_if(asked_, [](const std::string& name) { return name.find_first_of(",=") != std::string::npos; });
  constexpr std::size_t listed = 20;
  std::string keys;
  std::size_t count = 0;
  for (const std::string& name : asked_) {
    if (count++ < listed) keys += fmt::format("{}{}=NUMBER", keys.empty() ? "" : ",", shown(name));
  }
  if (!keys.empty()) {
    const bool unnamed = asked_.contains("?");
    notes_.insert(
        notes_.begin(),
        fmt::format("{} of its dimensions {} {}, so the size of what has them is unknown; say {}: "
                    "--dims {}{}",
                    count, count == 1 ? "has" : "have", of_the_run ? "a value only while the model runs" : "no value",
                    count == 1 ? "it" : "them", shell_word(keys),
                    unnamed ? " (? stands for those without a name; TENSOR.INDEX for one of them)" : ""));
  }
  for (const auto& [key, value] : dimensions_) {
    if (!used_.contains(key)) note(fmt::format("no dimension is called {}", shown(key)));
  }
}

/// "x: size unknown, left out" says of which shape.
void ModelGraph::add_shapes(std::vector<std::string>& warnings) const {
  constexpr std::string_view words = ": size unknown";
  for (std::string& warning : warnings) {
    const std::size_t begin = name_.size() + 2;
    const std::size_t end = warning.find(words, std::min(begin, warning.size()));
    if (end == std::string::npos) continue;
    const auto found = shapes_.find(std::string_view(warning).substr(begin, end - begin));
    if (found != shapes_.end()) warning.insert(end, fmt::format(" [{}]", found->second));
  }
}

Result<Document> ModelGraph::finish(const Format& format, const ReadOptions& options, const LowerOptions& lowering) {
  ask_for_dimensions();
  if (untold_ > 0) notes_.push_back(fmt::format("{} more remarks are not listed", untold_));
  GraphFile file;
  file.recipe.lowering = lowering;
  // What the model may do, not what it says: switched off, at hand.
  if (std::any_of(input.ops.begin(), input.ops.end(), [](const Op& op) { return !op.inplace.empty(); }))
    file.recipe.pipeline.push_back(PipelineStage{"in-place", false, {}});
  if (!options.choices.contains("schedule") && !runs_as_it_stands(input)) {
    file.recipe.schedule = "depth-first";
    notes_.emplace_back("the order of the file cannot be run; the ops are in depth-first order");
  }
  file.graph = std::move(input);
  file.notes = std::move(notes_);
  file.left_out = left_out_;
  file.open_dimensions.assign(asked_.begin(), asked_.end());
  auto document = document_of_file(std::move(file), format, name_, options);
  if (document) add_shapes(document->facts.warnings);
  return document;
}

}  // namespace stowage
