#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/io/id_index.h"
#include "core/io/json_fields.h"
#include "core/model/problem.h"

namespace stowage {

/// Finds the buffers that other parts of a native JSON file name by their ids. A duplicated id names nobody, and one
/// that is not UTF-8 cannot be written where bytes are not: {"row": 3} is the buffer at this place of the list.
class References {
 public:
  /// All must outlive it; the buffers are complete. `rows`: their places in the file, ascending.
  References(json::Source& source, const ProblemInput& input, const std::vector<std::uint32_t>& rows);

  /// The buffer of this id, kNoBuffer after a complaint at `where`.
  BufferIndex find(std::string_view id, json::Value where, const json::Path& path);
  /// The same of a value that is an id or a row.
  BufferIndex read(json::Value value, const json::Path& path);

 private:
  BufferIndex row(json::Value value, const json::Path& path);

  json::Source& source_;
  const std::vector<std::uint32_t>& rows_;
  IdIndex index_;
  std::vector<bool> ambiguous_;
};

}  // namespace stowage
