#pragma once

#include <string_view>
#include <vector>

#include "core/io/id_index.h"
#include "core/io/json_fields.h"
#include "core/model/problem.h"

namespace stowage {

/// Finds the buffers that other parts of a native JSON file name by their ids. A duplicated id names nobody.
class References {
 public:
  /// Both must outlive it; the buffers are complete.
  References(json::Source& source, const ProblemInput& input);

  /// The buffer of this id, kNoBuffer after a complaint at `where`.
  BufferIndex find(std::string_view id, json::Value where, const json::Path& path);
  /// The same of a value that is an id.
  BufferIndex read(json::Value value, const json::Path& path);

 private:
  json::Source& source_;
  IdIndex index_;
  std::vector<bool> ambiguous_;
};

}  // namespace stowage
