#include <cmath>
#include <vector>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr double kTolerance = 0.03;     // of the load, at the beginning of a round
constexpr std::int64_t kOfRound = 100;  // orders for each buffer

/// After the greedy plan, rounds of repairs: a buffer that ends too high, or one of those that carry it, gets another
/// turn, and what comes of it is kept when it is not much worse, less and less. Each round begins with the greedy
/// order. (Iterated greedy: Ruiz, Stuetzle, EJOR 177, 2007. Whom to blame: squeaky wheel optimization, Joslin,
/// Clements, JAIR 10, 1999.)
void repair(OrderSearch& search) {
  const std::vector<BufferIndex> greedy(search.state().order().begin(), search.state().order().end());
  const std::int64_t round = search.round(kOfRound);
  while (search.go_on()) {
    search.take(greedy);
    for (std::int64_t k = 0; k < round && search.go_on(); ++k) {
      const double tolerance = kTolerance * (1 - static_cast<double>(k) / static_cast<double>(round));
      const double allowed = -tolerance * search.unit() * std::log(1 - search.random().unit());
      search.try_move(search.propose_to_blame(), search.excess() + allowed);
    }
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
