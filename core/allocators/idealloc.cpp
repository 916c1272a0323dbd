#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/idealloc/heuristic.h"
#include "core/allocators/idealloc/solver.h"
#include "core/allocators/registry.h"
#include "core/base/text.h"

namespace stowage {
namespace {

using namespace idealloc;

/// So many boxings one after the other, each with fresh choices.
void try_lives(Search& search) {
  const Settings& settings = search.settings;
  const bool until_deadline = settings.lives == 0 && search.context.deadline.has_value();
  const std::int64_t lives = std::max<std::int64_t>(1, settings.lives);
  RandomChoices choices(search.context.seed);
  std::optional<Boxing> start = best_start(search.site, choices);
  if (!start) {
    search.stopped = true;
    return;
  }
  const double epsilon = start->report.epsilon;
  for (std::int64_t life = 0; (until_deadline || life < lives) && !search.is_good_enough(); ++life) {
    if (life > 0) start = rogue(search.site, epsilon, choices);
    if (!start || search.context.should_stop()) {
      search.stopped = true;
      return;
    }
    search.offer(attempt(search.problem, search.site, std::move(*start), choices, search.first_box, search.limit()));
    if (search.stopped || (search.error && !search.placement)) return;
    if (!until_deadline) search.report(static_cast<double>(life + 1) / static_cast<double>(lives + 1));
  }
}

/// Nothing: boxes.
std::optional<Heuristic> read_heuristic(const ParamValues& params) {
  const std::string& order = params.at("order");
  if (order == "boxes") return std::nullopt;
  Heuristic heuristic;
  if (order == "birth") heuristic.order = Heuristic::Order::kBirth;
  if (order == "size") heuristic.order = Heuristic::Order::kSize;
  if (order == "area") heuristic.order = Heuristic::Order::kArea;
  if (params.at("fit") == "best") heuristic.fit = FitRule::kBest;
  return heuristic;
}

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  Result<Settings> settings = read_settings(params);
  if (!settings) return tl::unexpected(settings.error());
  const auto lives = parse_int(params.at("lives"));
  if (!lives || *lives < 0) return usage_error(fmt::format("lives: '{}' is not a number of tries", params.at("lives")));
  settings->lives = *lives;
  const std::optional<Heuristic> heuristic = read_heuristic(params);
  if (!heuristic) return solve(problem, *settings, try_lives, context);
  settings->bootstrap = false;
  settings->dummy = false;
  return solve(
      problem, *settings, [&](Search& search) { try_orders(search, *heuristic); }, context);
}

}  // namespace

std::vector<Allocator> idealloc_allocators() {
  Allocator allocator;
  allocator.id = "idealloc";
  allocator.title = "idealloc: boxing";
  allocator.summary =
      "Packs buffers into boxes of one height, takes them apart into an order, and places in that order.";
  allocator.source =
      "Lamprakos et al., Futureproof Static Memory Planning, arXiv 2504.04874 (crate coreba); after Buchsbaum et al., "
      "OPT versus LOAD in dynamic storage allocation, STOC 2003";
  allocator.params = common_params();
  ParamSpec lives;
  lives.key = "lives";
  lives.summary = "boxings or random orders tried, each drawn afresh; 0: as many as the time limit allows";
  lives.value = "1";
  lives.choices = {"1", "20", "100", "0"};
  lives.closed = false;
  allocator.params.insert(allocator.params.begin(), std::move(lives));
  ParamSpec order;
  order.key = "order";
  order.summary = "boxes: out of boxes; the others, for comparison, without boxes and bootstrap";
  order.value = "boxes";
  order.choices = {"boxes", "birth", "size", "area", "random"};
  ParamSpec fit;
  fit.key = "fit";
  fit.summary = "without boxes: the first place that is large enough, or the tightest";
  fit.value = "first";
  fit.choices = {"first", "best"};
  allocator.params.push_back(std::move(order));
  allocator.params.push_back(std::move(fit));
  allocator.can.boxes = true;
  allocator.unasked_up_to = 0;
  allocator.run = run;
  return {std::move(allocator)};
}

}  // namespace stowage
