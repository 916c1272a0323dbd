#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/base/result.h"
#include "core/io/format.h"
#include "core/pools/pool.h"

namespace stowage {

/// Those of `known` that a person may have meant, best first, at most three.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& known);
/// "; did you mean 'a' or 'b'?", or nothing when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// Usage errors with suggestions when there is none.
Result<const Allocator*> allocator_by_id(const std::string& id);
Result<const Pool*> pool_by_id(const std::string& id);
Result<const Format*> format_by_id(const std::string& id);

/// The format to write: `to` when given, else by the ending of the path. Errors: an unknown id (usage), an ending that
/// no writer has or a format that cannot be written (input).
Result<const Format*> format_to_write(const std::string& path, const std::string& to);

}  // namespace stowage
