#include "core/io/hlo_graph.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/lower.h"
#include "core/io/intake.h"
#include "core/model/load.h"

namespace stowage::hlo {
namespace {

/// Part of an instruction's value, and the tensor that it lies in.
struct Part {
  Index index;
  TensorIndex tensor = kNoTensor;
};
using Parts = std::vector<Part>;

/// Where an output lies: in this part of that operand.
struct Source {
  std::size_t operand = 0;
  Index index;
};

bool is_one_of(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), opcode) != names.end();
}

/// XLA prints async-start, -update and -done of a wrapped instruction under its name: slice-start, call-done. What was
/// asynchronous before those were keeps its own rules.
bool is_async(std::string_view opcode, std::string_view ending) {
  return opcode.ends_with(ending) &&
         !is_one_of(opcode.substr(0, opcode.size() - ending.size()),
                    {"copy", "all-gather", "all-reduce", "collective-permute", "send", "recv"});
}

bool calls_with_memory(std::string_view opcode) {
  return is_one_of(opcode, {"while", "conditional", "call"}) || is_async(opcode, "-start");
}

Index tail_of(const Index& index, std::size_t from) {
  return Index(index.begin() + static_cast<std::ptrdiff_t>(std::min(from, index.size())), index.end());
}

Index behind(std::uint32_t first, const Index& rest) {
  Index index{first};
  index.insert(index.end(), rest.begin(), rest.end());
  return index;
}

/// What the opcode itself says about where an output lies. (HloDataflowAnalysis of openxla/xla.)
std::optional<Source> source_by_opcode(const Instruction& instruction, const Index& index) {
  const std::string_view opcode = instruction.opcode;
  if (is_one_of(opcode, {"bitcast", "while", "optimization-barrier", "opt-barrier", "add-dependency", "domain",
                         "all-reduce-done"}) ||
      is_async(opcode, "-update")) {
    return Source{0, index};
  }
  if (opcode == "copy-done") return Source{0, behind(0, index)};
  if (is_one_of(opcode, {"all-gather-done", "collective-permute-done"}) || is_async(opcode, "-done"))
    return Source{0, behind(1, index)};
  if (opcode == "recv-done" && !index.empty() && index[0] == 0) return Source{0, index};
  if (opcode == "send" && !index.empty() && index[0] == 0) return Source{0, tail_of(index, 1)};
  if (opcode == "copy-start" && index == Index{1}) return Source{0, {}};
  if (is_one_of(opcode, {"all-gather-start", "collective-permute-start"}) && !index.empty() && index[0] == 0) {
    return index.size() == 1 ? Source{0, {}} : Source{index[1], tail_of(index, 2)};
  }
  if (is_async(opcode, "-start") && index.size() >= 2 && index[0] == 0) return Source{index[1], tail_of(index, 2)};
  return std::nullopt;
}

class Builder {
 public:
  Builder(const Computation& computation, const InnerBytes& inner, ModelGraph& made)
      : computation_(computation), inner_(inner), made_(made) {}

  void run() {
    for (const Instruction& instruction : computation_.instructions) add(instruction);
    if (computation_.instructions.empty()) return;
    // The root is marked; where the mark is missing, it is the last one.
    const auto marked = std::find_if(computation_.instructions.begin(), computation_.instructions.end(),
                                     [](const Instruction& one) { return one.root; });
    const Instruction& root = marked == computation_.instructions.end() ? computation_.instructions.back() : *marked;
    for (const Part& part : values_[root.name]) made_.input.outputs.push_back(part.tensor);
  }

 private:
  static std::string label_of(const Instruction& instruction, const Index& index) {
    if (index.empty()) return std::string(instruction.name);
    return fmt::format("{}{{{}}}", instruction.name, fmt::join(index, ","));
  }

  TensorIndex new_tensor(const Instruction& instruction, const Leaf& leaf) {
    Tensor tensor;
    tensor.id = label_of(instruction, leaf.index);
    tensor.type = data_type_of(leaf.type);
    tensor.bytes = leaf.bytes;
    if (leaf.bytes) tensor.shape = leaf.dimensions;
    if (leaf.memory_space != 0) tensor.space = fmt::format("S({})", leaf.memory_space);
    if (instruction.opcode == "parameter") tensor.kind = TensorKind::kInput;
    if (instruction.opcode == "constant") tensor.kind = TensorKind::kConstant;
    if (!instruction.source_file.empty())
      tensor.source = printable_utf8(fmt::format("{}:{}", instruction.source_file, instruction.source_line));
    return made_.add(std::move(tensor));
  }

  void add(const Instruction& instruction) {
    if (values_.contains(instruction.name)) {
      made_.note(fmt::format("{} stands twice in its computation; the later one counts from then on",
                             shown(instruction.name)));
    }
    Op op;
    op.id = instruction.name;
    op.type = instruction.opcode;
    std::vector<const Parts*> operands;
    static const Parts none;
    for (const std::string_view name : instruction.operands) {
      const auto found = values_.find(name);
      if (found == values_.end()) {
        made_.note(
            fmt::format("{} reads {}, which nothing before it makes; left out", shown(instruction.name), shown(name)));
      }
      operands.push_back(found == values_.end() ? &none : &found->second);
    }
    Parts parts;
    if (instruction.opcode == "tuple") {
      for (std::size_t i = 0; i < operands.size(); ++i) {
        for (const Part& part : *operands[i]) {
          // Not more than its shape says: tuples of tuples of the same would grow without end.
          if (parts.size() >= (instruction.untyped ? kMostUntyped : instruction.leaves.size())) break;
          parts.push_back(Part{behind(static_cast<std::uint32_t>(i), part.index), part.tensor});
          reads(op, part.tensor);
        }
      }
    } else if (instruction.opcode == "get-tuple-element") {
      for (const Part& part : operands.empty() ? none : *operands[0]) {
        if (part.index.empty() || part.index[0] != instruction.number.value_or(0)) continue;
        parts.push_back(Part{tail_of(part.index, 1), part.tensor});
        reads(op, part.tensor);
      }
    } else {
      for (const Parts* operand : operands) {
        for (const Part& part : *operand) reads(op, part.tensor);
      }
      for (const Leaf& leaf : instruction.leaves) {
        const TensorIndex t = new_tensor(instruction, leaf);
        parts.push_back(Part{leaf.index, t});
        if (is_given(instruction)) continue;
        op.out.push_back(t);
        tie(instruction, leaf.index, operands, op);
      }
    }
    values_[instruction.name] = std::move(parts);
    if (is_given(instruction)) {
      if (instruction.opcode == "parameter") {
        for (const Part& part : values_[instruction.name]) made_.input.inputs.push_back(part.tensor);
      }
      made_.add(std::move(op));  // a step, which makes nothing
      return;
    }
    if (calls_with_memory(instruction.opcode)) {
      for (const std::string_view name : instruction.called) {
        const auto found = inner_.find(name);
        if (found != inner_.end()) op.workspace = std::max(op.workspace, found->second);
      }
    }
    if (instruction.opcode == "dynamic-update-slice" && !op.in.empty() && !op.out.empty())
      op.inplace.push_back(SlotPair{0, 0, false});
    made_.add(std::move(op));
  }

  void reads(Op& op, TensorIndex t) {
    if (links_ == kMostLinks)
      made_.leave_out("more than 16,777,216 operands, counting the parts of tuples; the others are left out");
    if (links_++ < kMostLinks) op.in.push_back(t);
  }

  static bool is_given(const Instruction& instruction) {
    return instruction.opcode == "parameter" || instruction.opcode == "constant";
  }

  /// Makes the op's last output an alias where it lies in an operand.
  static void tie(const Instruction& instruction, const Index& index, const std::vector<const Parts*>& operands,
                  Op& op) {
    auto source = source_by_opcode(instruction, index);
    for (const Aliasing& aliasing : instruction.aliasing) {
      if (aliasing.output == index) source = Source{aliasing.operand, aliasing.index};
    }
    if (!source || source->operand >= operands.size()) return;
    std::size_t slot = 0;  // in op.in, which has the parts of all operands one behind the other
    for (std::size_t i = 0; i < source->operand; ++i) slot += operands[i]->size();
    for (const Part& part : *operands[source->operand]) {
      if (part.index == source->index && slot < op.in.size()) {
        op.alias.push_back(SlotPair{static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(op.out.size() - 1),
                                    instruction.opcode != "while"});
        return;
      }
      ++slot;
    }
  }

  const Computation& computation_;
  const InnerBytes& inner_;
  static constexpr std::uint64_t kMostLinks = std::uint64_t{1} << 24U;
  static constexpr std::size_t kMostUntyped = 4096;  // parts of a tuple that says no shape

  ModelGraph& made_;
  std::unordered_map<std::string_view, Parts> values_;
  std::uint64_t links_ = 0;
};

}  // namespace

void add_computation(const Computation& computation, const InnerBytes& inner, ModelGraph& made) {
  Builder(computation, inner, made).run();
}

InnerBytes inner_bytes(const Module& module) {
  InnerBytes inner;
  // A computation stands behind those that it calls, so their numbers are there.
  for (const Computation& computation : module.computations) {
    if (computation.entry) continue;
    const Dimensions no_dimensions;
    ModelGraph made("", no_dimensions);
    add_computation(computation, inner, made);
    auto graph = make_graph(std::move(made.input));
    if (!graph) continue;
    const auto staged = stage(std::move(*graph));
    if (!staged) continue;
    LowerOptions options;
    options.outputs = false;
    const auto lowered = lower(*staged, options);
    if (lowered) inner[computation.name] = load(lowered->problem, 0);
  }
  return inner;
}

}  // namespace stowage::hlo
