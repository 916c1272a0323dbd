#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/read_watch.h"
#include "core/io/value_tree.h"

namespace stowage {

/// The JSON text without a byte order mark. An error names the line and the column at which it is none.
Result<std::string_view> sound_json(std::string_view bytes, const std::string& name, const ReadWatch* watch = nullptr);
/// The whole JSON text as a tree; a byte order mark is skipped. An error names the line and the column.
Result<ValueTree::Value> parse_json(std::string_view bytes, const std::string& name, ValueTree& tree,
                                    const ReadWatch* watch = nullptr);

}  // namespace stowage
