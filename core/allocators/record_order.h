#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/allocators/param_specs.h"
#include "core/allocators/shared_objects.h"
#include "core/model/check.h"

namespace stowage {

/// TensorFlow Lite's GPU delegate has its records by rising start. It plans others as if they were: what a later record
/// has released counts as free for an earlier one too, and buffers may collide.
///
///        row 0  [0, 2) --- released when row 1 starts
///        row 1              [5, 6)
///        row 2    [1, 3)    takes what row 0 has released, though it is not over
inline ParamSpec strict_records_param() {
  return choice_param(
      "strict",
      "take buffers as they are listed, by rising start or not, as the origin does; refuse what then collides",
      {"false", "true"});
}

inline bool is_strict(const ParamValues& params) {
  return params.at("strict") == "true";
}

/// The rows by rising start, or as they are listed.
inline std::vector<BufferIndex> record_order(const Problem& problem, std::span<const BufferIndex> rows, bool strict) {
  return strict ? std::vector<BufferIndex>(rows.begin(), rows.end()) : by_start(problem, rows);
}

/// The run, unless it was strict and buffers collide.
inline Result<RunResult> refuse_collisions(std::string_view id, const Problem& problem, bool strict,
                                           Result<RunResult> run) {
  if (!strict || !run) return run;
  Plan plan;
  plan.offsets = run->offsets;
  if (check_plan(problem, plan).valid()) return run;
  return fail(Error::Kind::kRefused,
              fmt::format("{}: with strict=true buffers collide, as they would in the origin", id));
}

}  // namespace stowage
