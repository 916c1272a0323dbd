#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/io/stowage_references.h"
#include "core/model/plan.h"

namespace stowage {

/// Reads the plans of a native JSON file, after its buffers.
class PlanReader {
 public:
  /// `numbers[row]` is the row's number in the file, which has `count` buffers with those that were left out. All must
  /// outlive it.
  PlanReader(json::Source& source, const ProblemInput& input, References& references,
             const std::vector<std::uint32_t>& numbers, std::size_t count)
      : source_(source), input_(input), references_(references), numbers_(numbers), count_(count) {}

  std::vector<Plan> read(json::Value array, const json::Path& path);

 private:
  void read_plan(json::Fields& fields, const json::Path& path, Plan& plan);
  void read_objects(json::Value object, const json::Path& path, Plan& plan);
  void read_slices(json::Value slices, const json::Path& path, Plan& plan);

  /// Values by buffer, as an object by id or an array in the order of the file; `what` names them in the plural. Calls
  /// set(row, value, path).
  template <typename Set>
  void by_buffer(json::Value value, const json::Path& path, std::string_view what, Set&& set);

  json::Source& source_;
  const ProblemInput& input_;
  References& references_;
  const std::vector<std::uint32_t>& numbers_;
  std::size_t count_;
};

}  // namespace stowage
