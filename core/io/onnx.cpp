// ONNX models (onnx.proto of onnx/onnx). A node is a step, in the order of the file; a value lives from the node that
// makes it to its last reader, inputs of the graph from the start, outputs to the end. Initializers are weights, also
// those that stand among the inputs. If, Loop and Scan are one step each, which reads what their bodies read from
// outside; so are functions that the file defines. Data in other files is never looked at.

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/contained.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/intake.h"
#include "core/io/model_graph.h"
#include "core/io/onnx_infer.h"
#include "core/io/onnx_model.h"
#include "core/io/onnx_outline.h"
#include "core/io/onnx_values.h"

namespace stowage {

Format onnx_format();

namespace {

/// Numbers that depend on shapes that depend on numbers ...: how often the library is asked again.
constexpr int kMostRounds = 16;
constexpr std::string_view kFold = "fold";  // of `constants`
constexpr std::string_view kFile = "file";  // of `shapes`

/// Ops whose first result may take the memory of their first input, as ONNX Runtime lets them.
bool may_work_in_place(std::string_view op) {
  static constexpr std::array<std::string_view, 27> ops = {
      "Abs", "Add",   "BatchNormalization", "Ceil",      "Clip",    "Cos",  "Div", "Elu", "Erf",
      "Exp", "Floor", "HardSigmoid",        "LeakyRelu", "Log",     "Max",  "Min", "Mul", "Neg",
      "Pow", "PRelu", "Reciprocal",         "Relu",      "Sigmoid", "Sqrt", "Sub", "Sum", "Tanh"};
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

/// Ops whose result is their first input under another shape.
bool only_renames(std::string_view op) {
  return op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze" || op == "Identity";
}

bool is_standard(const onnx::Node& node) {
  return node.domain.empty() || node.domain == "ai.onnx";
}

class Reader {
 public:
  Reader(std::string_view file, const std::string& name, const Dimensions& dimensions, const Format& format,
         const ReadOptions& options)
      : file_(file),
        name_(name),
        made_(name, dimensions),
        fold_(format.choice(options, "constants") == kFold),
        infer_(format.choice(options, "shapes") != kFile) {}

  Result<Document> run(const ReadOptions& options) {
    const auto model = onnx::read_model(file_);
    if (!model) return with_name(model.error());
    auto graph = onnx::read_graph(file_, model->graph);
    if (!graph) return with_name(graph.error());
    graph_ = std::move(*graph);
    made_.input.name = sound_text(graph_.name);
    learn_types(graph_.values);
    learn_types(graph_.outputs);
    learn_types(graph_.inputs);
    if (infer_) {
      if (const auto inferred = infer(); !inferred) return tl::unexpected(inferred.error());
    }
    learn_types(graph_.constants);  // their own shape counts, whatever was inferred

    add_given();
    for (const onnx::Node& node : graph_.nodes) {
      if (const auto added = add(node); !added) return with_name(added.error());
    }
    add_outputs();
    say_what_is_hidden(model->functions);
    LowerOptions lowering;
    lowering.inputs = true;
    return made_.finish(onnx_format(), options, lowering);
  }

 private:
  tl::unexpected<Error> with_name(const Error& error) const {
    return fail(error.kind, fmt::format("{}: {}", name_, error.message));
  }

  /// What comes later counts, unless it knows less. Dimensions that were given a value have it.
  void learn_types(const std::vector<onnx::Value>& values) {
    for (const onnx::Value& value : values) {
      onnx::Type& known = types_.try_emplace(value.name, value.type).first->second;
      if (value.type.shape || !known.shape) known = value.type;
      if (!known.shape) continue;
      for (std::size_t i = 0; i < known.shape->size(); ++i) {
        onnx::Dimension& dimension = (*known.shape)[i];
        if (!dimension.value) dimension.value = made_.given(dimension.name, value.name, i);
      }
    }
  }

  /// Shapes that follow from those of the inputs. Fails only when the answer cannot be read.
  Result<void> infer() {
    if (!onnx::can_infer()) {
      const bool complete = std::all_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const onnx::Node& node) {
        return std::all_of(node.out.begin(), node.out.end(),
                           [&](std::string_view out) { return out.empty() || types_.contains(out); });
      });
      if (!complete) {
        made_.note(
            "this build has no onnx library, so shapes that the file does not say are unknown; build Stowage "
            "with the onnx library (libonnx-dev), or save the model with inferred shapes");
      }
      return {};
    }
    onnx::prepare_inference();
    const onnx::Resolve resolve = [this](std::string_view symbol, std::string_view tensor, std::size_t index) {
      return made_.given(symbol, tensor, index);
    };
    std::string why;
    // When shapes in the file contradict what follows from the inputs, the inputs count.
    for (const bool told_shapes : {true, false}) {
      std::size_t numbers = 0;
      bool any = false;
      for (int round = 0; round < kMostRounds; ++round) {
        const auto known = any ? onnx::numbers_of(graph_, types_) : onnx::NumbersByName();
        if (any && known.size() <= numbers) return {};
        numbers = known.size();
        const std::string outline = onnx::outline_of(file_, told_shapes, known, resolve);
        auto answer = run_contained([&outline] { return onnx::infer(outline); }, {});
        if (!answer) {
          if (any) return {};  // what the round before found stays
          why = answer.error().message;
          break;
        }
        if (!any && !told_shapes) {
          types_.clear();
          learn_types(graph_.inputs);
          made_.note("shapes in the file contradict those that follow from its inputs; these count");
        }
        any = true;
        if (const auto learned = learn_from(std::move(*answer)); !learned) return learned;
      }
      if (any) return {};
    }
    made_.note(fmt::format("shape inference of the onnx library failed ({}); only shapes that the file says are known",
                           shown(why)));
    return {};
  }

  Result<void> learn_from(std::string answer) {
    inferred_.push_back(std::move(answer));
    const auto shapes = onnx::read_graph(inferred_.back(), inferred_.back());
    if (!shapes) return with_name(shapes.error());
    learn_types(shapes->values);
    learn_types(shapes->outputs);
    return {};
  }

  /// "batch, ?, 8", of a tensor whose size is not known; empty when its rank is not, either.
  std::string words_of(std::string_view name) const {
    const auto found = types_.find(name);
    if (found == types_.end() || !found->second.tensor || !found->second.shape) return {};
    std::string words;
    for (const onnx::Dimension& dimension : *found->second.shape) {
      if (!words.empty()) words += ", ";
      words += dimension.value          ? fmt::format("{}", *dimension.value)
               : dimension.name.empty() ? "?"
                                        : std::string(dimension.name);
    }
    return words;
  }

  Tensor tensor_of(std::string_view name, TensorKind kind) {
    Tensor tensor;
    tensor.id = name;
    tensor.kind = kind;
    const auto found = types_.find(name);
    if (found == types_.end() || !found->second.tensor) return tensor;
    const onnx::Type& type = found->second;
    const auto element = onnx::data_type_of(type.element);
    if (element) tensor.type = *element;
    if (!type.shape) return tensor;
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
      const onnx::Dimension& dimension = (*type.shape)[i];
      if (!dimension.value && kind == TensorKind::kInput) made_.ask(dimension.name);
      if (!dimension.value && kind != TensorKind::kInput) made_.ask_last(name, i);
      if (dimension.value && *dimension.value >= 0) shape.push_back(*dimension.value);
    }
    if (shape.size() < type.shape->size()) return tensor;
    if (!element) return tensor;  // text, or nothing that is known: its size is not, whatever its shape
    if (!packed_bytes(shape, tensor.type)) {
      made_.note(fmt::format("{}: its shape needs more than 2^63-1 bytes, its size is left open", shown(name)));
      return tensor;
    }
    tensor.shape = std::move(shape);
    return tensor;
  }

  void add_given() {
    for (const onnx::Value& constant : graph_.constants) {
      if (tensors_.contains(constant.name)) continue;  // named twice: the first counts
      tensors_[constant.name] = made_.add(tensor_of(constant.name, TensorKind::kWeight), words_of(constant.name));
    }
    for (const onnx::Value& input : graph_.inputs) {
      if (tensors_.contains(input.name)) continue;  // an initializer is only its default
      const TensorIndex t = made_.add(tensor_of(input.name, TensorKind::kInput), words_of(input.name));
      tensors_[input.name] = t;
      made_.input.inputs.push_back(t);
    }
  }

  bool is_constant(TensorIndex t) const {
    const TensorKind kind = made_.input.tensors[t].kind;
    return kind == TensorKind::kWeight || kind == TensorKind::kConstant;
  }

  /// Whether what the node makes is known before anything runs.
  bool folds(const onnx::Node& node, const Op& op) const {
    if (!fold_ || !is_standard(node)) return false;
    if (node.op != "ConstantOfShape" && node.op != "Constant") return false;
    return std::all_of(op.in.begin(), op.in.end(), [&](TensorIndex t) { return is_constant(t); });
  }

  Result<void> add(const onnx::Node& node) {
    Op op;
    std::vector<std::string_view> read = node.in;
    std::unordered_set<std::string_view> known(read.begin(), read.end());
    for (const std::string_view body : node.bodies) {
      const auto captured = onnx::captures(file_, body);
      if (!captured) return tl::unexpected(captured.error());
      for (const std::string_view name : *captured) {
        if (known.insert(name).second) read.push_back(name);
      }
    }
    bool first_given = false;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i].empty()) continue;
      const auto found = tensors_.find(read[i]);
      if (found == tensors_.end()) {
        made_.note(
            fmt::format("{} reads {}, which nothing before it makes; left out", shown(label_of(node)), shown(read[i])));
        continue;
      }
      first_given = first_given || i == 0;
      op.in.push_back(found->second);
    }
    const bool folded = folds(node, op);
    for (const std::string_view name : node.out) {
      if (name.empty()) continue;
      const TensorIndex t =
          made_.add(tensor_of(name, folded ? TensorKind::kWeight : TensorKind::kActivation), words_of(name));
      if (!tensors_.insert_or_assign(name, t).second) {
        made_.note(fmt::format("{} is made more than once; each is a tensor of its own", shown(name)));
      }
      op.out.push_back(t);
    }
    if (folded) return {};
    if (!node.bodies.empty()) ++bodies_;
    op.id = label_of(node);
    op.type = is_standard(node) ? std::string(node.op) : fmt::format("{}.{}", node.domain, node.op);
    if (is_standard(node) && first_given && !op.out.empty()) {
      if (only_renames(node.op)) op.inplace.push_back(SlotPair{0, 0, true});
      if (may_work_in_place(node.op)) op.inplace.push_back(SlotPair{0, 0, false});
    }
    made_.add(std::move(op));
    return {};
  }

  static std::string label_of(const onnx::Node& node) {
    if (!node.name.empty()) return std::string(node.name);
    for (const std::string_view out : node.out) {
      if (!out.empty()) return std::string(out);
    }
    return std::string(node.op);
  }

  void add_outputs() {
    for (const onnx::Value& output : graph_.outputs) {
      const auto found = tensors_.find(output.name);
      if (found == tensors_.end()) {
        made_.note(fmt::format("nothing makes the output {}; left out", shown(output.name)));
        continue;
      }
      made_.input.outputs.push_back(found->second);
    }
  }

  void say_what_is_hidden(std::size_t functions) {
    if (bodies_ > 0) {
      made_.note(
          fmt::format("{} of the nodes have bodies (If, Loop, Scan); each is one step, and what its body needs "
                      "inside is not counted",
                      bodies_));
    }
    if (functions > 0) {
      made_.note(
          fmt::format("the file defines {} functions; calling one is one step, and what it needs inside is not "
                      "counted",
                      functions));
    }
  }

  std::string_view file_;
  const std::string& name_;
  ModelGraph made_;
  bool fold_;
  bool infer_;
  onnx::Graph graph_;
  std::deque<std::string> inferred_;  // GraphProto; types_ looks into them
  onnx::TypesByName types_;
  std::unordered_map<std::string_view, TensorIndex> tensors_;
  std::size_t bodies_ = 0;
};

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format format = onnx_format();
  const auto dimensions = chosen_dimensions(format, options);
  if (!dimensions) return tl::unexpected(dimensions.error());
  return Reader(bytes, name, *dimensions, format, options).run(options);
}

}  // namespace

Format onnx_format() {
  Format format;
  format.id = "onnx";
  format.title = "ONNX model";
  format.extension = ".onnx";
  format.summary = "the graph of a model; shapes that it does not say are inferred where the onnx library is installed";
  format.sniff = onnx::looks_like_model;
  format.binary = true;
  format.read = read;
  format.choices = graph_choices();
  format.choices.front().value = "inputs,outputs";
  format.choices.push_back({"constants",
                            "what Constant and ConstantOfShape make: keep it as activations made by steps, or fold it "
                            "into weights",
                            "keep",
                            {"keep", std::string(kFold)}});
  format.choices.push_back({"shapes",
                            "shapes that the file does not say: infer them, or leave them unknown",
                            "infer",
                            {"infer", std::string(kFile)}});
  return format;
}

}  // namespace stowage
