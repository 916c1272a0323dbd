#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "core/allocators/allocator.h"
#include "core/base/text.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/steps/step_player.h"

namespace stowage::testing {

/// The sentence of a rejected place names the buffer, what blocks it and the bytes that are free and necessary.
inline void check_sentence(const step::Reject& reject, std::string_view text, const Problem& problem) {
  const auto next = [&](std::string_view until) {
    const std::size_t end = text.find(until);
    if (end == std::string_view::npos) return std::string("nothing before '") + std::string(until) + "'";
    std::string part(text.substr(0, end));
    text.remove_prefix(end + until.size());
    return part;
  };
  const auto number = [](std::string digits) {
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    return parse_int(digits).value_or(-1);
  };
  CHECK(next(" does not fit below ") == problem.id(reject.buffer));
  CHECK(next(" at offset ") == problem.id(reject.blocker));
  CHECK(number(next(": ")) == reject.offset);
  CHECK(number(next(" B free, ")) == reject.free);
  CHECK(number(next(" B needed")) == reject.needed);
}

/// Runs it silently and recorded, checks both, and returns the plan; nothing when the problem was refused in words.
inline std::optional<Plan> run_both_ways(const Allocator& allocator, const Problem& problem,
                                         const ParamValues& params = {}) {
  RunContext silent;
  const auto run = run_allocator(allocator, problem, params, silent);
  if (!run) {
    CHECK(run.error().kind == Error::Kind::kRefused);
    const std::string& message = run.error().message;  // who refuses, or what lacks how many bytes
    CHECK((message.find(allocator.id) != std::string::npos || message.find(" bytes ") != std::string::npos));
    return std::nullopt;
  }
  StepLog log;
  RunContext recorded;
  recorded.steps = &log;
  const auto again = run_allocator(allocator, problem, params, recorded);
  REQUIRE(again);
  CHECK(again->plan.offsets == run->plan.offsets);

  StepPlayer player(log.steps(), problem.size());
  player.seek(player.size());
  CHECK(player.state().offsets == run->plan.offsets);
  for (const Step& step : log.steps()) {
    if (const auto* reject = std::get_if<step::Reject>(&step.fact)) {
      CHECK(reject->blocker < problem.size());
      CHECK(reject->blocker != reject->buffer);
      CHECK(reject->free >= 0);
      CHECK(reject->free < reject->needed);
      check_sentence(*reject, caption(step, problem), problem);
    }
    CHECK_FALSE(caption(step, problem).empty());
  }
  return run->plan;
}

/// Whether there was a plan. It is checked, as are the steps that lead to it.
inline bool check_sound(const Allocator& allocator, const Problem& problem, const ParamValues& params = {}) {
  const auto plan = run_both_ways(allocator, problem, params);
  if (!plan) return false;
  const CheckReport report = check_plan(problem, *plan);
  CHECK(report.count == 0);
  for (const Issue& issue : report.issues) FAIL_CHECK(describe(issue, problem));
  const ProblemMetrics facts = measure(problem);
  CHECK(measure(problem, facts, *plan).makespan >= facts.lower_bound);
  return true;
}

}  // namespace stowage::testing
