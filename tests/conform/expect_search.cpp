// Whether something fits, and how an exact search comes to its answer.

#include <fmt/format.h>

#include "core/model/check.h"
#include "tests/conform/core_functions.h"
#include "tests/conform/expectations.h"
#include "tests/conform/search_property.h"

namespace stowage::conform {
namespace {

constexpr const char* kValidatorWords[] = {"good",       "bad-solution",  "bad-fixed",  "bad-offset",
                                           "bad-height", "bad-alignment", "bad-overlap"};
/// A peer's words for "there is no plan within the limits".
constexpr const char* kDoesNotFit[] = {"does-not-fit", "error-pools-exceeded", "infeasible"};

template <std::size_t kCount>
bool is_one_of(const json& word, const char* const (&words)[kCount]) {
  for (const char* known : words) {
    if (word == known) return true;
  }
  return false;
}

bool above_a_limit(const Outcome& outcome) {
  for (const Issue& issue : check_plan(outcome.problem(), *outcome.plan).issues) {
    if (issue.kind == IssueKind::kOverCapacity) return true;
  }
  return false;
}

/// minimalloc calls a problem infeasible when its search has nothing left to try, also with rules under which that is
/// no proof. Ours then is complete instead of stopped.
bool search_ended(const Outcome& outcome) {
  return outcome.of->subject == "minimalloc" && outcome.result.status == RunStatus::kComplete;
}

/// A limit that was passed is said in bytes; a constraint that cannot be honoured, or a plan that collides, is no
/// answer to the question whether there is room.
bool is_about_bytes(const std::string& refusal) {
  return refusal.find("cannot honour") == std::string::npos && refusal.find("collide") == std::string::npos;
}

/// In the words of the peer that the case expects.
Result<json> status(const json& expected, const Outcome& outcome) {
  if (outcome.of->subject == "validator") {
    if (!is_one_of(expected, kValidatorWords)) return fail(Error::Kind::kRefused, "unknown status " + expected.dump());
    return validate(outcome.problem(), outcome.of->param("solution"), outcome.of->param("height"));
  }
  const bool fits = expected == "ok";
  if (!fits && !is_one_of(expected, kDoesNotFit)) {
    return fail(Error::Kind::kRefused, "unknown status " + expected.dump());
  }
  if (!outcome.plan) {
    if (fits || !is_about_bytes(outcome.refusal)) return input_error(outcome.refusal);
    return expected;
  }
  const bool proved = outcome.result.status == RunStatus::kProvedInfeasible;
  if (proved || above_a_limit(outcome)) {
    // "infeasible" is the end of a search, not just a plan that is too high.
    const bool ended = proved || search_ended(outcome);
    return fits || (expected == "infeasible" && !ended) ? json("does not fit, not proved") : expected;
  }
  return "ok";
}

/// A plan that the peer accepts for the problem of the case, with its height.
Result<json> valid_solution(const json& expected, const Outcome& outcome) {
  if (expected.size() != 2) return fail(Error::Kind::kRefused, "a solution is offsets and a height");
  const std::string verdict = validate(outcome.problem(), expected.at("offsets"), expected.at("height"));
  if (verdict != "good") return input_error(verdict);
  return expected;
}

constexpr Expectation kSearchTable[] = {
    {"status", status, nullptr},
    {"valid_solution", valid_solution, nullptr},
    {"iis", infeasible_subset, nullptr},
    {"property", search_property, nullptr},
};

}  // namespace

std::span<const Expectation> search_expectations() {
  return kSearchTable;
}

}  // namespace stowage::conform
