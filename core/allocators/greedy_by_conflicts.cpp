#include <cmath>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr double kTolerance = 0.01;  // of the load

/// After the greedy plan, repairs: a buffer that ends too high, or one of those that carry it, gets another turn. What
/// comes of it is kept when it is not much worse, always by the same measure. (Iterated greedy: Ruiz, Stuetzle, EJOR
/// 177, 2007. Whom to blame: squeaky wheel optimization, Joslin, Clements, JAIR 10, 1999.)
void repair(OrderSearch& search) {
  while (search.go_on()) {
    const double allowed = -kTolerance * search.unit() * std::log(1 - search.random().unit());
    search.try_move(search.propose_to_blame(), search.excess() + allowed);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return search_orders(problem, params, context, repair);
}

}  // namespace

std::vector<Allocator> greedy_by_conflicts_allocators() {
  Allocator allocator = order_search_allocator();
  allocator.id = "greedy-by-conflicts";
  allocator.title = "Greedy by conflicts";
  allocator.summary =
      "First fit, the buffer with the most conflicts first; then those that end too high get other turns.";
  allocator.source =
      "Ruiz, Stuetzle, A simple and effective iterated greedy algorithm, European Journal of Operational Research 177, "
      "2007";
  for (ParamSpec& param : allocator.params) {
    if (param.key == "start") param.value = "conflicts";
    if (param.key == "iterations") param.summary = "1: the greedy plan alone; else " + param.summary;
  }
  allocator.unasked_up_to = 1'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
