#include "tests/conform/judge.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/model/check.h"
#include "tests/conform/expectations.h"
#include "tests/conform/network_cases.h"
#include "tests/conform/pool_cases.h"
#include "tests/conform/recompute_cases.h"
#include "tests/conform/record_cases.h"
#include "tests/conform/sharing_cases.h"
#include "tests/conform/subjects.h"
#include "tests/support/conformance_problem.h"

namespace stowage::conform {
namespace {

/// What a case may say; `origin`, `time_semantics` (the peer's own convention) and `notes` are for people.
const std::set<std::string> kKeys = {"name",     "allocator", "origin",   "time_semantics", "alignment",
                                     "capacity", "buffers",   "expected", "notes",          "params"};

Verdict unknown_key(const json& from) {
  for (const auto& [key, value] : from.items()) {
    if (!kKeys.contains(key)) return Verdict::not_expressible(fmt::format("unknown key '{}'", key));
  }
  return Verdict::held();
}

/// No plan may break a rule of its problem, whatever the case expects; above a limit it is for the case to say.
Verdict check_rules(const Outcome& outcome, bool may_pass_limit) {
  if (!outcome.plan || outcome.allocator == nullptr) return Verdict::held();
  if (outcome.result.status == RunStatus::kProvedInfeasible) return Verdict::held();
  for (const Issue& issue : check_plan(outcome.problem(), *outcome.plan).issues) {
    if (issue.kind == IssueKind::kOverCapacity && may_pass_limit) continue;
    return Verdict::failed(fmt::format("the plan breaks a rule: {}", describe(issue, outcome.problem())));
  }
  return Verdict::held();
}

Verdict compare_all(const json& expected, const Outcome& outcome) {
  Verdict worst = Verdict::held();
  std::size_t compared = 0;
  for (const auto& [key, value] : expected.items()) {
    if (value.is_null()) continue;
    ++compared;
    const Verdict verdict = compare(key, value, outcome);
    if (verdict.kind == Verdict::Kind::kNotExpressible) return verdict;
    if (worst.is_held()) worst = verdict;
  }
  if (compared == 0) return Verdict::not_expressible("nothing is expected");
  return worst;
}

Verdict judge_sound(const json& from) {
  if (const Verdict keys = unknown_key(from); !keys.is_held()) return keys;
  auto problem = testing::ConformanceReader(from).read();
  if (!problem) return Verdict::not_expressible(problem.error().message);
  const Case of{from, testing::ConformanceReader::text_of(from.at("name")), from.at("allocator"), std::move(*problem)};
  auto outcome = run_subject(of);
  if (!outcome) {
    return outcome.error().kind == Error::Kind::kRefused ? Verdict::not_expressible(outcome.error().message)
                                                         : Verdict::failed(outcome.error().message);
  }
  const json& expected = from.at("expected");
  const Verdict verdict = compare_all(expected, *outcome);
  if (!verdict.is_held()) return verdict;
  const bool limit_expected =
      expected.contains("status") && !expected["status"].is_null() && expected["status"] != "ok";
  return check_rules(*outcome, limit_expected);
}

}  // namespace

Verdict judge(const json& from) {
  try {
    if (const auto verdict = judge_recompute(from)) return *verdict;
    if (const auto verdict = judge_sharing(from)) return *verdict;
    if (const auto verdict = judge_records(from)) return *verdict;
    if (const auto verdict = judge_pool(from)) return *verdict;
    if (const auto verdict = judge_network(from)) return *verdict;
    return judge_sound(from);
  } catch (const json::exception& error) {
    return Verdict::not_expressible(error.what());
  }
}

Result<std::vector<Judged>> judge_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad()) return input_error(fmt::format("{}: cannot be read", file.string()));
  const json cases = json::parse(text, nullptr, false);
  const bool sound = cases.is_array() && std::all_of(cases.begin(), cases.end(), [](const json& c) {
                       return c.is_object() && c.contains("name") && c.contains("expected");
                     });
  if (!sound) return input_error(fmt::format("{}: not a list of conformance cases", file.string()));
  std::vector<Judged> judged;
  for (const json& from : cases) judged.push_back({testing::ConformanceReader::text_of(from["name"]), judge(from)});
  return judged;
}

std::string describe(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kHeld:
      return "held";
    case Verdict::Kind::kFailed:
      return fmt::format("failed ({})", verdict.why);
    default:
      return fmt::format("not expressible: {}", verdict.why);
  }
}

void Tally::count(const Verdict& verdict) {
  held += verdict.kind == Verdict::Kind::kHeld ? 1 : 0;
  failed += verdict.kind == Verdict::Kind::kFailed ? 1 : 0;
  not_expressible += verdict.kind == Verdict::Kind::kNotExpressible ? 1 : 0;
}

}  // namespace stowage::conform
