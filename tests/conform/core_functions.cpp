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
Result<void> plan_objects(const Case& of, Outcome& outcome) {
  Objects objects;
  objects.sizes = of.param("object_sizes").get<std::vector<std::int64_t>>();
  objects.object_of = of.param("object_ids").get<std::vector<std::uint32_t>>();
  const std::vector<std::int64_t> bases = object_offsets(objects);
  outcome.plan.emplace();
  for (const std::uint32_t object : objects.object_of) {
    if (object >= bases.size()) return fail(Error::Kind::kRefused, fmt::format("there is no object {}", object));
    outcome.plan->offsets.push_back(bases[object]);
  }
  outcome.plan->objects = std::move(objects);
  return {};
}

/// A solution by row, or by the ids of the buffers. Nothing when it leaves some out.
std::vector<std::int64_t> offsets_of(const Problem& problem, const json& solution) {
  if (solution.is_array()) return solution.get<std::vector<std::int64_t>>();
  std::vector<std::int64_t> offsets;
  for (BufferIndex i = 0; i < problem.size() && solution.is_object(); ++i) {
    const std::string id(problem.id(i));
    if (!solution.contains(id) || solution.size() != problem.size()) return {};
    offsets.push_back(solution[id].get<std::int64_t>());
  }
  return offsets;
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
  if (function.name == "tflite-objects-to-offsets") {
    if (const auto planned = plan_objects(of, outcome); !planned) return tl::unexpected(planned.error());
  }
  return outcome;
}

std::string validate(const Problem& problem, const json& solution, const json& height) {
  Plan plan;
  plan.offsets = offsets_of(problem, solution);
  if (plan.offsets.size() != problem.size()) return "bad-solution";
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
