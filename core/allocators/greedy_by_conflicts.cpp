#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

Result<RunResult> run(const Problem& problem, const ParamValues&, RunContext& context) {
  const auto order = make_order(problem, "conflicts");
  if (!order) return tl::unexpected(order.error());
  return place_in_order(problem, *order, FitRule::kFirst, context);
}

}  // namespace

/// The same as first-fit-conflicts, under the name by which others look for it.
std::vector<Allocator> greedy_by_conflicts_allocators() {
  Allocator allocator = first_fit_allocators().front();
  allocator.id = "greedy-by-conflicts";
  allocator.title = "Greedy by conflicts";
  allocator.summary = "First fit; the buffer with the most conflicts comes first.";
  allocator.params.clear();
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
