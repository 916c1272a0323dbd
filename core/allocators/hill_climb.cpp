#include <algorithm>
#include <vector>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr std::size_t kMemory = 300;  // orders back

/// An order is taken when it is no worse than the present one, or than the one of some hundred orders ago: strict
/// climbing ends on the first ledge. (Burke, Bykov: late acceptance.)
void climb(OrderSearch& search) {
  std::vector<double> earlier(kMemory, search.excess());
  for (std::size_t turn = 0; search.go_on(); turn = (turn + 1) % kMemory) {
    const double present = search.excess();
    search.try_move(search.propose(), std::max(present, earlier[turn]));
    earlier[turn] = search.excess();
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return search_orders(problem, params, context, climb);
}

}  // namespace

std::vector<Allocator> hill_climb_allocators() {
  Allocator allocator = order_search_allocator();
  allocator.id = "hill-climb";
  allocator.title = "Hill climbing";
  allocator.summary = "Moves buffers about in the order of a first fit, as long as that is no worse than a while ago.";
  allocator.source =
      "Burke, Bykov, The late acceptance hill-climbing heuristic, European Journal of Operational Research 258, 2017";
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
