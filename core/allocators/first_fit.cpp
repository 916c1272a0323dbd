#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto order = make_order(problem, params.at("order"));
  if (!order) return tl::unexpected(order.error());
  return place_in_order(problem, *order, FitRule::kFirst, context);
}

}  // namespace

std::vector<Allocator> first_fit_allocators() {
  Allocator allocator;
  allocator.id = "first-fit";
  allocator.title = "First fit";
  allocator.summary = "Takes buffers in an order; each goes to the lowest place that is large enough.";
  allocator.source =
      "Gergov, Algorithms for compile-time memory optimization, SODA 1999 (order by size: greedy in most compilers)";
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.can.candidates = true;
  allocator.run = run;
  return in_every_order(allocator);
}

}  // namespace stowage
