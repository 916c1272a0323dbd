#include "app/commands/network_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/commands/lookup.h"
#include "app/commands/table.h"
#include "core/base/text.h"
#include "core/io/json.h"
#include "core/networks/summary.h"

namespace stowage {
namespace {

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  json::append_list(out, texts, [&](const std::string& text) { json::append_string(out, text); });
}

void append_param(std::string& out, const ParamSpec& spec) {
  json::ObjectWriter object(out);
  object.text("key", spec.key);
  object.text("value", spec.value);
  object.text("summary", spec.summary);
  append_texts(object.key("choices"), spec.choices);
  object.close();
}

void append_network(std::string& out, const Network& network, const GraphSummary& summary) {
  json::ObjectWriter object(out);
  object.text("id", network.id);
  object.text("title", network.title);
  object.text("summary", network.summary);
  object.text("source", network.source);
  json::append_list(object.key("params"), network.params, [&](const ParamSpec& spec) { append_param(out, spec); });
  object.integer("parameters", summary.parameters);
  object.integer("ops", summary.ops);
  object.close();
}

}  // namespace

Result<const Network*> network_by_id(const std::string& id) {
  if (const Network* network = find_network(id)) return network;
  std::vector<std::string> ids;
  for (const Network& network : networks()) ids.push_back(network.id);
  return usage_error(
      fmt::format("there is no network '{}'{}; 'stowage list networks' lists them", id, did_you_mean(id, ids)));
}

Result<std::string> networks_text() {
  using Align = Table::Align;
  Table table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.add({"network", "parameters", "ops", "what it is"});
  table.add_rule();
  std::string params;
  for (const Network& network : networks()) {
    const Result<Graph> graph = generate_network(network, {});
    if (!graph) return tl::unexpected(graph.error());
    const GraphSummary summary = summarize(*graph);
    std::string keys;
    for (const ParamSpec& spec : network.params) {
      keys += fmt::format(" {}={}", spec.key, spec.value);
      const std::string line = fmt::format("{}: {}\n  {}{}\n", spec.key, spec.summary, spec.closed ? "" : "such as ",
                                           fmt::join(spec.choices, " "));
      if (params.find(line) == std::string::npos) params += line;
    }
    table.add({network.id, format_count(summary.parameters), format_count(summary.ops), network.summary});
    table.add({"", "", "", keys.empty() ? keys : keys.substr(1)});
  }
  return table.text() + "\nparameters, given as --set KEY=VALUE\n" + params;
}

Result<std::string> networks_json() {
  std::string out = "[";
  for (const Network& network : networks()) {
    const Result<Graph> graph = generate_network(network, {});
    if (!graph) return tl::unexpected(graph.error());
    if (out.size() > 1) out += ",\n ";
    append_network(out, network, summarize(*graph));
  }
  return out + "]";
}

std::string generated_text(const Network& network, const Graph& graph, const std::string& written) {
  const GraphSummary summary = summarize(graph);
  const std::string backward =
      summary.backward_ops > 0 ? fmt::format(" ({} of them backward)", format_count(summary.backward_ops)) : "";
  return fmt::format("{}: {} ops{}, {} parameters, {} made by ops, {} of weights{}", network.id,
                     format_count(summary.ops), backward, format_count(summary.parameters),
                     format_bytes(summary.made_bytes), format_bytes(summary.weight_bytes),
                     written.empty() ? "" : "; wrote " + written);
}

std::string generated_json(const Network& network, const ParamValues& params, const Graph& graph,
                           const std::vector<std::string>& written) {
  const GraphSummary summary = summarize(graph);
  std::string out;
  json::ObjectWriter object(out);
  object.text("network", network.id);
  json::ObjectWriter values(object.key("params"));
  for (const auto& entry : params) values.text(entry.first, entry.second);
  values.close();
  object.integer("ops", summary.ops);
  object.integer("backward_ops", summary.backward_ops);
  object.integer("tensors", summary.tensors);
  object.integer("parameters", summary.parameters);
  object.integer("flops", summary.flops);
  object.integer("made_bytes", summary.made_bytes);
  object.integer("weight_bytes", summary.weight_bytes);
  append_texts(object.key("written"), written);
  object.close();
  return out;
}

}  // namespace stowage
