#include <optional>
#include <vector>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr double kFewest = 2;             // neighbours looked at for each move, at the beginning of a round
constexpr double kMost = 12;              // and at its end
constexpr std::int64_t kShortestBan = 5;  // moves for which a buffer stays where it was put
constexpr std::int64_t kLongestBan = 15;

struct Neighbour {
  OrderMove move;
  double excess = OrderSearch::worst();
};

/// The best of some moves of buffers that are not banned; none when all are.
std::optional<Neighbour> best_neighbour(OrderSearch& search, const std::vector<std::int64_t>& banned_until,
                                        std::int64_t now, double neighbours) {
  Neighbour best;
  for (int k = 0; k < neighbours && search.go_on(); ++k) {
    const OrderMove move = search.propose();
    if (banned_until[search.state().order()[move.from]] > now) continue;
    const std::int64_t before = search.best_makespan();
    if (!search.try_move(move, best.excess)) continue;  // no better than the best of them
    best = {move, search.excess()};
    if (search.best_makespan() < before) return std::nullopt;  // already made: nothing is better than a new best
    search.state().undo();
  }
  if (best.move.from == best.move.to) return std::nullopt;
  return best;
}

/// Each turn the best of a few moves is made even when it is worse than staying; what was moved stays for a while, so
/// that the search does not go straight back. The more neighbours it looks at, the less worse is the best of them:
/// there are few at first and ever more, and then few again. (Strategic oscillation, as Glover calls it.)
void search_tabu(OrderSearch& search) {
  std::vector<std::int64_t> banned_until(search.buffers(), 0);
  const std::int64_t round = search.round();
  for (std::int64_t now = 1; search.go_on(); ++now) {
    const double share = static_cast<double>(search.tried() % round) / static_cast<double>(round);
    const auto neighbour = best_neighbour(search, banned_until, now, kFewest + (kMost - kFewest) * share);
    if (!neighbour) continue;
    banned_until[search.state().order()[neighbour->move.from]] =
        now + search.random().uniform(kShortestBan, kLongestBan);
    search.try_move(neighbour->move, OrderSearch::worst());
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return search_orders(problem, params, context, search_tabu);
}

}  // namespace

std::vector<Allocator> tabu_allocators() {
  Allocator allocator = order_search_allocator();
  allocator.id = "tabu";
  allocator.title = "Tabu search";
  allocator.summary =
      "Makes the best of a few moves in the order of a first fit, good or bad, and forbids the way back.";
  allocator.source = "Glover, Tabu search, part I, ORSA Journal on Computing 1, 1989";
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
