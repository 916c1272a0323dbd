#include "tests/conform/search_property.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "tests/conform/settings.h"

namespace stowage::conform {
namespace {

Result<RunStatus> status_of(const Outcome& outcome, const Problem& problem) {
  RunContext context;
  const auto run = run_allocator(*outcome.allocator, problem, outcome.params, context);
  if (!run) return tl::unexpected(run.error());
  return run->result.status;
}

/// The problem of these rows only.
Result<Problem> only(const Problem& problem, const std::vector<BufferIndex>& rows) {
  if (problem.constraints().ties_offsets() || problem.needs().conflict_edges) {
    return fail(Error::Kind::kRefused, "an infeasible subset of tied buffers or of a conflict graph");
  }
  ProblemInput input;
  input.capacity = problem.capacity();
  input.spaces = problem.input().spaces;
  for (const BufferIndex i : rows) {
    const Details* details = problem.details(i);
    Buffer buffer = problem[i];
    buffer.details = Buffer::kNoDetails;
    buffer.kind = 0;
    input.add(problem.id(i), buffer, details != nullptr ? *details : Details());
  }
  return std::move(*make_problem(std::move(input)));
}

/// Names with commas between.
std::vector<std::string> split(const std::string& list) {
  static const std::regex kName("[A-Za-z_-]+");
  return {std::sregex_token_iterator(list.begin(), list.end(), kName), std::sregex_token_iterator()};
}

/// How often the search had to turn back with no switch on but this one.
Result<std::int64_t> backtracks(const Outcome& outcome, const std::string& on, const std::string& heuristic) {
  Case of = *outcome.of;
  of.from["params"] = json::object();
  for (const ParamSpec& spec : outcome.allocator->params) {
    const auto& choices = spec.choices;
    const bool is_switch = choices.size() == 2 && (choices[0] == "true" || choices[0] == "false");
    std::string name = spec.key;
    std::replace(name.begin(), name.end(), '-', '_');
    if (is_switch) of.from["params"][name] = "false";
  }
  if (!on.empty()) of.from["params"][on] = "true";
  of.from["params"]["heuristic"] = heuristic;
  ParamValues params;
  if (const auto set = apply_params(of, *outcome.allocator, params); !set) return tl::unexpected(set.error());
  RunContext context;
  const auto run = run_allocator(*outcome.allocator, outcome.problem(), params, context);
  if (!run) return tl::unexpected(run.error());
  return run->result.iterations;
}

}  // namespace

Result<json> infeasible_subset(const json& expected, const Outcome& outcome) {
  if (outcome.allocator == nullptr || !outcome.allocator->can.exact) {
    return fail(Error::Kind::kRefused, "an infeasible subset needs an exact search");
  }
  std::vector<BufferIndex> kept;
  for (BufferIndex i = 0; i < outcome.problem().size(); ++i) kept.push_back(i);
  for (BufferIndex dropped = 0; dropped < outcome.problem().size(); ++dropped) {
    std::vector<BufferIndex> rest;
    for (const BufferIndex i : kept) {
      if (i != dropped) rest.push_back(i);
    }
    const auto problem = only(outcome.problem(), rest);
    if (!problem) return tl::unexpected(problem.error());
    const auto status = status_of(outcome, *problem);
    if (!status) return input_error(status.error().message);
    if (*status == RunStatus::kProvedInfeasible) kept = std::move(rest);
  }
  const bool by_id = expected.is_array() && !expected.empty() && expected.front().is_string();
  if (!by_id) return json(kept);
  json ids = json::array();
  for (const BufferIndex i : kept) ids.push_back(outcome.problem().id(i));
  return ids;
}

Result<json> search_property(const json& expected, const Outcome& outcome) {
  static const std::regex kSentence(
      R"(enabling any one of (.+) alone strictly reduces backtracks vs all disabled \(heuristic ([A-Z]+)\))");
  const std::string sentence = expected.get<std::string>();
  std::smatch parts;
  if (!std::regex_match(sentence, parts, kSentence) || outcome.allocator == nullptr) {
    return fail(Error::Kind::kRefused, fmt::format("unknown property '{}'", sentence));
  }
  const std::vector<std::string> switches = split(parts[1]);
  const auto none = backtracks(outcome, "", parts[2]);
  if (!none) return tl::unexpected(none.error());
  for (const std::string& on : switches) {
    const auto with = backtracks(outcome, on, parts[2]);
    if (!with) return tl::unexpected(with.error());
    if (*with >= *none) return json(fmt::format("{} backtracks with {}, {} without", *with, on, *none));
  }
  return expected;
}

}  // namespace stowage::conform
