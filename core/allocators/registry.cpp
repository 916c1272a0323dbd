#include "core/allocators/registry.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/portfolio.h"
#include "core/allocators/threads_param.h"

namespace stowage {
namespace {

/// Names that other people's lists give to an allocator of ours.
struct OtherName {
  std::string_view theirs;
  std::string_view id;
};
constexpr OtherName kOtherNames[] = {{"tflite-strip-packing", "tflite-arena"}};

std::vector<Allocator> make_table() {
  std::vector<Allocator> table;
  const auto append = [&](std::vector<Allocator> more) {
    std::move(more.begin(), more.end(), std::back_inserter(table));
  };
#define STOWAGE_ALLOCATOR(name) append(name##_allocators());
#include "core/allocators/allocators.def"
#undef STOWAGE_ALLOCATOR
  return table;
}

Result<void> check_capabilities(const Allocator& allocator, const Problem& problem) {
  const auto refuse = [&](std::string_view what) {
    return fail(Error::Kind::kRefused, fmt::format("{} cannot honour {}", allocator.id, what));
  };
  const Needs& needs = problem.needs();
  const Capabilities& can = allocator.can;
  if (needs.gaps && !can.gaps) return refuse("gaps in lifetimes");
  if (needs.fixed_offsets && !can.fixed_offsets) return refuse("fixed offsets");
  if (needs.alignment && !can.alignment) return refuse("alignment");
  if (needs.conflict_edges && !can.conflict_edges) return refuse("explicit conflicts");
  if (needs.clocks && !can.clocks) return refuse("lifetimes in partially ordered time");
  if (needs.colocation && !can.colocation) return refuse("colocated buffers or aliases");
  if (needs.groups && !can.groups) return refuse("contiguous groups");
  if (needs.candidates && !can.candidates) return refuse("a choice of spaces");
  return {};
}

/// Who keeps sliced buffers whole has proved nothing about plans that do not.
void withdraw_proofs(const Problem& problem, RunResult& result) {
  const std::int64_t bound = makespan_bound(problem);
  if (result.lower_bound) result.lower_bound = std::min(*result.lower_bound, bound);
  const bool optimal = result.status == RunStatus::kProvedOptimal && makespan_of(problem, result) > bound;
  if (!optimal && result.status != RunStatus::kProvedInfeasible) return;
  result.status = RunStatus::kComplete;
  result.infeasible_set.clear();
}

}  // namespace

std::span<const Allocator> allocators() {
  static const std::vector<Allocator> table = make_table();
  return table;
}

const Allocator* find_allocator(std::string_view id) {
  for (const OtherName& other : kOtherNames) {
    if (other.theirs == id) id = other.id;
  }
  for (const Allocator& allocator : allocators()) {
    if (allocator.id == id) return &allocator;
  }
  return nullptr;
}

Result<PlannedRun> run_allocator(const Allocator& allocator, const Problem& problem, const ParamValues& params,
                                 RunContext& context) {
  auto values = complete_params(allocator.params, params, allocator.id);
  if (!values) return tl::unexpected(values.error());
  if (const auto able = check_capabilities(allocator, problem); !able) return tl::unexpected(able.error());

  const auto begin = std::chrono::steady_clock::now();
  Result<RunResult> result = allocator.run(problem, *values, context);
  if (!result) return tl::unexpected(result.error());
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (problem.needs().slices && !allocator.can.slices) withdraw_proofs(problem, *result);

  PlannedRun run;
  run.plan.id = allocator.id;
  run.plan.allocator = allocator.id;
  run.plan.params = params;
  run.plan.params.erase(kThreadsKey);  // says nothing about the plan
  run.plan.seed = context.seed;
  run.plan.offsets = std::move(result->offsets);
  run.plan.spaces = result->spaces;
  run.plan.objects = result->objects;
  run.plan.slices = result->slices;
  run.result = std::move(*result);
  return run;
}

}  // namespace stowage
