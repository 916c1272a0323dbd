// Programs of ExecuTorch: the plan of a method's memory, which its compiler has written into the file. Instructions run
// in their order, one a step. A value lives from the first instruction that names it to the last, inputs from the
// start, outputs and mutable state to the end; constants, and what the caller or the runtime allocates, are left out.
// (pytorch/executorch, schema/program.fbs and schema/extended_header.cpp.)

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/flatbuffer.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/graph_file.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/unique_ids.h"

namespace stowage {

Format executorch_format();

namespace {

namespace program_field {
constexpr std::size_t kPlans = 1;
}
namespace plan_field {
constexpr std::size_t kName = 0, kValues = 2, kInputs = 3, kOutputs = 4, kChains = 5, kOperators = 6, kDelegates = 7,
                      kSizes = 8;
}
namespace tensor_field {
constexpr std::size_t kType = 0, kSizes = 2, kData = 5, kPlace = 6, kDynamism = 8, kExtra = 9;
}
namespace value_type {
constexpr std::uint8_t kTensor = 5, kTensorList = 10, kOptionalTensorList = 11;
}
namespace call_type {
constexpr std::uint8_t kKernel = 1, kDelegate = 2, kMove = 3, kJumpFalse = 4, kFree = 5;
}
constexpr std::int8_t kUnbounded = 2;  // TensorShapeDynamism: the sizes say nothing

/// The part of the file that is the flatbuffer: behind it come segments with data. Nothing when it is cut off.
std::optional<std::string_view> program_of(std::string_view bytes) {
  constexpr std::size_t head = 32;
  if (bytes.size() < head || bytes.substr(8, 4) != "eh00") return bytes;
  const auto size = flat::File(bytes).number<std::uint64_t>(16);
  if (size > bytes.size()) return std::nullopt;
  return size < head ? bytes : bytes.substr(0, static_cast<std::size_t>(size));
}

/// c10::ScalarType: the type, or where no graph of ours has it, its bits.
struct ScalarType {
  std::string_view name;
  std::optional<DataType> type;
  int bits = 0;
};

ScalarType scalar_type(std::int8_t number) {
  static const std::map<int, ScalarType> types = {{0, {"uint8", DataType::kUint8, 8}},
                                                  {1, {"int8", DataType::kInt8, 8}},
                                                  {2, {"int16", DataType::kInt16, 16}},
                                                  {3, {"int32", DataType::kInt32, 32}},
                                                  {4, {"int64", DataType::kInt64, 64}},
                                                  {5, {"float16", DataType::kFloat16, 16}},
                                                  {6, {"float32", DataType::kFloat32, 32}},
                                                  {7, {"float64", DataType::kFloat64, 64}},
                                                  {8, {"complex32", std::nullopt, 32}},
                                                  {9, {"complex64", DataType::kComplex64, 64}},
                                                  {10, {"complex128", DataType::kComplex128, 128}},
                                                  {11, {"bool", DataType::kBool, 8}},
                                                  {12, {"qint8", DataType::kInt8, 8}},
                                                  {13, {"quint8", DataType::kUint8, 8}},
                                                  {14, {"qint32", DataType::kInt32, 32}},
                                                  {15, {"bfloat16", DataType::kBfloat16, 16}},
                                                  {16, {"quint4x2", DataType::kUint4, 4}},
                                                  {17, {"quint2x4", std::nullopt, 2}},
                                                  {21, {"bits8", DataType::kUint8, 8}},
                                                  {22, {"bits16", DataType::kUint16, 16}},
                                                  {23, {"float8", DataType::kFloat8, 8}},
                                                  {24, {"float8", DataType::kFloat8, 8}},
                                                  {25, {"float8", DataType::kFloat8, 8}},
                                                  {26, {"float8", DataType::kFloat8, 8}},
                                                  {27, {"uint16", DataType::kUint16, 16}},
                                                  {28, {"uint32", DataType::kUint32, 32}},
                                                  {29, {"uint64", DataType::kUint64, 64}}};
  const auto found = types.find(number);
  return found == types.end() ? ScalarType{} : found->second;
}

/// Where a tensor lies: its memory, the offset in it, and the bytes it has there.
using Place = std::tuple<std::uint32_t, std::uint64_t, std::int64_t>;

class Reader {
 public:
  Reader(flat::File& file, const std::string& method) : file_(file), method_(method) {}

  Result<void> run() {
    const std::vector<flat::Table> plans = file_.root().tables(program_field::kPlans);
    if (plans.empty()) return input_error("there is no method in the program");
    const auto index = chosen(plans);
    if (!index) return tl::unexpected(index.error());
    const flat::Table plan = plans[*index];
    out.graph.name = sound_text(plan.text(plan_field::kName));
    if (plans.size() > 1) note_methods(plans, *index);
    read_values(plan.tables(plan_field::kValues));
    read_ends(plan);
    read_names(plan);
    for (const flat::Table& chain : plan.tables(plan_field::kChains)) read_chain(chain);
    add_loops();
    note_sizes(plan.numbers<std::int64_t>(plan_field::kSizes));
    return {};
  }

  GraphFile out;
  std::vector<std::int64_t> offsets;  // by tensor

 private:
  void note(std::string text) { out.notes.push_back(std::move(text)); }

  Result<std::size_t> chosen(const std::vector<flat::Table>& plans) const {
    if (method_.empty()) return 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].text(plan_field::kName) == method_) return i;
    }
    const auto number = parse_int(method_);
    if (number && *number >= 0 && static_cast<std::uint64_t>(*number) < plans.size()) {
      return static_cast<std::size_t>(*number);
    }
    return usage_error(
        fmt::format("there is no method '{}' among the {} of the program", shown(method_), plans.size()));
  }

  void note_methods(const std::vector<flat::Table>& plans, std::size_t index) {
    constexpr std::size_t most = 20;
    std::string names;
    for (std::size_t i = 0; i < plans.size() && i < most; ++i) {
      names += (i == 0 ? "" : ", ") + shown(plans[i].text(plan_field::kName));
    }
    note(fmt::format("this is method {} of {} ({}); for another, --choose method=NAME", index, plans.size(), names));
  }

  void read_values(const std::vector<flat::Table>& values) {
    tensor_of_.assign(values.size(), kNoTensor);
    items_of_.resize(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto type = values[v].scalar<std::uint8_t>(0);
      if (type == value_type::kTensor) read_tensor(v, values[v].table(1));
      if (type == value_type::kTensorList || type == value_type::kOptionalTensorList) {
        items_of_[v] = values[v].table(1).numbers<std::int32_t>(0);
      }
    }
  }

  void read_tensor(std::size_t value, const flat::Table& table) {
    Tensor tensor;
    const flat::Table extra = table.table(tensor_field::kExtra);
    tensor.id = ids_.take(extra.text(1), fmt::format("value {}", value));
    read_size(table, tensor);
    const flat::Table place = table.table(tensor_field::kPlace);
    const bool has_data = table.scalar<std::uint32_t>(tensor_field::kData) > 0 || extra.scalar<std::int8_t>(2) == 1;
    if (has_data) tensor.kind = place ? TensorKind::kState : TensorKind::kConstant;
    tensor_of_[value] = static_cast<TensorIndex>(out.graph.tensors.size());
    places_.push_back(read_place(place, tensor));
    there_.push_back(has_data);
    out.graph.add(std::move(tensor));
  }

  std::optional<Place> read_place(const flat::Table& table, Tensor& tensor) {
    offsets.push_back(kNoOffset);
    if (!table) return std::nullopt;
    const auto memory = table.scalar<std::uint32_t>(0);
    const std::uint64_t offset = std::uint64_t{table.scalar<std::uint32_t>(2)} << 32U | table.scalar<std::uint32_t>(1);
    if (!memories_.contains(memory) && memories_.size() >= kMostMemories) {
      ++out.left_out;
      note(fmt::format("{}: in memory {}, of more than {} (left out)", tensor.id, memory, kMostMemories));
      return std::nullopt;
    }
    memories_.emplace(memory, 0);
    tensor.space = fmt::format("memory {}", memory);
    if (offset > static_cast<std::uint64_t>(kMaxInt64)) {
      note(fmt::format("{}: offset {} is above 2^63-1", tensor.id, offset));
      return std::nullopt;
    }
    offsets.back() = static_cast<std::int64_t>(offset);
    const auto end = checked_add(offsets.back(), tensor.bytes.value_or(0));
    memories_[memory] = std::max(memories_[memory], end.value_or(kMaxInt64));
    return Place{memory, offset, tensor.bytes.value_or(-1)};
  }

  static void read_size(const flat::Table& table, Tensor& tensor) {
    const auto number = table.scalar<std::int8_t>(tensor_field::kType);
    const ScalarType type = scalar_type(number);
    const std::vector<std::int32_t> sizes = table.numbers<std::int32_t>(tensor_field::kSizes);
    const std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
    const auto elements = element_count(shape);
    const bool bounded = table.scalar<std::int8_t>(tensor_field::kDynamism) != kUnbounded;
    const bool fits = bounded && elements && type.bits > 0 && *elements <= kMaxInt64 / type.bits - 8;
    if (fits) tensor.bytes = (*elements * type.bits + 7) / 8;
    if (fits && type.type) {
      tensor.type = *type.type;
      tensor.shape = shape;
      return;
    }
    json::ObjectWriter writer(tensor.extra);
    writer.text("element_type", type.name.empty() ? fmt::format("type {}", number) : std::string(type.name));
    writer.text("file_shape", fmt::format("{}", fmt::join(shape, ",")));
    writer.close();
  }

  /// The tensor of a value, or those of a list of them; a list of lists there is none.
  void add_tensors(std::int32_t value, std::string_view where, std::vector<TensorIndex>& tensors) {
    if (value == -1) return;  // nothing, in a list
    if (value < 0 || static_cast<std::size_t>(value) >= tensor_of_.size()) {
      ++out.left_out;
      if (out.left_out <= Complaints::kListedLeftOut) {
        note(fmt::format("{}: value {}, but there are {} (left out)", where, value, tensor_of_.size()));
      }
      return;
    }
    const auto v = static_cast<std::size_t>(value);
    if (tensor_of_[v] != kNoTensor) tensors.push_back(tensor_of_[v]);
    // A hostile program may name a long list over and over.
    if (items_of_[v].size() > kMostItems - std::min(items_, kMostItems)) return;
    items_ += items_of_[v].size();
    for (const std::int32_t item : items_of_[v]) {
      if (item >= 0 && static_cast<std::size_t>(item) < tensor_of_.size() &&
          tensor_of_[static_cast<std::size_t>(item)] != kNoTensor) {
        tensors.push_back(tensor_of_[static_cast<std::size_t>(item)]);
      }
    }
  }

  void read_ends(const flat::Table& plan) {
    for (const std::int32_t v : plan.numbers<std::int32_t>(plan_field::kInputs)) {
      add_tensors(v, "the method's inputs", out.graph.inputs);
    }
    for (const std::int32_t v : plan.numbers<std::int32_t>(plan_field::kOutputs)) {
      add_tensors(v, "the method's outputs", out.graph.outputs);
    }
    for (const TensorIndex t : out.graph.inputs) there_[t] = true;
    for (TensorIndex t = 0; t < places_.size(); ++t) {
      if (there_[t] && places_[t]) at_place_.emplace(*places_[t], t);
    }
  }

  void read_names(const flat::Table& plan) {
    for (const flat::Table& table : plan.tables(plan_field::kOperators)) {
      std::string name = sound_text(table.text(0));
      const std::string overload = sound_text(table.text(1));
      kernels_.push_back(overload.empty() ? name : name + "." + overload);
    }
    for (const flat::Table& table : plan.tables(plan_field::kDelegates)) {
      delegates_.push_back(sound_text(table.text(0)));
    }
  }

  void read_chain(const flat::Table& chain) {
    constexpr std::size_t instructions = 2;
    const std::size_t first = out.graph.ops.size();
    for (const flat::Table& instruction : chain.tables(instructions)) {
      read_instruction(instruction.scalar<std::uint8_t>(0), instruction.table(1), first);
    }
  }

  static std::string name_at(const std::vector<std::string>& names, std::int32_t number, std::string_view kind) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < names.size();
    const std::string name = known ? names[static_cast<std::size_t>(number)] : std::string();
    return name.empty() ? fmt::format("{} {}", kind, number) : name;
  }

  void read_instruction(std::uint8_t type, const flat::Table& call, std::size_t first_of_chain) {
    Op op;
    std::vector<std::int32_t> values;
    if (type == call_type::kKernel) {
      op.type = name_at(kernels_, call.scalar<std::int32_t>(0), "kernel");
      values = call.numbers<std::int32_t>(1);
    } else if (type == call_type::kDelegate) {
      op.type = name_at(delegates_, call.scalar<std::int32_t>(0), "delegate");
      values = call.numbers<std::int32_t>(1);
    } else if (type == call_type::kMove) {
      op.type = "move";
      values = {call.scalar<std::int32_t>(0), call.scalar<std::int32_t>(1)};
    } else if (type == call_type::kJumpFalse) {
      op.type = "jump-false";
      values = {call.scalar<std::int32_t>(0)};
      add_jump(first_of_chain, call.scalar<std::int32_t>(1));
    } else {
      op.type = type == call_type::kFree ? "free" : fmt::format("instruction {}", type);
    }
    op.id = fmt::format("{}.{}", op.type, out.graph.ops.size());
    std::vector<TensorIndex> named;
    for (const std::int32_t value : values) add_tensors(value, op.id, named);
    tell_apart(op, named, type == call_type::kKernel);
    const bool hands_on = type == call_type::kMove || op.type.find("et_view") != std::string::npos;
    if (hands_on && op.in.size() == 1 && op.out.size() == 1 && same_place(op.in[0], op.out[0])) {
      op.alias.push_back({0, 0, true});
    }
    op.side_effect = op.out.empty();
    out.graph.add(std::move(op));
  }

  /// An instruction does not say which of its values it writes: those that come up for the first time. A kernel names
  /// what it writes last, or twice (as an argument and as what it returns); what it names otherwise for the first time
  /// is another name for what lies at that place already, a view that needed no instruction.
  void tell_apart(Op& op, const std::vector<TensorIndex>& named, bool kernel) {
    std::map<TensorIndex, int> times;
    for (const TensorIndex t : named) ++times[t];
    for (const TensorIndex t : named) {
      if (times[t] == 0) continue;  // done
      const bool written = !kernel || times[t] > 1 || t == named.back();
      times[t] = 0;
      const auto base = places_[t] ? at_place_.find(*places_[t]) : at_place_.end();
      if (there_[t]) {
        op.in.push_back(t);
      } else if (!written && base != at_place_.end()) {
        out.graph.tensors[t].view_of = base->second;
        op.in.push_back(t);
      } else {
        op.out.push_back(t);
        if (places_[t]) at_place_.insert_or_assign(*places_[t], t);
      }
    }
    for (const TensorIndex t : named) there_[t] = true;
  }

  bool same_place(TensorIndex a, TensorIndex b) const {
    return !places_[b] || (places_[a] && std::get<0>(*places_[a]) == std::get<0>(*places_[b]) &&
                           std::get<1>(*places_[a]) == std::get<1>(*places_[b]));
  }

  void add_jump(std::size_t first_of_chain, std::int32_t target) {
    const auto here = static_cast<std::int64_t>(out.graph.ops.size());
    const std::int64_t there = static_cast<std::int64_t>(first_of_chain) + target;
    if (target >= 0 && there <= here) jumps_.emplace_back(there, here);
  }

  /// Jumps backwards are loops; those that overlap count as one.
  void add_loops() {
    std::sort(jumps_.begin(), jumps_.end());
    for (std::size_t i = 0; i < jumps_.size();) {
      auto [from, to] = jumps_[i];
      for (++i; i < jumps_.size() && jumps_[i].first <= to; ++i) to = std::max(to, jumps_[i].second);
      Loop loop;
      for (std::int64_t n = from; n <= to; ++n) loop.ops.push_back(static_cast<OpIndex>(n));
      out.graph.loops.push_back(std::move(loop));
    }
  }

  void note_sizes(const std::vector<std::int64_t>& sizes) {
    for (const auto& [memory, needed] : memories_) {
      if (memory >= sizes.size()) {
        note(fmt::format("the program does not say how large memory {} is", memory));
      } else if (needed > sizes[memory]) {
        note(fmt::format("memory {} has {} bytes, but tensors lie there up to {}", memory, sizes[memory], needed));
      } else {
        note(fmt::format("the program gives memory {} {} bytes", memory, sizes[memory]));
      }
    }
  }

  static constexpr std::size_t kMostMemories = 1000;
  static constexpr std::size_t kMostItems = 10'000'000;

  flat::File& file_;
  const std::string& method_;
  UniqueIds ids_;
  std::vector<TensorIndex> tensor_of_;               // by value
  std::vector<std::vector<std::int32_t>> items_of_;  // by value: what a list of tensors holds
  std::vector<std::optional<Place>> places_;         // by tensor
  std::vector<bool> there_;                          // by tensor: it has data before the next instruction
  std::map<Place, TensorIndex> at_place_;            // who was written there last
  std::map<std::uint32_t, std::int64_t> memories_;   // how far up tensors lie in each
  std::vector<std::string> kernels_;
  std::vector<std::string> delegates_;
  std::vector<std::pair<std::int64_t, std::int64_t>> jumps_;  // from there to here, backwards
  std::size_t items_ = 0;
};

bool sniff(std::string_view bytes) {
  // A text may hold these letters; no text holds a zero byte.
  return bytes.size() >= 8 && bytes.substr(4, 3) == "ET1" && bytes[7] >= '0' && bytes[7] <= '9' &&
         bytes.find('\0') != std::string_view::npos;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format format = executorch_format();
  const auto program = program_of(bytes);
  if (!program) return input_error(name + ": the program is cut off: it says that it is longer than the file");
  flat::File file(*program);
  const std::string method = format.choice(options, "method");
  Reader reader(file, method);
  const auto done = reader.run();
  if (file.damage()) return input_error(fmt::format("{}: the program is {}", name, file.damage_text()));
  if (!done) return fail(done.error().kind, fmt::format("{}: {}", name, done.error().message));

  reader.out.recipe.lowering.inputs = true;
  reader.out.recipe.lowering.state = true;
  auto document = document_of_file(std::move(reader.out), format, name, options);
  if (!document) return document;
  TensorPlaces places;
  places.offsets = std::move(reader.offsets);
  places.others_lie_elsewhere = true;
  const auto put = put_places(*document, places, options, name);
  if (!put) return tl::unexpected(put.error());
  return document;
}

}  // namespace

Format executorch_format() {
  Format format;
  format.id = "executorch";
  format.title = "ExecuTorch program";
  format.extension = ".pte";
  format.summary = "the memory plan inside a program, and its instructions as a graph";
  format.sniff = sniff;
  format.binary = true;
  format.read = read;
  format.choices = graph_choices();
  for (ReadChoice& choice : format.choices) {
    if (choice.key == "include") choice.value = "inputs,state,outputs";
  }
  std::erase_if(format.choices, [](const ReadChoice& choice) { return choice.key == "dims"; });
  format.choices.push_back({"method", "name or number of the method; the first one when it is empty", "", {}});
  return format;
}

}  // namespace stowage
