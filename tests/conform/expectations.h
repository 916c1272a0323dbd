#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "tests/conform/outcome.h"
#include "tests/conform/verdict.h"

namespace stowage::conform {

/// One key that `expected` may have: how to find what is there instead, in the same form, and when the two agree.
/// Finding fails with `refused` when the case asks for something that has no meaning here, else with what went wrong.
struct Expectation {
  std::string_view key;
  Result<json> (*find)(const json& expected, const Outcome& outcome) = nullptr;
  bool (*holds)(const json& expected, const json& found) = nullptr;  // null: they are equal
};

/// About offsets, totals and statuses.
std::span<const Expectation> plan_expectations();
/// About shared objects, heaps and pools.
std::span<const Expectation> storage_expectations();
/// About how an exact search comes to its answer.
std::span<const Expectation> search_expectations();
/// About the problem alone.
std::span<const Expectation> problem_expectations();

/// Compares one key of `expected` with the outcome. A key that nobody knows is not expressible.
Verdict compare(const std::string& key, const json& expected, const Outcome& outcome);

/// The plan, or why there is none.
Result<const Plan*> plan_of(const Outcome& outcome);
/// The buffer with this id, a text or a number; refused when there is none.
Result<BufferIndex> buffer_with(const Outcome& outcome, const json& id);

}  // namespace stowage::conform
