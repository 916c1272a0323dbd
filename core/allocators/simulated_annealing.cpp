#include <cmath>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr double kHottest = 0.03;  // of the load

/// A worse order is taken with probability exp(-worse / temperature); the temperature falls to 0 in a straight line.
void anneal(OrderSearch& search) {
  while (search.go_on()) {
    const double temperature = kHottest * (1 - search.share()) * search.unit();
    const double allowed = -temperature * std::log(1 - search.random().unit());
    search.try_move(search.propose(), search.excess() + allowed);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return search_orders(problem, params, context, anneal);
}

}  // namespace

std::vector<Allocator> simulated_annealing_allocators() {
  Allocator allocator = order_search_allocator();
  allocator.id = "simulated-annealing";
  allocator.title = "Simulated annealing";
  allocator.summary = "Moves buffers about in the order of a first fit; takes worse orders too, ever more rarely.";
  allocator.source = "Kirkpatrick, Gelatt, Vecchi, Optimization by simulated annealing, Science 220, 1983";
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
