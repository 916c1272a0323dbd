#pragma once

#include <map>
#include <string>

#include "core/transforms/transform.h"

namespace stowage {

/// The transform `fusion` under another id, with other defaults.
Transform fusion_preset(std::string id, std::string title, std::string summary,
                        const std::map<std::string, std::string>& defaults);

}  // namespace stowage
