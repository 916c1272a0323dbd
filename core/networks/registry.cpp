#include "core/networks/registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

std::vector<Network> make_table() {
  std::vector<Network> table;
  [[maybe_unused]] const auto append = [&](std::vector<Network> more) {
    std::move(more.begin(), more.end(), std::back_inserter(table));
  };
#define STOWAGE_NETWORK(name) append(name##_networks());
#include "core/networks/networks.def"
#undef STOWAGE_NETWORK
  return table;
}

}  // namespace

std::span<const Network> networks() {
  static const std::vector<Network> table = make_table();
  return table;
}

const Network* find_network(std::string_view id) {
  for (const Network& network : networks()) {
    if (network.id == id) return &network;
  }
  return nullptr;
}

Result<Graph> generate_network(const Network& network, const ParamValues& params) {
  auto values = complete_params(network.params, params, network.id);
  if (!values) return tl::unexpected(values.error());
  auto input = network.build(*values);
  if (!input) return fail(input.error().kind, fmt::format("{}: {}", network.id, input.error().message));
  auto graph = make_graph(std::move(*input));
  if (!graph) {
    const GraphFault& fault = graph.error().front();
    return usage_error(fmt::format("{}: {}: {}", network.id, fault.where, fault.message));
  }
  return std::move(*graph);
}

}  // namespace stowage
