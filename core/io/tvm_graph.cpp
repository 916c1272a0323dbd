// Graphs of TVM's graph executor: nodes in the order in which they run, one op a step, and for each of their outputs a
// storage_id. Outputs with one id share one piece of memory, as large as the largest of them: a plan of shared objects.
// Nodes with the op "null" are inputs and parameters alike; the file does not tell them apart.
// (apache/tvm, src/runtime/graph_executor/graph_executor.h.)

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/graph_file.h"
#include "core/io/intake.h"
#include "core/io/json.h"
#include "core/io/json_text.h"
#include "core/io/unique_ids.h"
#include "core/io/value_tree.h"

namespace stowage {

Format tvm_graph_format();

namespace {

using Value = ValueTree::Value;
using Key = ValueTree::Key;

/// Ops that only give their input another shape may lie where it lies, whoever else reads it.
bool only_reshapes(std::string_view function) {
  for (const std::string_view word : {"__nop", "reshape", "squeeze", "expand_dims", "flatten"}) {
    if (function.find(word) != std::string_view::npos) return true;
  }
  return false;
}

/// "uint1", "float32x4": 0 when it is something else.
std::int64_t bytes_of_element(std::string_view name) {
  const std::size_t digit = std::min(name.find_first_of("0123456789"), name.size());
  const std::size_t lanes_at = std::min(name.find('x', digit), name.size());
  const auto bits = parse_int(name.substr(digit, lanes_at - digit));
  const auto lanes = lanes_at == name.size() ? std::optional<std::int64_t>(1) : parse_int(name.substr(lanes_at + 1));
  const bool sound = bits && lanes && *bits >= 1 && *bits <= 1024 && *lanes >= 1 && *lanes <= 65536;
  return sound ? (*bits * *lanes + 7) / 8 : 0;
}

class Reader {
 public:
  Reader(const ValueTree& tree, std::size_t most_entries) : tree_(tree), most_entries_(most_entries) {}

  Result<void> run(Value root) {
    const std::vector<Value> nodes = items(tree_.find(root, Key("nodes")));
    if (const auto counted = count_entries(root, nodes); !counted) return counted;
    read_attributes(tree_.find(root, Key("attrs")));
    for (std::size_t n = 0; n < nodes.size(); ++n) add_entries(n, nodes[n]);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!is_null(nodes[n])) add_op(n, nodes[n]);
    }
    for (const Value head : items(tree_.find(root, Key("heads")))) {
      if (const auto entry = entry_of(head, "heads")) out.graph.outputs.push_back(*entry);
    }
    find_aliases();
    return {};
  }

  GraphFile out;
  std::vector<std::int64_t> storage;  // by tensor; -1: none

 private:
  void note(std::string text) { out.notes.push_back(std::move(text)); }
  void leave_out(std::string text) {
    if (++out.left_out <= Complaints::kListedLeftOut) note(std::move(text) + " (left out)");
  }

  std::vector<Value> items(Value list) const {
    std::vector<Value> found;
    tree_.for_each(list, [&](Value item) {
      found.push_back(item);
      return true;
    });
    return found;
  }

  bool is_null(Value node) const { return tree_.to_text(tree_.find(node, kOp)) == "null"; }

  /// first_[n] is the first entry of node n, first_[nodes] their number.
  Result<void> count_entries(Value root, const std::vector<Value>& nodes) {
    const std::vector<Value> rows = items(tree_.find(root, Key("node_row_ptr")));
    const bool given = rows.size() == nodes.size() + 1;
    if (!given && !rows.empty()) {
      note(fmt::format("node_row_ptr has {} numbers for {} nodes; the nodes' own counts stand for it", rows.size(),
                       nodes.size()));
    }
    first_.push_back(0);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const std::int64_t here = first_.back();
      const std::int64_t outputs = given ? tree_.to_int64(rows[n + 1]).value_or(-1) - here : outputs_of(nodes[n]);
      if (outputs < 0 || outputs > static_cast<std::int64_t>(most_entries_) - here) {
        return input_error(fmt::format("$.node_row_ptr[{}]: node {} would have {} outputs", n + 1, n, outputs));
      }
      first_.push_back(here + outputs);
    }
    return {};
  }

  std::int64_t outputs_of(Value node) const {
    const Value count = tree_.find(tree_.find(node, kAttrs), kOutputs);
    if (const auto number = tree_.to_int64(count)) return *number;
    return parse_int(tree_.to_text(count)).value_or(1);
  }

  /// ["list_int", [...]], or the list alone.
  std::vector<Value> attribute(Value attributes, const Key& key) const {
    const std::vector<Value> pair = items(tree_.find(attributes, key));
    if (pair.size() == 2 && pair[0].kind() == ValueTree::Kind::kText && pair[1].kind() == ValueTree::Kind::kList) {
      return items(pair[1]);
    }
    return pair;
  }

  void read_attributes(Value attributes) {
    storages_ = attribute(attributes, Key("storage_id"));
    shapes_ = attribute(attributes, Key("shape"));
    types_ = attribute(attributes, Key("dltype"));
    if (types_.empty()) types_ = attribute(attributes, Key("dtype"));
    devices_ = attribute(attributes, Key("device_index"));
    scopes_ = attribute(attributes, Key("storage_scope"));
    if (shapes_.empty()) note("the graph does not tell shapes: its sizes are unknown, and only the graph can be shown");
    if (storages_.empty()) note("the graph does not tell storage_id: there is no plan in it");
    const auto count = static_cast<std::size_t>(first_.back());
    for (const auto& [list, what] :
         {std::pair(&storages_, "storage_id"), std::pair(&shapes_, "shape"), std::pair(&types_, "dltype"),
          std::pair(&devices_, "device_index"), std::pair(&scopes_, "storage_scope")}) {
      if (!list->empty() && list->size() != count) {
        note(fmt::format("{} has {} values for {} entries", what, list->size(), count));
      }
    }
    for (const Value device : devices_) devices_seen_.insert(tree_.to_int64(device).value_or(0));
    for (const Value scope : scopes_) scopes_seen_.insert(tree_.to_text(scope));
  }

  /// The memory of an entry beside the plain one of its device: "global.texture"; empty when it lies in that.
  std::string scope_of(std::size_t entry) const {
    if (entry >= scopes_.size() || scopes_seen_.size() > kMostDevices) return {};
    const std::string_view scope = tree_.to_text(scopes_[entry]);
    return scope == "global" ? std::string() : sound_text(scope);
  }

  void add_entries(std::size_t n, Value node) {
    const std::string_view name = tree_.to_text(tree_.find(node, kName));
    const std::int64_t count = first_[n + 1] - first_[n];
    for (std::int64_t k = 0; k < count; ++k) {
      const auto entry = static_cast<std::size_t>(first_[n] + k);
      Tensor tensor;
      tensor.id =
          count == 1 ? ids_.take(name, fmt::format("node {}", n)) : ids_.take(fmt::format("{}:{}", name, k), "");
      read_size(entry, tensor);
      if (devices_seen_.size() > 1 && devices_seen_.size() <= kMostDevices && entry < devices_.size()) {
        tensor.space = fmt::format("device {}", tree_.to_int64(devices_[entry]).value_or(0));
      }
      if (const std::string scope = scope_of(entry); !scope.empty()) {
        tensor.space += (tensor.space.empty() ? "" : ", ") + scope;
      }
      const auto id = entry < storages_.size() ? tree_.to_int64(storages_[entry]) : std::nullopt;
      storage.push_back(id && *id >= 0 ? *id : -1);
      if (is_null(node)) out.graph.inputs.push_back(static_cast<TensorIndex>(entry));
      out.graph.add(std::move(tensor));
    }
  }

  void read_size(std::size_t entry, Tensor& tensor) {
    if (entry >= shapes_.size()) return;
    std::vector<std::int64_t> shape;
    bool known = shapes_[entry].kind() == ValueTree::Kind::kList;
    for (const Value dimension : items(shapes_[entry])) {
      const auto number = tree_.to_int64(dimension);
      known = known && number && *number >= 0;
      shape.push_back(number.value_or(-1));
    }
    const std::string_view name = entry < types_.size() ? tree_.to_text(types_[entry]) : std::string_view("float32");
    const auto type = data_type(name);
    if (known && type && bits_of(*type) >= 8 && packed_bytes(shape, *type)) {
      tensor.type = *type;
      tensor.shape = std::move(shape);
      return;
    }
    json::ObjectWriter writer(tensor.extra);
    // TVM names types by kind, bits and lanes; a packed element takes whole bytes.
    const std::int64_t elements = known ? element_count(shape).value_or(-1) : -1;
    const std::int64_t bytes = bytes_of_element(name);
    if (elements >= 0 && bytes > 0 && elements <= kMaxInt64 / bytes) tensor.bytes = elements * bytes;
    writer.text("element_type", printable_utf8(name));
    writer.text("file_shape", fmt::format("{}", fmt::join(shape, ",")));
    writer.close();
  }

  /// [node, output, version].
  std::optional<TensorIndex> entry_of(Value reference, std::string_view where) {
    const std::vector<Value> numbers = items(reference);
    const std::int64_t node = numbers.empty() ? -1 : tree_.to_int64(numbers[0]).value_or(-1);
    const std::int64_t output = numbers.size() < 2 ? 0 : tree_.to_int64(numbers[1]).value_or(-1);
    const auto nodes = static_cast<std::int64_t>(first_.size()) - 1;
    if (node < 0 || node >= nodes || output < 0) {
      leave_out(fmt::format("{}: this is no [node, output]", where));
      return std::nullopt;
    }
    const std::int64_t begin = first_[static_cast<std::size_t>(node)];
    const std::int64_t end = first_[static_cast<std::size_t>(node) + 1];
    if (output >= end - begin) {
      leave_out(fmt::format("{}: output {} of node {}, which has {}", where, output, node, end - begin));
      return std::nullopt;
    }
    return static_cast<TensorIndex>(begin + output);
  }

  void add_op(std::size_t n, Value node) {
    Op op;
    const Value attributes = tree_.find(node, kAttrs);
    op.id = op_ids_.take(tree_.to_text(tree_.find(node, kName)), fmt::format("node {}", n));
    op.type = printable_utf8(tree_.to_text(tree_.find(attributes, kFunction)));
    if (op.type.empty()) op.type = printable_utf8(tree_.to_text(tree_.find(node, kOp)));
    for (const Value input : items(tree_.find(node, kInputs))) {
      if (const auto entry = entry_of(input, op.id)) op.in.push_back(*entry);
    }
    for (std::int64_t entry = first_[n]; entry < first_[n + 1]; ++entry) {
      op.out.push_back(static_cast<TensorIndex>(entry));
    }
    out.graph.add(std::move(op));
  }

  /// An output in the storage of an input of its op: the planner has put it in place there. It may, when the op is the
  /// last to read that input, or only gives it another shape.
  void find_aliases() {
    GraphInput& graph = out.graph;
    std::vector<OpIndex> last(graph.tensors.size(), kNoOp);
    for (OpIndex n = 0; n < graph.ops.size(); ++n) {
      for (const TensorIndex t : graph.ops[n].in) last[t] = n;
    }
    for (const TensorIndex t : graph.outputs) last[t] = kNoOp;
    for (OpIndex n = 0; n < graph.ops.size(); ++n) {
      Op& op = graph.ops[n];
      for (std::uint32_t k = 0; k < op.out.size(); ++k) {
        const TensorIndex made = op.out[k];
        for (std::uint32_t i = 0; i < op.in.size(); ++i) {
          const TensorIndex read = op.in[i];
          const bool shared = storage[made] >= 0 && storage[made] == storage[read] && made != read;
          if (!shared || (last[read] != n && !only_reshapes(op.type))) continue;
          op.alias.push_back({i, k, only_reshapes(op.type)});
          break;
        }
      }
    }
  }

  static constexpr std::size_t kMostDevices = 1000;

  const ValueTree& tree_;
  std::size_t most_entries_;
  const Key kOp{"op"}, kName{"name"}, kInputs{"inputs"}, kAttrs{"attrs"}, kOutputs{"num_outputs"},
      kFunction{"func_name"};
  UniqueIds ids_;
  UniqueIds op_ids_;
  std::vector<std::int64_t> first_;
  std::vector<Value> storages_, shapes_, types_, devices_, scopes_;  // by entry
  std::set<std::int64_t> devices_seen_;
  std::set<std::string_view> scopes_seen_;
};

/// One object for each storage, in the order of the ids, as large as the largest buffer in it.
Objects objects_of(const Problem& problem, const Lowered& lowered, const std::vector<std::int64_t>& storage) {
  using Id = std::pair<std::uint16_t, std::int64_t>;  // space and storage
  const auto id_of = [&](BufferIndex i) -> std::optional<Id> {
    for (const TensorIndex t : lowered.members[i]) {
      if (storage[t] >= 0) return Id{problem[i].space, storage[t]};
    }
    return std::nullopt;
  };
  std::map<Id, std::int64_t> sizes;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto id = id_of(i);
    if (!id) continue;
    std::int64_t& size = sizes[*id];
    size = std::max(size, problem[i].size);
  }
  Objects objects;
  std::map<Id, std::uint32_t> numbers;
  for (const auto& [id, size] : sizes) {
    numbers.emplace(id, static_cast<std::uint32_t>(objects.sizes.size()));
    objects.sizes.push_back(size);
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const auto id = id_of(i);
    objects.object_of.push_back(id ? numbers.at(*id) : Objects::kNone);
  }
  return objects;
}

bool sniff_json(const json::Outline& outline) {
  return outline.has("nodes") && outline.has("arg_nodes") && !outline.has("format");
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  ValueTree tree;
  const auto root = parse_json(bytes, name, tree, options.watch);
  if (!root) return tl::unexpected<Error>(root.error());
  // An entry takes more letters of the file than these.
  constexpr std::size_t letters = 8;
  Reader reader(tree, bytes.size() / letters);
  if (const auto done = reader.run(*root); !done) {
    return fail(done.error().kind, fmt::format("{}: {}", name, done.error().message));
  }
  auto document = document_of_file(std::move(reader.out), tvm_graph_format(), name, options);
  if (!document) return document;
  const auto lowered = lowered_again(*document);
  if (!lowered) return tl::unexpected(lowered.error());
  Plan plan;
  plan.id = "file";
  plan.allocator = "file";
  plan.objects = objects_of(*document->problem, *lowered, reader.storage);
  if (plan.objects->sizes.empty()) return document;
  plan.offsets = objects_to_offsets(*document->problem, *plan.objects);
  for (BufferIndex i = 0; i < plan.offsets.size(); ++i) {
    const bool bound = plan.objects->object_of[i] != Objects::kNone;
    if (!bound && (*document->problem)[i].takes_memory()) plan.offsets[i] = kNoOffset;
  }
  document->put_plan(std::move(plan));
  document->facts.offsets = "plan";
  return document;
}

}  // namespace

Format tvm_graph_format() {
  Format format;
  format.id = "tvm-graph";
  format.title = "TVM executor graph";
  format.extension = ".json";
  format.summary = "graph and shared storages of TVM's graph executor";
  format.sniff_json = sniff_json;
  format.read = read;
  format.choices = graph_choices();
  std::erase_if(format.choices, [](const ReadChoice& choice) { return choice.key == "dims"; });
  return format;
}

}  // namespace stowage
