#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/value_tree.h"

namespace stowage {

/// The whole JSON text as a tree; a byte order mark is skipped. An error names the line and the column.
Result<ValueTree::Value> parse_json(std::string_view bytes, const std::string& name, ValueTree& tree);

}  // namespace stowage
