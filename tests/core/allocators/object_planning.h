#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/model/check.h"
#include "tests/support/buffer.h"

namespace stowage::testing {

/// The run of an allocator that must have a valid plan.
inline PlannedRun planned(const std::string& id, const Problem& problem, const ParamValues& params = {}) {
  RunContext context;
  auto run = run_allocator(*find_allocator(id), problem, params, context);
  REQUIRE(run);
  CHECK(check_plan(problem, run->plan).count == 0);
  return std::move(*run);
}

inline Objects objects_of(const std::string& id, const Problem& problem, const ParamValues& params = {}) {
  const PlannedRun run = planned(id, problem, params);
  REQUIRE(run.plan.objects);
  return *run.plan.objects;
}

/// Buffers [start, end, size] in rows.
inline Problem problem_of(const std::vector<std::array<std::int64_t, 3>>& buffers, std::int64_t alignment = 1) {
  ProblemInput input;
  for (const auto& b : buffers) {
    input.add(fmt::format("b{}", input.buffers.size()), buffer(b[0], b[1], b[2], alignment));
  }
  return make_problem(std::move(input)).value();
}

}  // namespace stowage::testing
