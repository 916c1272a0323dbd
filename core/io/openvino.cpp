// OpenVINO IR (`.xml`): net > layers > layer {id, name, type} with input and output > port {id, precision} > dim, and
// net > edges > edge {from-layer, from-port, to-layer, to-port}. (OpenVINO's documentation of its IR; versions from 10
// on name the precision at the port, older ones at the layer.) Layers are steps in the order of their ids, apart from
// Parameter, Const and Result, which are inputs, weights and marks of outputs. Bodies of If, Loop and TensorIterator
// are part of their layer's step. Weights lie in a `.bin` beside it, which is never looked at.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/format.h"
#include "core/io/graph_document.h"
#include "core/io/intake.h"
#include "core/io/model_graph.h"
#include "core/io/xml.h"

namespace stowage {

Format openvino_format();

namespace {

struct Port {
  std::int64_t id = 0;
  std::string precision;
  std::vector<std::string> dimensions;
};

struct Layer {
  std::int64_t id = 0;
  std::string name;
  std::string type;
  std::string precision;  // of old versions
  std::vector<Port> outputs;
  bool has_body = false;
};

using PortKey = std::pair<std::int64_t, std::int64_t>;  // layer and port

struct Net {
  std::string name;
  bool any = false;
  std::vector<Layer> layers;
  std::vector<std::pair<PortKey, PortKey>> edges;  // to, from
  std::size_t broken = 0;                          // layers and edges without their numbers
};

/// Follows the elements at the depths that matter.
class NetHandler {
 public:
  explicit NetHandler(Net& net) : net_(net) {}

  void begin(std::string_view name, const xml::Attributes& attributes, std::size_t depth) {
    if (depth == 1) {
      net_.any = name == "net";
      net_.name = attributes.find("name");
    } else if (depth == 2) {
      in_layers_ = name == "layers";
      in_edges_ = name == "edges";
    } else if (depth == 3 && in_layers_ && name == "layer") {
      begin_layer(attributes);
    } else if (depth == 3 && in_edges_ && name == "edge") {
      edge(attributes);
    } else if (depth == 4 && layer_) {
      in_output_ = name == "output";
      layer_->has_body = layer_->has_body || name.find("body") != std::string_view::npos;
    } else if (depth == 5 && layer_ && in_output_ && name == "port") {
      Port port;
      port.id = parse_int(attributes.find("id")).value_or(static_cast<std::int64_t>(layer_->outputs.size()));
      port.precision = attributes.find("precision");
      layer_->outputs.push_back(std::move(port));
      in_port_ = true;
    } else if (depth == 6 && in_port_ && name == "dim") {
      layer_->outputs.back().dimensions.emplace_back();
      in_dimension_ = true;
    }
  }

  void end(std::string_view, std::size_t depth) {
    if (depth == 3 && layer_) {
      net_.layers.push_back(std::move(*layer_));
      layer_.reset();
    }
    if (depth == 4) in_output_ = false;
    if (depth == 5) in_port_ = false;
    if (depth == 6) in_dimension_ = false;
  }

  void text(std::string_view text, std::size_t depth) {
    constexpr std::size_t longest = 64;
    if (!in_dimension_ || depth != 6) return;
    std::string& dimension = layer_->outputs.back().dimensions.back();
    if (dimension.size() < longest) dimension += text.substr(0, longest);
  }

 private:
  void begin_layer(const xml::Attributes& attributes) {
    const auto id = parse_int(attributes.find("id"));
    if (!id) {
      ++net_.broken;
      return;
    }
    layer_.emplace();
    layer_->id = *id;
    layer_->name = attributes.find("name");
    layer_->type = attributes.find("type");
    layer_->precision = attributes.find("precision");
  }

  void edge(const xml::Attributes& attributes) {
    const auto from_layer = parse_int(attributes.find("from-layer"));
    const auto from_port = parse_int(attributes.find("from-port"));
    const auto to_layer = parse_int(attributes.find("to-layer"));
    const auto to_port = parse_int(attributes.find("to-port"));
    if (from_layer && from_port && to_layer && to_port) {
      net_.edges.emplace_back(PortKey{*to_layer, *to_port}, PortKey{*from_layer, *from_port});
    } else {
      ++net_.broken;
    }
  }

  Net& net_;
  bool in_layers_ = false;
  bool in_edges_ = false;
  bool in_output_ = false;
  bool in_port_ = false;
  bool in_dimension_ = false;
  std::optional<Layer> layer_;
};

bool is_input(const Layer& layer) {
  return layer.type == "Parameter" || layer.type == "Input";
}

bool is_constant(const Layer& layer) {
  return layer.type == "Const" || layer.type == "Constant";
}

/// Bits of the precisions that are no element types of ours.
std::optional<int> odd_bits(std::string_view precision) {
  if (precision == "u1" || precision == "bin") return 1;
  if (precision == "u2") return 2;
  if (precision == "u3") return 3;
  if (precision == "u6") return 6;
  if (precision == "nf4" || precision == "f4e2m1") return 4;
  if (precision.starts_with("f8")) return 8;
  return std::nullopt;
}

class Builder {
 public:
  Builder(Net net, ModelGraph& made) : net_(std::move(net)), made_(made) {}

  void run() {
    std::stable_sort(net_.layers.begin(), net_.layers.end(),
                     [](const Layer& a, const Layer& b) { return a.id < b.id; });
    std::stable_sort(net_.edges.begin(), net_.edges.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    made_.input.name = printable_utf8(net_.name);
    for (const Layer& layer : net_.layers) make_tensors(layer);
    for (const Layer& layer : net_.layers) add(layer);
    if (net_.broken > 0) made_.leave_out(fmt::format("{} layers and edges without their numbers", net_.broken));
    if (lost_ > 0) made_.leave_out(fmt::format("{} edges lead from a port that there is not", lost_));
    if (bodies_ > 0) {
      made_.note(
          fmt::format("{} of the layers have bodies (If, Loop, TensorIterator); each is one step, and what its "
                      "body needs inside is not counted",
                      bodies_));
    }
  }

 private:
  void make_tensors(const Layer& layer) {
    for (const Port& port : layer.outputs) {
      if (layer.type == "Result") continue;
      Tensor tensor;
      tensor.id = layer.outputs.size() == 1 ? layer.name : fmt::format("{}.{}", layer.name, port.id);
      if (is_input(layer)) tensor.kind = TensorKind::kInput;
      if (is_constant(layer)) tensor.kind = TensorKind::kWeight;
      size(tensor, layer, port);
      const TensorIndex t = made_.add(std::move(tensor), fmt::format("{}", fmt::join(port.dimensions, ", ")));
      if (is_input(layer)) made_.input.inputs.push_back(t);
      if (!tensors_.emplace(PortKey{layer.id, port.id}, t).second)
        made_.note(fmt::format("port {} of layer {} stands twice; the first one counts", port.id, layer.id));
    }
  }

  void size(Tensor& tensor, const Layer& layer, const Port& port) {
    const std::string precision = to_lower(port.precision.empty() ? layer.precision : port.precision);
    const auto type = data_type(precision);
    const auto bits = type ? std::optional<int>(bits_of(*type)) : odd_bits(precision);
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < port.dimensions.size(); ++i) {
      auto number = parse_int(port.dimensions[i]);
      if (!number || *number < 0) {
        number = made_.given("", layer.name, i);
        if (!number) made_.ask("");
      }
      if (!number) return;
      shape.push_back(*number);
    }
    const auto count = element_count(shape);
    std::int64_t all = 0;
    if (!bits) return;  // texts and the like
    if (!count || __builtin_mul_overflow(*count, static_cast<std::int64_t>(*bits), &all)) {
      made_.note(fmt::format("{}: its shape needs more than 2^60 bytes, its size is left open", shown(layer.name)));
      return;
    }
    if (type) tensor.type = *type;
    tensor.shape = std::move(shape);
    tensor.bytes = all / 8 + (all % 8 == 0 ? 0 : 1);
  }

  void add(const Layer& layer) {
    Op op;
    auto edge = std::lower_bound(net_.edges.begin(), net_.edges.end(), layer.id,
                                 [](const auto& one, std::int64_t id) { return one.first.first < id; });
    for (; edge != net_.edges.end() && edge->first.first == layer.id; ++edge) {
      const auto found = tensors_.find(edge->second);
      if (found == tensors_.end()) {
        ++lost_;
      } else {
        op.in.push_back(found->second);
      }
    }
    if (layer.type == "Result") {
      made_.input.outputs.insert(made_.input.outputs.end(), op.in.begin(), op.in.end());
      return;
    }
    if (is_input(layer) || is_constant(layer)) return;
    bodies_ += layer.has_body ? 1U : 0U;
    op.id = layer.name;
    op.type = layer.type;
    for (const Port& port : layer.outputs) {
      const TensorIndex t = tensors_.at(PortKey{layer.id, port.id});
      if (taken_.emplace(t, true).second) op.out.push_back(t);
    }
    made_.add(std::move(op));
  }

  Net net_;
  ModelGraph& made_;
  std::map<PortKey, TensorIndex> tensors_;
  std::unordered_map<TensorIndex, bool> taken_;  // made by a layer already
  std::size_t lost_ = 0;
  std::size_t bodies_ = 0;
};

/// The first element is `net`.
bool sniff(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes = trim(bytes.substr(0, 4096));
  if (!bytes.starts_with('<')) return false;
  for (std::size_t at = bytes.find('<'); at + 1 < bytes.size(); at = bytes.find('<', at + 1)) {
    if (bytes[at + 1] == '?' || bytes[at + 1] == '!') continue;
    return bytes.substr(at).starts_with("<net ") || bytes.substr(at).starts_with("<net>");
  }
  return false;
}

Result<Document> read(std::string_view bytes, const std::string& name, const ReadOptions& options) {
  const Format format = openvino_format();
  const auto dimensions = chosen_dimensions(format, options);
  if (!dimensions) return tl::unexpected(dimensions.error());
  Net net;
  NetHandler handler(net);
  xml::Handler calls;
  calls.begin = [&](std::string_view element, const xml::Attributes& attributes, std::size_t depth) {
    handler.begin(element, attributes, depth);
  };
  calls.end = [&](std::string_view element, std::size_t depth) {
    handler.end(element, depth);
  };
  calls.text = [&](std::string_view text, std::size_t depth) {
    handler.text(text, depth);
  };
  const std::string why = xml::parse(bytes, calls);
  if (!why.empty()) return input_error(fmt::format("{}: {}", name, why));
  if (!net.any) return input_error(fmt::format("{}: the outermost element is not net", name));
  ModelGraph made(name, *dimensions);
  Builder(std::move(net), made).run();
  LowerOptions lowering;
  lowering.inputs = true;
  return made.finish(format, options, lowering);
}

}  // namespace

Format openvino_format() {
  Format format;
  format.id = "openvino";
  format.title = "OpenVINO IR";
  format.extension = ".xml";
  format.summary = "the layers of a network and the edges between their ports, with shapes";
  format.sniff = sniff;
  format.read = read;
  format.choices = graph_choices();
  format.choices.front().value = "inputs,outputs";
  return format;
}

}  // namespace stowage
