#pragma once

#include <string>

#include "core/io/json.h"

namespace stowage {

/// What a JSON text that is no document of ours seems to be: "a PyTorch memory snapshot", "an operator graph"; empty
/// when it may be ours.
std::string foreign_json_kind(json::Value root);

}  // namespace stowage
