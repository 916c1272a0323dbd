#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr double kTolerance = 0.02;       // of the load, at the beginning of a round
constexpr std::int64_t kOfRound = 300;    // orders for each buffer
constexpr int kMostNeighbours = 60;       // looked at for one move
constexpr std::int64_t kShortestBan = 5;  // moves for which a buffer stays where it was put
constexpr std::int64_t kLongestBan = 15;

struct Neighbour {
  OrderMove move;
  double excess = OrderSearch::worst();
};

/// Makes the first move of a buffer that is not banned after which the excess is at most `enough`; when there is none
/// among many, the best of them. Returns the buffer; nothing when all were banned.
std::optional<BufferIndex> move_on(OrderSearch& search, const std::vector<std::int64_t>& banned_until, std::int64_t now,
                                   double enough) {
  Neighbour best;
  for (int k = 0; k < kMostNeighbours && search.go_on(); ++k) {
    const OrderMove move = search.propose();
    const BufferIndex moved = search.state().order()[move.from];
    if (banned_until[moved] > now) continue;
    const std::int64_t target = search.state().target();
    if (!search.try_move(move, std::max(enough, best.excess))) continue;  // no better than the best of them
    if (search.excess() <= enough || search.state().target() != target) return moved;  // what was aimed at is reached
    best = {move, search.excess()};
    search.state().undo();
  }
  if (best.move.from == best.move.to) return std::nullopt;
  const BufferIndex moved = search.state().order()[best.move.from];
  search.try_move(best.move, OrderSearch::worst());
  return moved;
}

/// Each turn a move is made, even when it is worse than staying; what was moved stays for a while, so that the search
/// does not go straight back. How much worse a move may be without looking for a better one falls in the course of a
/// round, and then begins anew. (Strategic oscillation, as Glover calls it.)
void search_tabu(OrderSearch& search) {
  std::vector<std::int64_t> banned_until(search.buffers(), 0);
  const std::int64_t round = search.round(kOfRound);
  for (std::int64_t now = 1; search.go_on(); ++now) {
    const double share = static_cast<double>(search.tried() % round) / static_cast<double>(round);
    const double allowed = -kTolerance * (1 - share) * search.unit() * std::log(1 - search.random().unit());
    const auto moved = move_on(search, banned_until, now, search.excess() + allowed);
    if (moved) banned_until[*moved] = now + search.random().uniform(kShortestBan, kLongestBan);
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
      "Moves buffers about in the order of a first fit, each turn one, good or bad, and forbids the way back.";
  allocator.source = "Glover, Tabu search, part I, ORSA Journal on Computing 1, 1989";
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
