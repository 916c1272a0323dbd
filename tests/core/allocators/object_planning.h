#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
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

/// Like problems of executed graphs: short lifetimes, by rising start, few different sizes so that ties are common.
inline Problem random_chain(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<std::int64_t, 3>> buffers;
  const std::int64_t count = random.uniform(1, 14);
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    start += random.uniform(0, 1);
    buffers.push_back({start, start + random.uniform(1, 5), random.uniform(1, 6) * 4});
  }
  return problem_of(buffers);
}

using Assignment = std::vector<std::uint32_t>;  // the object of each buffer

}  // namespace stowage::testing
