#include "core/io/tflite_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/tflite_names.h"
#include "core/io/unique_ids.h"

namespace stowage::tflite {
namespace {

namespace tensor_field {
constexpr std::size_t kShape = 0, kType = 1, kBuffer = 2, kName = 3, kIsVariable = 5, kSignature = 7, kHasRank = 8,
                      kExternalBuffer = 10;
}
namespace code_field {
constexpr std::size_t kOldBuiltin = 0, kCustom = 1, kBuiltin = 3;
}

/// The arena of the interpreters gives every tensor an address that 16 divides.
constexpr std::int64_t kAlignment = 16;

/// Ops that run other subgraphs, and how many of the first fields of their options name one.
std::size_t called_subgraphs(std::string_view op) {
  if (op == "IF" || op == "WHILE" || op == "STABLEHLO_WHILE") return 2;
  return op == "CALL" || op == "CALL_ONCE" ? 1 : 0;
}

class Reader {
 public:
  Reader(flat::File& file, const Wishes& wishes) : wishes_(wishes), model_(file.root()) {}

  Result<Subgraph> run() {
    const std::vector<flat::Table> subgraphs = model_.tables(model_field::kSubgraphs);
    if (subgraphs.empty()) return input_error("there is no subgraph in the model");
    const auto index = chosen(subgraphs);
    if (!index) return tl::unexpected(index.error());
    subgraph_.index = *index;
    if (subgraphs.size() > 1) {
      note(fmt::format("this is subgraph {} of {}; for another, --choose subgraph=N (0 is the main one)", *index,
                       subgraphs.size()));
    }
    const flat::Table subgraph = subgraphs[*index];
    subgraph_.graph.name = sound_text(subgraph.text(subgraph_field::kName));
    read_tensors(subgraph.tables(subgraph_field::kTensors));
    read_ends(subgraph);
    read_codes();
    read_ops(subgraph.tables(subgraph_field::kOperators));
    note_open_dimensions();
    return std::move(subgraph_);
  }

 private:
  void note(std::string text) { subgraph_.notes.push_back(std::move(text)); }
  void leave_out(std::string text) {
    ++subgraph_.left_out;
    if (subgraph_.left_out <= Complaints::kListedLeftOut) note(std::move(text) + " (left out)");
  }

  Result<std::size_t> chosen(const std::vector<flat::Table>& subgraphs) const {
    if (wishes_.subgraph.empty()) return 0;
    const auto number = parse_int(wishes_.subgraph);
    if (number && *number >= 0 && static_cast<std::uint64_t>(*number) < subgraphs.size()) {
      return static_cast<std::size_t>(*number);
    }
    for (std::size_t i = 0; i < subgraphs.size(); ++i) {
      if (subgraphs[i].text(subgraph_field::kName) == wishes_.subgraph) return i;
    }
    return usage_error(fmt::format("there is no subgraph '{}'; the model has {}, numbered from 0",
                                   shown(wishes_.subgraph), subgraphs.size()));
  }

  void read_tensors(const std::vector<flat::Table>& tensors) {
    const std::vector<bool> ranks = known_ranks(tensors);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      Tensor tensor;
      tensor.id = ids_.take(tensors[i].text(tensor_field::kName), fmt::format("tensor {}", i));
      tensor.alignment = kAlignment;
      read_size(tensors[i], ranks[i], tensor);
      const std::optional<std::int64_t> constant = constant_bytes(tensors[i], tensor.bytes.value_or(0));
      if (constant) {
        tensor.kind = TensorKind::kConstant;
        tensor.bytes = *constant;  // as it is stored: a sparse one has fewer bytes than its shape says
      } else if (tensors[i].scalar<std::uint8_t>(tensor_field::kIsVariable) != 0) {
        tensor.kind = TensorKind::kState;
      }
      subgraph_.graph.add(std::move(tensor));
    }
  }

  /// Whether a tensor without dimensions is a scalar. Older writers do not tell it from one of unknown rank; they tell
  /// of no tensor that its rank is known.
  static std::vector<bool> known_ranks(const std::vector<flat::Table>& tensors) {
    std::vector<bool> told;
    for (const flat::Table& tensor : tensors) told.push_back(tensor.scalar<std::uint8_t>(tensor_field::kHasRank) != 0);
    const bool any = std::find(told.begin(), told.end(), true) != told.end();
    return any ? told : std::vector<bool>(tensors.size(), true);
  }

  /// The bytes of a constant, wherever the file keeps them; nothing for a tensor that is computed.
  std::optional<std::int64_t> constant_bytes(const flat::Table& tensor, std::int64_t by_shape) {
    if (tensor.scalar<std::uint32_t>(tensor_field::kExternalBuffer) != 0) return by_shape;
    const flat::Table buffer =
        model_.element(model_field::kBuffers, tensor.scalar<std::uint32_t>(tensor_field::kBuffer));
    if (const std::size_t inside = buffer.vector(buffer_field::kData, 1).count; inside > 0) {
      return static_cast<std::int64_t>(inside);
    }
    // Models above 2 GB keep their data behind the tables, at a place of the file; 0 and 1 are no places.
    const auto size = buffer.scalar<std::uint64_t>(buffer_field::kSize);
    if (buffer.scalar<std::uint64_t>(buffer_field::kOffset) <= 1 || size == 0) return std::nullopt;
    return static_cast<std::int64_t>(std::min(size, static_cast<std::uint64_t>(kMaxInt64)));
  }

  void read_size(const flat::Table& table, bool ranked, Tensor& tensor) {
    const auto number = table.scalar<std::int8_t>(tensor_field::kType);
    const ElementType type = element_type(number);
    const std::optional<std::vector<std::int64_t>> shape = read_shape(table, ranked);
    const auto elements = shape ? element_count(*shape) : std::nullopt;
    const bool fits = elements && type.bits > 0 && *elements <= kMaxInt64 / type.bits - 8;
    if (fits) tensor.bytes = (*elements * type.bits + 7) / 8;
    if (type.type && fits) {
      tensor.type = *type.type;
      tensor.shape = shape;
      return;
    }
    // No graph of ours has such elements, or such a shape: the size alone counts, and the words are kept.
    json::ObjectWriter writer(tensor.extra);
    writer.text("element_type", type.name.empty() ? fmt::format("type {}", number) : std::string(type.name));
    if (shape) writer.text("file_shape", fmt::format("{}", fmt::join(*shape, ",")));
    writer.close();
  }

  /// Nothing for an unknown rank, or a dimension that nobody knows.
  std::optional<std::vector<std::int64_t>> read_shape(const flat::Table& table, bool ranked) {
    const std::vector<std::int32_t> shape = table.numbers<std::int32_t>(tensor_field::kShape);
    const std::vector<std::int32_t> signature = table.numbers<std::int32_t>(tensor_field::kSignature);
    if (shape.empty() && signature.empty() && !ranked) return std::nullopt;
    std::vector<std::int64_t> known(shape.begin(), shape.end());
    if (known.empty()) known.assign(signature.begin(), signature.end());
    bool open = false;
    bool complete = true;
    for (std::size_t d = 0; d < known.size(); ++d) {
      const bool told = known[d] >= 0 && (signature.size() != known.size() || signature[d] >= 0);
      if (told) continue;
      if (const auto given = given_dimension(d)) {
        known[d] = *given;
      } else {
        open = true;
        positions_.insert(d);
        complete = complete && known[d] >= 0;
      }
    }
    open_ += open ? 1 : 0;
    return complete ? std::optional(std::move(known)) : std::nullopt;
  }

  std::optional<std::int64_t> given_dimension(std::size_t position) const {
    auto given = wishes_.dimensions.find(fmt::format("d{}", position));
    if (given == wishes_.dimensions.end()) given = wishes_.dimensions.find("?");
    return given == wishes_.dimensions.end() ? std::nullopt : std::optional(given->second);
  }

  void note_open_dimensions() {
    if (positions_.empty()) return;
    std::string answers;
    for (const std::size_t d : positions_) {
      subgraph_.open_dimensions.push_back(fmt::format("d{}", d));
      answers += fmt::format("{}d{}=N", answers.empty() ? "" : ",", d);
    }
    note(
        fmt::format("{} tensors have dimensions that the file leaves open; its own numbers stand for them (1, as a "
                    "rule) where it has any. --dims '?=N' sets them all, --dims {} by their position",
                    open_, answers));
  }

  void read_ends(const flat::Table& subgraph) {
    GraphInput& graph = subgraph_.graph;
    for (const std::int32_t t : subgraph.numbers<std::int32_t>(subgraph_field::kInputs)) {
      if (const auto tensor = tensor_at(t, "the subgraph's inputs")) graph.inputs.push_back(*tensor);
    }
    for (const std::int32_t t : subgraph.numbers<std::int32_t>(subgraph_field::kOutputs)) {
      if (const auto tensor = tensor_at(t, "the subgraph's outputs")) graph.outputs.push_back(*tensor);
    }
  }

  /// Nothing for -1, an optional one that is not there; nothing and a note for what no tensor has.
  std::optional<TensorIndex> tensor_at(std::int32_t t, std::string_view where) {
    if (t == -1) return std::nullopt;
    if (t >= 0 && static_cast<std::size_t>(t) < subgraph_.graph.tensors.size()) return static_cast<TensorIndex>(t);
    leave_out(fmt::format("{}: tensor {}, but there are {}", where, t, subgraph_.graph.tensors.size()));
    return std::nullopt;
  }

  struct Code {
    std::int32_t builtin = 0;
    std::string name;
  };

  void read_codes() {
    for (const flat::Table& table : model_.tables(model_field::kOperatorCodes)) {
      // The number was one byte once; whoever writes the wider one fills both as far as they reach.
      Code code;
      code.builtin = std::max<std::int32_t>(table.scalar<std::int8_t>(code_field::kOldBuiltin),
                                            table.scalar<std::int32_t>(code_field::kBuiltin));
      code.name = builtin_op_name(code.builtin);
      const std::string_view custom = table.text(code_field::kCustom);
      if (code.builtin == kCustomOp && !custom.empty()) code.name = sound_text(custom);
      codes_.push_back(std::move(code));
    }
  }

  void read_ops(const std::vector<flat::Table>& operators) {
    made_.assign(subgraph_.graph.tensors.size(), false);
    for (std::size_t n = 0; n < operators.size(); ++n) read_op(n, operators[n]);
  }

  void read_op(std::size_t n, const flat::Table& table) {
    const auto number = table.scalar<std::uint32_t>(operator_field::kCode);
    const Code code = number < codes_.size() ? codes_[number] : Code{-1, fmt::format("op code {}", number)};
    Op op;
    op.type = code.name;
    op.id = fmt::format("{}.{}", code.name, n);
    for (const std::int32_t t : table.numbers<std::int32_t>(operator_field::kInputs)) {
      if (const auto tensor = tensor_at(t, op.id)) op.in.push_back(*tensor);
    }
    for (const std::int32_t t : table.numbers<std::int32_t>(operator_field::kOutputs)) {
      const auto tensor = tensor_at(t, op.id);
      if (tensor && may_make(op, *tensor)) op.out.push_back(*tensor);
    }
    const bool opaque = code.builtin == kCustomOp;
    if (opaque) take_workspaces(op);
    if (goes_element_by_element(code.builtin)) offer_in_place(op);
    note_calls(op, table);
    op.side_effect = op.out.empty();
    subgraph_.opaque.push_back(opaque);
    subgraph_.graph.add(std::move(op));
  }

  /// A graph has one maker for each tensor. Whoever writes it again, or reads and writes it, changes it where it lies.
  bool may_make(Op& op, TensorIndex t) {
    if (std::find(op.out.begin(), op.out.end(), t) != op.out.end()) return false;  // named twice
    const bool reads = std::find(op.in.begin(), op.in.end(), t) != op.in.end();
    if (!reads && !made_[t]) {
      made_[t] = true;
      return true;
    }
    note(fmt::format("{} writes into {}, which is there already: it counts as read", op.id,
                     subgraph_.graph.tensors[t].id));
    if (!reads) op.in.push_back(t);
    return false;
  }

  /// What only an opaque op touches, with no data from anywhere, is scratch of its own: it is needed from there on.
  void take_workspaces(Op& op) {
    const GraphInput& graph = subgraph_.graph;
    std::vector<TensorIndex> read;
    for (const TensorIndex t : op.in) {
      if (std::find(op.out.begin(), op.out.end(), t) != op.out.end()) continue;  // named twice
      const bool scratch = !made_[t] && graph.tensors[t].kind == TensorKind::kActivation &&
                           std::find(graph.inputs.begin(), graph.inputs.end(), t) == graph.inputs.end();
      (scratch ? op.out : read).push_back(t);
      if (!scratch) continue;
      made_[t] = true;
      subgraph_.graph.tensors[t].kind = TensorKind::kWorkspace;
    }
    op.in = std::move(read);
  }

  void offer_in_place(Op& op) const {
    if (op.out.size() != 1) return;
    const Tensor& out = subgraph_.graph.tensors[op.out[0]];
    for (std::uint32_t slot = 0; slot < op.in.size(); ++slot) {
      const Tensor& in = subgraph_.graph.tensors[op.in[slot]];
      if (in.kind != TensorKind::kConstant && in.bytes && in.bytes == out.bytes) op.inplace.push_back({slot, 0, false});
    }
  }

  void note_calls(const Op& op, const flat::Table& table) {
    const std::size_t calls = called_subgraphs(op.type);
    if (calls == 0) return;
    const flat::Table options = table.table(operator_field::kOptions);
    std::vector<std::int32_t> called;
    for (std::size_t field = 0; field < calls; ++field) called.push_back(options.scalar<std::int32_t>(field));
    note(fmt::format("{} runs subgraph {}: here it is one step, and what they need inside is not in this plan", op.id,
                     fmt::join(called, " and ")));
  }

  const Wishes& wishes_;
  flat::Table model_;
  UniqueIds ids_;
  std::vector<Code> codes_;
  std::vector<bool> made_;           // by tensor: an op before this one makes it
  std::size_t open_ = 0;             // tensors with dimensions that neither the file nor the wishes say
  std::set<std::size_t> positions_;  // of those dimensions
  Subgraph subgraph_;
};

}  // namespace

Result<Subgraph> read_subgraph(flat::File& file, const Wishes& wishes) {
  return Reader(file, wishes).run();
}

std::optional<OfflinePlan> find_offline_plan(flat::File& file, std::size_t subgraph, std::size_t tensors,
                                             std::vector<std::string>& notes) {
  const flat::Table model = file.root();
  for (const flat::Table& metadata : model.tables(model_field::kMetadata)) {
    if (metadata.text(metadata_field::kName) != kOfflinePlanName) continue;
    const flat::Table buffer =
        model.element(model_field::kBuffers, metadata.scalar<std::uint32_t>(metadata_field::kBuffer));
    const flat::Extent data = buffer.vector(buffer_field::kData, 1);
    constexpr std::size_t head = 3 * sizeof(std::int32_t);  // version, subgraph, number of offsets
    if (data.count < head) {
      notes.push_back(fmt::format("{}: {} bytes are too few for a plan", kOfflinePlanName, data.count));
      continue;
    }
    if (file.number<std::uint32_t>(data.at + 4) != subgraph) continue;
    const std::size_t count = file.number<std::uint32_t>(data.at + 8);
    if (count > (data.count - head) / sizeof(std::int32_t) || count != tensors) {
      notes.push_back(
          fmt::format("{}: it speaks of {} offsets and has room for {}, but there are {} tensors; it is "
                      "left out",
                      kOfflinePlanName, count, (data.count - head) / sizeof(std::int32_t), tensors));
      continue;
    }
    OfflinePlan plan;
    plan.at = data.at + head;
    for (std::size_t t = 0; t < count; ++t) plan.offsets.push_back(file.number<std::int32_t>(plan.at + 4 * t));
    return plan;
  }
  return std::nullopt;
}

}  // namespace stowage::tflite
