#include <fmt/format.h>

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

Allocator in_order(std::string_view id, std::string_view title, std::string_view order) {
  Allocator allocator;
  allocator.id = id;
  allocator.title = title;
  allocator.summary = "Takes buffers in an order; each goes to the tightest place between others, else on top.";
  allocator.source =
      "Robson, Bounds for some functions concerning dynamic storage allocation, JACM 21, 1974 (the rule)";
  allocator.params = {order_param(order)};
  allocator.run = run;
  return allocator;
}

}  // namespace

std::vector<Allocator> best_fit_allocators() {
  std::vector<Allocator> table = {in_order("best-fit", "Best fit", "given")};
  for (const std::string& order : preset_orders()) {
    table.push_back(in_order(fmt::format("best-fit-{}", order), fmt::format("Best fit by {}", order), order));
  }
  return table;
}

}  // namespace stowage
