#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto order = make_order(problem, params.at("order"));
  if (!order) return tl::unexpected(order.error());
  return place_in_order(problem, *order, FitRule::kBest, context);
}

}  // namespace

std::vector<Allocator> best_fit_allocators() {
  Allocator allocator;
  allocator.id = "best-fit";
  allocator.title = "Best fit";
  allocator.summary = "Takes buffers in an order; each goes to the tightest place between others, else on top.";
  allocator.source =
      "Robson, Bounds for some functions concerning dynamic storage allocation, JACM 21, 1974 (the rule)";
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.can.candidates = true;
  allocator.run = run;
  return in_every_order(allocator);
}

}  // namespace stowage
