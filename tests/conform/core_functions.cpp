#include "tests/conform/core_functions.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/model/check.h"

namespace stowage::conform {
namespace {

struct Function {
  std::string_view name;
  std::set<std::string> params;
};

const std::vector<Function>& functions() {
  static const std::vector<Function> kFunctions = {
      {"tflite-objects-to-offsets", {"object_sizes", "object_ids"}},
      {"tflite-positional-maximums", {}},
      {"xla-max-load", {}},
      {"validator", {"solution", "height"}},
      {"effective-size", {}},
      {"minimalloc-sweep", {}},
  };
  return kFunctions;
}

const Function* find_function(std::string_view name) {
  for (const Function& function : functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

/// Objects one above the other; buffers take the offset of theirs.
void plan_objects(const Case& of, Outcome& outcome) {
  Objects objects;
  objects.sizes = of.param("object_sizes").get<std::vector<std::int64_t>>();
  objects.object_of = of.param("object_ids").get<std::vector<std::uint32_t>>();
  const std::vector<std::int64_t> bases = object_offsets(objects);
  outcome.plan.emplace();
  for (const std::uint32_t object : objects.object_of) outcome.plan->offsets.push_back(bases.at(object));
  outcome.plan->objects = std::move(objects);
}

}  // namespace

bool is_core_function(std::string_view subject) {
  return find_function(subject) != nullptr;
}

Result<Outcome> run_core_function(const Case& of) {
  const Function& function = *find_function(of.subject);
  if (of.from.contains("params")) {
    for (const auto& [key, value] : of.from["params"].items()) {
      if (!function.params.contains(key)) {
        return fail(Error::Kind::kRefused, fmt::format("{} has no parameter '{}'", function.name, key));
      }
    }
  }
  Outcome outcome;
  outcome.of = &of;
  if (function.name == "tflite-objects-to-offsets") plan_objects(of, outcome);
  return outcome;
}

std::string validate(const Problem& problem, const json& solution, const json& height) {
  if (!solution.is_array() || solution.size() != problem.size()) return "bad-solution";
  Plan plan;
  plan.offsets = solution.get<std::vector<std::int64_t>>();
  const auto claimed = height.get<std::int64_t>();
  std::int64_t highest = 0;
  const CheckReport report = check_plan(problem, plan);
  const auto has = [&](BufferIndex i, std::initializer_list<IssueKind> kinds) {
    return std::any_of(report.issues.begin(), report.issues.end(), [&](const Issue& issue) {
      return issue.first == i && std::find(kinds.begin(), kinds.end(), issue.kind) != kinds.end();
    });
  };
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (has(i, {IssueKind::kMoved})) return "bad-fixed";
    if (has(i, {IssueKind::kNegativeOffset, IssueKind::kOverflow, IssueKind::kOverCapacity})) return "bad-offset";
    highest = std::max(highest, plan.offsets[i] + problem[i].size);
    if (highest > claimed) return "bad-height";
    if (has(i, {IssueKind::kMisaligned})) return "bad-alignment";
  }
  if (highest != claimed) return "bad-height";
  const bool collides = std::any_of(report.issues.begin(), report.issues.end(),
                                    [](const Issue& issue) { return issue.kind == IssueKind::kCollision; });
  if (collides) return "bad-overlap";
  return report.valid() ? "good" : describe(report.issues.front(), problem);
}

}  // namespace stowage::conform
