#include <algorithm>
#include <vector>

#include "core/allocators/order_search.h"
#include "core/allocators/registry.h"

namespace stowage {
namespace {

constexpr std::size_t kPopulation = 8;
constexpr int kLearning = 400;      // moves with which a child improves itself
constexpr double kPatience = 0.01;  // how much worse a move may be at first, of the load
constexpr int kMutations = 6;

struct Individual {
  std::vector<BufferIndex> order;
  double excess = 0;
};

Individual individual_of(const OrderSearch& search) {
  return {{search.state().order().begin(), search.state().order().end()}, search.excess()};
}

/// Moves that do not make it much worse, less and less.
void learn(OrderSearch& search) {
  for (int k = 0; k < kLearning && search.go_on(); ++k) {
    const double allowed =
        kPatience * (1 - static_cast<double>(k) / kLearning) * search.unit() * search.random().unit();
    search.try_move(search.propose(), search.excess() + allowed);
  }
}

/// Buffers that live before some time are taken when the first parent takes them, the others when the second does: two
/// times rarely have much to do with each other, so each half keeps what made its parent good.
std::vector<BufferIndex> cross(OrderSearch& search, const Individual& early, const Individual& late) {
  const BufferIndex cut = early.order[static_cast<std::size_t>(
      search.random().uniform(0, static_cast<std::int64_t>(early.order.size()) - 1))];
  struct Ranked {
    std::size_t rank = 0;
    BufferIndex buffer = kNoBuffer;
  };
  std::vector<Ranked> ranked;
  for (std::size_t k = 0; k < early.order.size(); ++k) {
    if (search.starts_before(early.order[k], cut)) ranked.push_back({2 * k, early.order[k]});
    if (!search.starts_before(late.order[k], cut)) ranked.push_back({2 * k + 1, late.order[k]});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  std::vector<BufferIndex> child;
  for (const Ranked& r : ranked) child.push_back(r.buffer);
  return child;
}

void mutate(OrderSearch& search) {
  for (int k = 0; k < kMutations; ++k) search.try_move(search.propose(), search.worst());
}

/// What counts as excess has changed: everybody is measured again.
void measure_again(OrderSearch& search, std::vector<Individual>& population) {
  for (Individual& individual : population) {
    search.take(individual.order);
    individual.excess = search.excess();
  }
}

/// A new order takes the place of the worst one when it is better.
void breed(OrderSearch& search) {
  std::vector<Individual> population;
  const Individual first = individual_of(search);
  while (population.size() < kPopulation && search.go_on()) {
    search.take(first.order);
    for (std::size_t k = 0; k < population.size(); ++k) mutate(search);
    learn(search);
    population.push_back(individual_of(search));
  }
  std::int64_t aim = search.state().target();
  while (search.go_on()) {
    if (search.state().target() != aim) {
      measure_again(search, population);
      aim = search.state().target();
    }
    const auto one_of = [&]() -> const Individual& {
      const auto last = static_cast<std::int64_t>(population.size()) - 1;
      const Individual& a = population[static_cast<std::size_t>(search.random().uniform(0, last))];
      const Individual& b = population[static_cast<std::size_t>(search.random().uniform(0, last))];
      return a.excess <= b.excess ? a : b;
    };
    const std::vector<BufferIndex> child = cross(search, one_of(), one_of());
    search.take(child);
    mutate(search);
    learn(search);
    const auto worst = std::max_element(population.begin(), population.end(),
                                        [](const Individual& a, const Individual& b) { return a.excess < b.excess; });
    if (search.excess() < worst->excess) *worst = individual_of(search);
  }
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  return search_orders(problem, params, context, breed);
}

}  // namespace

std::vector<Allocator> genetic_allocators() {
  Allocator allocator = order_search_allocator();
  allocator.id = "genetic";
  allocator.title = "Genetic search";
  allocator.summary = "Crosses orders of a first fit in time, mutates and improves them, and keeps the better ones.";
  allocator.source = "Holland, Adaptation in Natural and Artificial Systems, 1975; Moscato, memetic algorithms, 1989";
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
