#pragma once

#include <cstdint>
#include <string_view>

#include "core/io/json_fields.h"

namespace stowage {

/// Takes the members `format` and `version` of a JSON document, either of which may be missing. False, with a
/// complaint, when it is of another format or of a version that comes after `newest`: the rest of it then means
/// something else.
bool take_version(json::Fields& fields, std::string_view format, std::int64_t newest);

}  // namespace stowage
