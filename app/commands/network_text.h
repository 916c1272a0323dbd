#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/networks/network.h"

namespace stowage {

/// A usage error with suggestions when there is none.
Result<const Network*> network_by_id(const std::string& id);

/// Every network as it is without parameters: a table with its parameters below, or a JSON list of objects.
/// {"id","title","summary","source","params":[{"key","value","summary","choices"}],"parameters","ops"}
Result<std::string> networks_text();
Result<std::string> networks_json();

/// What `generate` has made, in a line for people or a JSON object.
std::string generated_text(const Network& network, const Graph& graph, const std::string& written);
std::string generated_json(const Network& network, const ParamValues& params, const Graph& graph,
                           const std::vector<std::string>& written);

}  // namespace stowage
