#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/io/json_fields.h"
#include "core/model/buffer.h"

namespace stowage {

/// What the details of a buffer in native JSON need from the file around it.
struct DetailsContext {
  json::Source& source;
  std::int64_t add_to_end = 0;                                          // 1 when the file's ends are inclusive
  std::function<std::optional<std::uint16_t>(std::string_view)> space;  // the number of a space
};

/// lower or upper of a lifetime or gap, moved by the file's rule for ends; a complaint when that passes 2^63-1.
std::int64_t moved_end(json::Fields& fields, std::string_view key, std::int64_t end, std::int64_t add);

/// Takes everything but the plain members out of a buffer. Unknown keys become its `extra`.
Details read_details(json::Fields& buffer, const json::Path& path, const DetailsContext& context);

}  // namespace stowage
