#include "core/io/graph_fields.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/file_version.h"

namespace stowage {
namespace {

using json::Elements;
using json::Fields;
using json::Kind;
using json::Path;
using json::Source;
using json::Value;

constexpr std::int64_t kMostLoopSteps = 1'000'000;

std::optional<double> number_of(Value value) {
  if (value.kind() != Kind::kNumber) return std::nullopt;
  double number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// Numbers by id; an id that comes twice names nobody.
class Ids {
 public:
  void add(const std::string& id, std::uint32_t number) {
    const auto [found, is_new] = numbers_.try_emplace(id, number);
    if (!is_new) found->second = kTwice;
  }
  bool has(const std::string& id) const { return numbers_.contains(id); }
  /// Nothing after a complaint.
  std::optional<std::uint32_t> find(Source& source, Value value, const Path& path, std::string_view what) const {
    if (value.kind() != Kind::kString) {
      source.complain(value, path, fmt::format("expected the id of {}, found {}", what, name_of(value.kind())));
      return std::nullopt;
    }
    const std::string id = json::decode(value);
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) {
      source.complain(value, path, fmt::format("there is no {} \"{}\"", what, shown(id)));
      return std::nullopt;
    }
    if (found->second == kTwice) {
      source.complain(value, path, fmt::format("\"{}\" names more than one {}", shown(id), what));
      return std::nullopt;
    }
    return found->second;
  }

 private:
  static constexpr std::uint32_t kTwice = 0xFFFFFFFFU;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// Calls each(value, path) for the elements of an array member; a complaint when it is none.
template <typename Each>
void for_each_in(Source& source, Fields& fields, const Path& path, std::string_view key, Each&& each) {
  const auto array = fields.of_kind(key, Kind::kArray);
  if (!array) return;
  const Path list{&path, key, {}};
  Path element{&list, "", 0};
  Elements elements(*array);
  for (auto value = elements.next(); value && source.goes_on(*value); value = elements.next(), ++*element.index) {
    each(*value, element);
  }
}

bool is_object(Source& source, Value value, const Path& path) {
  if (value.kind() == Kind::kObject) return true;
  source.complain(value, path, fmt::format("expected an object, found {}", name_of(value.kind())));
  return false;
}

class Reader {
 public:
  Reader(Source& source, const Path& path, const Dimensions& dimensions, Symbols* symbols)
      : source_(source), path_(path), dimensions_(dimensions), symbols_(symbols) {}

  std::optional<Graph> run(Value object, std::optional<Value>* pipeline) {
    Fields fields(source_, object, path_);
    if (!take_version(fields, kGraphFormat, kGraphVersion)) return std::nullopt;
    if (pipeline != nullptr) *pipeline = fields.of_kind("pipeline", Kind::kArray);
    if (auto name = fields.text("name")) input_.name = std::move(*name);
    for_each_in(source_, fields, path_, "tensors", [&](Value value, const Path& path) { tensor(value, path); });
    for (const auto& [view, of] : views_) view_of(view, of);
    for_each_in(source_, fields, path_, "ops", [&](Value value, const Path& path) { op(value, path); });
    tensor_list(fields, path_, "inputs", input_.inputs);
    tensor_list(fields, path_, "outputs", input_.outputs);
    for_each_in(source_, fields, path_, "events", [&](Value value, const Path& path) { event(value, path); });
    for_each_in(source_, fields, path_, "loops", [&](Value value, const Path& path) { loop(value, path); });
    for_each_in(source_, fields, path_, "groups", [&](Value value, const Path& path) { group(value, path); });
    input_.extra = fields.extra("the graph");
    if (!source_.complaints.empty()) return std::nullopt;
    return admitted(object);
  }

 private:
  std::optional<Graph> admitted(Value object) {
    auto graph = make_graph(std::move(input_));
    if (graph) return std::move(*graph);
    for (const GraphFault& fault : graph.error()) complain_at(object, fault);
    return std::nullopt;
  }

  /// "ops[3].in[0]" of the gate as a path of the file.
  void complain_at(Value object, const GraphFault& fault) {
    std::deque<Path> chain;  // links point to the ones before
    const Path* last = &path_;
    std::string_view rest = fault.where;
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, std::min(rest.find('.'), rest.size()));
      const std::size_t bracket = std::min(part.find('['), part.size());
      last = &chain.emplace_back(Path{last, part.substr(0, bracket), {}});
      if (const auto index = parse_int(
              part.substr(std::min(bracket + 1, part.size()), part.size() - std::min(bracket + 2, part.size()))))
        last = &chain.emplace_back(Path{last, "", static_cast<std::size_t>(*index)});
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    }
    source_.complain(object, *last, fault.message);
  }

  void tensor(Value value, const Path& path) {
    const auto index = static_cast<TensorIndex>(input_.tensors.size());
    Tensor tensor;
    if (!is_object(source_, value, path)) return;
    Fields fields(source_, value, path);
    tensor.id = id_of(fields).value_or("");
    if (tensor.id.empty()) fields.complain("id", "a tensor needs an id");
    tensor.bytes = fields.integer("bytes", true);
    if (const auto size = fields.integer("size", true); size && !tensor.bytes) tensor.bytes = size;
    if (const auto type = fields.text("dtype")) {
      const auto known = data_type(*type);
      if (!known) fields.complain("dtype", fmt::format("there is no element type \"{}\"", shown(*type)));
      tensor.type = known.value_or(DataType::kFloat32);
    }
    shape(fields, path, tensor);
    if (const auto kind = fields.text("kind")) {
      const auto known = tensor_kind(*kind);
      if (!known) fields.complain("kind", fmt::format("there is no kind of tensors \"{}\"", shown(*kind)));
      tensor.kind = known.value_or(TensorKind::kActivation);
    }
    tensor.alignment = fields.integer("alignment").value_or(1);
    tensor.donated = fields.flag("donated");
    if (const auto of = fields.take("view_of"); of && of->kind() != Kind::kNull) views_.emplace_back(index, *of);
    tensor.view_offset = fields.integer("offset").value_or(0);
    tensor.space = fields.text("space").value_or("");
    tensor.source = fields.text("source").value_or("");
    tensor.extra = fields.extra("tensors");
    tensors_.add(tensor.id, index);
    input_.add(std::move(tensor));
  }

  void shape(Fields& fields, const Path& path, Tensor& tensor) {
    const auto array = fields.of_kind("shape", Kind::kArray);
    if (!array) return;
    std::vector<std::int64_t> shape;
    const Path list{&path, "shape", {}};
    Path element{&list, "", 0};
    Elements elements(*array);
    bool open = false;
    for (; const auto value = elements.next(); ++*element.index) {
      const auto length = dimension(*value, element);
      shape.push_back(length.value_or(0));
      open = open || !length;
    }
    if (!open) tensor.shape = std::move(shape);
  }

  /// A name stands for a number that somebody has to say; nothing where it stays open.
  std::optional<std::int64_t> dimension(Value value, const Path& path) {
    if (const auto number = json::to_int64(value)) return *number;
    if (value.kind() != Kind::kString) {
      source_.complain(value, path, json::describe_bad_integer(value));
      return 0;
    }
    const std::string name = json::decode(value);
    if (symbols_ != nullptr) symbols_->names.insert(name);
    const auto known = dimensions_.find(name);
    if (known != dimensions_.end()) return known->second;
    if (symbols_ != nullptr && symbols_->may_stay_open) {
      symbols_->open.insert(name);
      return std::nullopt;
    }
    source_.complain(value, path,
                     fmt::format("the dimension \"{0}\" has no value; say one: --dims {0}=NUMBER", shown(name)));
    return 0;
  }

  void view_of(TensorIndex view, Value of) {
    const Path list{&path_, "tensors", {}};
    const Path element{&list, "", view};
    const Path at{&element, "view_of", {}};
    if (const auto found = tensors_.find(source_, of, at, "tensor")) input_.tensors[view].view_of = *found;
  }

  /// Texts; a number is taken as its digits.
  static std::optional<std::string> id_of(Fields& fields) {
    if (const auto number = fields.peek("id"); number && number->kind() == Kind::kNumber) {
      fields.take("id");
      return std::string(number->text);
    }
    return fields.text("id");
  }

  void op(Value value, const Path& path) {
    if (!is_object(source_, value, path)) return;
    Fields fields(source_, value, path);
    Op op;
    auto type = fields.text("type");
    if (auto also = fields.text("op"); also && !type) type = std::move(also);
    op.type = type.value_or("");
    op.id = id_of(fields).value_or("");
    if (op.id.empty()) op.id = free_id(op.type.empty() ? "op" : op.type);
    tensor_list(fields, path, "in", op.in);
    tensor_list(fields, path, "out", op.out);
    slot_pairs(fields, path, "inplace", op.inplace);
    slot_pairs(fields, path, "alias", op.alias);
    for_each_in(source_, fields, path, "ignored", [&](Value slot, const Path& at) {
      if (const auto number = slot_of(slot, at)) op.ignored_inputs.push_back(*number);
    });
    if (const auto stream = fields.integer("stream")) {
      if (*stream < 0 || *stream > 0xFFFF) fields.complain("stream", "streams are numbered from 0 to 65535");
      op.stream = static_cast<std::uint32_t>(*stream);
    }
    if (const auto duration = fields.take("duration")) {
      const auto number = number_of(*duration);
      if (!number) fields.complain("duration", "expected a number");
      op.duration = number.value_or(1);
    }
    op.flops = fields.integer("flops").value_or(0);
    op.workspace = fields.integer("workspace").value_or(0);
    op.side_effect = fields.flag("side_effect");
    op.backward = fields.flag("backward");
    op.extra = fields.extra("ops");
    ops_.add(op.id, static_cast<OpIndex>(input_.ops.size()));
    input_.add(std::move(op));
  }

  /// "relu", "relu#2", ... for ops without an id of their own.
  std::string free_id(const std::string& type) {
    std::uint32_t& number = unnamed_[type];
    for (;;) {
      ++number;
      std::string id = number == 1 ? type : fmt::format("{}#{}", type, number);
      if (!ops_.has(id)) return id;
    }
  }

  void tensor_list(Fields& fields, const Path& path, std::string_view key, std::vector<TensorIndex>& list) {
    for_each_in(source_, fields, path, key, [&](Value value, const Path& at) {
      if (const auto found = tensors_.find(source_, value, at, "tensor")) list.push_back(*found);
    });
  }

  std::optional<std::uint32_t> slot_of(Value value, const Path& path) {
    const auto number = json::to_int64(value);
    if (number && *number >= 0 && *number <= 0xFFFF) return static_cast<std::uint32_t>(*number);
    source_.complain(value, path, "expected the position of an input or output, from 0");
    return std::nullopt;
  }

  void slot_pairs(Fields& fields, const Path& path, std::string_view key, std::vector<SlotPair>& pairs) {
    const auto array = fields.of_kind(key, Kind::kArray);
    if (!array) return;
    const Path list{&path, key, {}};
    const auto first = Elements(*array).next();
    if (first && first->kind() == Kind::kNumber) {  // one pair, not nested
      if (const auto pair = slot_pair(*array, list)) pairs.push_back(*pair);
      return;
    }
    Path element{&list, "", 0};
    Elements elements(*array);
    for (; const auto value = elements.next(); ++*element.index) {
      if (const auto pair = slot_pair(*value, element)) pairs.push_back(*pair);
    }
  }

  /// [input, output], or {"in":0,"out":0,"identity":true}.
  std::optional<SlotPair> slot_pair(Value value, const Path& path) {
    SlotPair pair;
    if (value.kind() == Kind::kObject) {
      Fields fields(source_, value, path);
      const auto in = fields.take("in");
      const auto out = fields.take("out");
      if (!in || !out) {
        fields.complain("", "expected \"in\" and \"out\"");
        return std::nullopt;
      }
      pair.identity = fields.flag("identity");
      return filled(pair, *in, *out, path);
    }
    if (value.kind() == Kind::kArray) {
      Elements elements(value);
      const auto in = elements.next();
      const auto out = in ? elements.next() : std::nullopt;
      if (in && out && !elements.next()) return filled(pair, *in, *out, path);
    }
    source_.complain(value, path, "expected the positions of an input and an output: [0,0]");
    return std::nullopt;
  }

  std::optional<SlotPair> filled(SlotPair pair, Value in, Value out, const Path& path) {
    const auto in_slot = slot_of(in, path);
    const auto out_slot = slot_of(out, path);
    if (!in_slot || !out_slot) return std::nullopt;
    pair.in = *in_slot;
    pair.out = *out_slot;
    return pair;
  }

  void event(Value value, const Path& path) {
    if (!is_object(source_, value, path)) return;
    Fields fields(source_, value, path);
    const auto side = [&](std::string_view key) -> std::optional<OpIndex> {
      const auto id = fields.take(key);
      const Path at{&path, key, {}};
      if (id) return ops_.find(source_, *id, at, "op");
      fields.complain(key, "is missing");
      return std::nullopt;
    };
    const auto after = side("after");
    const auto before = side("before");
    if (after && before) input_.events.push_back({*after, *before});
  }

  /// {"ops": [...]}, or the steps from "begin" up to "end".
  void loop(Value value, const Path& path) {
    if (!is_object(source_, value, path)) return;
    Fields fields(source_, value, path);
    Loop loop;
    if (fields.has("begin") || fields.has("end")) {
      const std::int64_t begin = fields.required_integer("begin");
      const std::int64_t end = fields.required_integer("end");
      if (begin < 0 || end < begin || end > static_cast<std::int64_t>(input_.ops.size())) {
        fields.complain("", fmt::format("there are no steps {} to {}", begin, end));
        return;
      }
      for (std::int64_t n = begin; n < end; ++n) loop.ops.push_back(static_cast<OpIndex>(n));
    } else {
      for_each_in(source_, fields, path, "ops", [&](Value id, const Path& at) {
        if (const auto found = ops_.find(source_, id, at, "op")) loop.ops.push_back(*found);
      });
    }
    input_.loops.push_back(std::move(loop));
  }

  void group(Value value, const Path& path) {
    if (!is_object(source_, value, path)) return;
    Fields fields(source_, value, path);
    TensorGroup group;
    tensor_list(fields, path, "members", group.members);
    group.pad = fields.integer("pad").value_or(0);
    input_.groups.push_back(std::move(group));
  }

  Source& source_;
  const Path& path_;
  const Dimensions& dimensions_;
  Symbols* symbols_;  // may be null
  GraphInput input_;
  Ids tensors_;
  Ids ops_;
  std::vector<std::pair<TensorIndex, Value>> views_;  // they may name tensors that come later
  std::unordered_map<std::string, std::uint32_t> unnamed_;
};

}  // namespace

std::optional<Graph> read_graph(json::Source& source, json::Value object, const json::Path& path,
                                const Dimensions& dimensions, std::optional<Value>* pipeline, Symbols* symbols) {
  return Reader(source, path, dimensions, symbols).run(object, pipeline);
}

std::optional<Graph> read_loop_buffers(json::Source& source, json::Value object, const json::Path& path) {
  Fields fields(source, object, path);
  const std::int64_t steps = fields.required_integer("steps");
  if (steps < 0 || steps > kMostLoopSteps) {
    fields.complain("steps", fmt::format("expected a number from 0 to {}", kMostLoopSteps));
    return std::nullopt;
  }
  GraphInput input;
  for (std::int64_t step = 0; step < steps; ++step) {
    Op op;
    op.id = fmt::format("step {}", step);
    input.add(std::move(op));
  }
  const auto step_of = [&](Value value, const Path& at) -> std::optional<OpIndex> {
    const auto step = json::to_int64(value);
    if (step && *step >= 0 && *step < steps) return static_cast<OpIndex>(*step);
    source.complain(value, at, fmt::format("expected a step from 0 to {}", steps - 1));
    return std::nullopt;
  };
  for_each_in(source, fields, path, "buffers", [&](Value value, const Path& at) {
    if (!is_object(source, value, at)) return;
    Fields buffer(source, value, at);
    Tensor tensor;
    tensor.id = buffer.text("id").value_or("");
    tensor.bytes = buffer.required_integer("size");
    tensor.alignment = buffer.integer("alignment").value_or(1);
    const TensorIndex index = input.add(std::move(tensor));
    const Path def{&at, "def", {}};
    if (const auto step = buffer.take("def")) {
      if (const auto made = step_of(*step, def)) input.ops[*made].out.push_back(index);
    }
    std::set<OpIndex> readers;
    for_each_in(source, buffer, at, "uses", [&](Value step, const Path& use) {
      if (const auto reader = step_of(step, use)) readers.insert(*reader);
    });
    for (const OpIndex reader : readers) {
      // A step that makes a buffer and reads it has it anyway.
      const bool own = !input.ops[reader].out.empty() && input.ops[reader].out.back() == index;
      if (!own) input.ops[reader].in.push_back(index);
    }
  });
  for_each_in(source, fields, path, "loops", [&](Value value, const Path& at) {
    if (!is_object(source, value, at)) return;
    Fields loop(source, value, at);
    const std::int64_t begin = loop.required_integer("begin");
    const std::int64_t end = loop.required_integer("end");
    if (begin < 0 || end < begin || end > steps) {
      return loop.complain("", fmt::format("there are no steps {} to {}", begin, end));
    }
    Loop steps_inside;
    for (std::int64_t n = begin; n < end; ++n) steps_inside.ops.push_back(static_cast<OpIndex>(n));
    input.loops.push_back(std::move(steps_inside));
  });
  if (!source.complaints.empty()) return std::nullopt;
  auto graph = make_graph(std::move(input));
  if (graph) return std::move(*graph);
  for (const GraphFault& fault : graph.error()) source.complain(object, path, fault.where + ": " + fault.message);
  return std::nullopt;
}

}  // namespace stowage
