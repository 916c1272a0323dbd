#include "ui/copying.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/io/format.h"
#include "ui/state.h"

namespace stowage {
namespace {

/// The selected buffers alone, without what ties them to others.
ProblemInput selected_alone(const Problem& problem, const std::vector<BufferIndex>& selection) {
  ProblemInput input;
  input.spaces = problem.input().spaces;
  input.kinds = problem.input().kinds;
  input.time_unit = problem.input().time_unit;
  for (const BufferIndex i : selection) {
    Buffer buffer = problem[i];
    buffer.fixed = kNoOffset;
    const Details* details = problem.details(i);
    if (details == nullptr) {
      input.add(problem.id(i), buffer);
      continue;
    }
    Details kept = *details;
    kept.candidates.clear();
    input.add(problem.id(i), buffer, std::move(kept));
  }
  return input;
}

}  // namespace

Result<std::string> copied_csv(const Workbench::State& state) {
  auto problem = make_problem(selected_alone(state.problem(), state.selection));
  if (!problem) return input_error(problem.error().front().message);
  Plan plan;
  plan.id = "copied";
  for (const BufferIndex i : state.selection) {
    plan.offsets.push_back(i < state.offsets().size() ? state.offsets()[i] : kNoOffset);
  }
  Document document;
  document.problem = std::make_shared<const Problem>(std::move(*problem));
  WriteOptions options;
  options.problem_only = std::find(plan.offsets.begin(), plan.offsets.end(), kNoOffset) != plan.offsets.end();
  if (!options.problem_only) document.put_plan(std::move(plan));
  return find_format("minimalloc-csv")->write(document, options);
}

}  // namespace stowage
