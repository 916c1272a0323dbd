#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/run/params.h"

namespace stowage {

/// A generator of a well-known network's operator graph; a line in networks.def. Batch, sequence length, depth and
/// "training" are parameters like any other.
struct Network {
  std::string id;  // "resnet50"; stable
  std::string title;
  std::string summary;
  std::string source;  // paper or model zoo whose layer table it follows
  std::vector<ParamSpec> params;
  /// Assumes completed parameters: call generate_network.
  Result<GraphInput> (*build)(const ParamValues&) = nullptr;
};

/// Every registered network, in the order of networks.def.
std::span<const Network> networks();
const Network* find_network(std::string_view id);
/// Completes the parameters and passes the gate. Errors: usage (unknown or senseless parameter).
Result<Graph> generate_network(const Network& network, const ParamValues& params);

}  // namespace stowage
