#include "core/allocators/portfolio.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/allocators/order.h"
#include "core/model/load.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr std::array<GreedyAttempt, 8> kAttempts = {{
    {"size", FitRule::kFirst},
    {"TW", FitRule::kFirst},
    {"TZ", FitRule::kFirst},
    {"area", FitRule::kFirst},
    {"TW", FitRule::kBest},
    {"size", FitRule::kBest},
    {"TZ", FitRule::kBest},
    {"lifetime", FitRule::kFirst},
}};

}  // namespace

std::span<const GreedyAttempt> greedy_attempts() {
  return kAttempts;
}

Result<GreedyPlan> best_greedy_plan(const Problem& problem, std::span<const GreedyAttempt> attempts, std::int64_t bound,
                                    RunContext& context, double share) {
  RunContext silent;
  silent.stop = context.stop;
  silent.deadline = context.deadline;
  std::optional<GreedyPlan> best;
  std::int64_t tried = 0;
  OrderPlacement placement(problem);
  for (const GreedyAttempt& attempt : attempts) {
    if (best && best->makespan <= bound) break;
    if (context.records()) {
      context.say(Step{step::Phase{fmt::format("{} fit, order {}", attempt.rule == FitRule::kFirst ? "first" : "best",
                                               attempt.order)},
                       {}});
    }
    const auto order = make_order(problem, attempt.order);
    auto run = placement.place(*order, attempt.rule, silent);
    if (!run) {
      if (!best) return tl::unexpected(run.error());
      if (run.error().kind == Error::Kind::kRefused) continue;
      best->result.status = RunStatus::kStopped;
      break;
    }
    ++tried;
    const std::int64_t makespan = makespan_of(problem, *run);
    if (!best || makespan < best->makespan) {
      best.emplace();
      best->result = std::move(*run);
      best->makespan = makespan;
      best->attempt = attempt;
      if (context.records()) context.say(Step{step::Incumbent{makespan}, {}});
    }
    context.report(share * static_cast<double>(tried) / static_cast<double>(attempts.size()));
  }
  best->tried = tried;
  return std::move(*best);
}

std::int64_t makespan_bound(const Problem& problem) {
  std::int64_t bound = 0;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    const auto space = static_cast<std::uint16_t>(s);
    bound = std::max(bound, least_load(problem, space));
  }
  for (const Buffer& buffer : problem.buffers()) {
    if (buffer.is_fixed() && buffer.takes_memory()) bound = std::max(bound, buffer.fixed + buffer.size);
  }
  return bound;
}

std::int64_t makespan_of(const Problem& problem, const RunResult& result) {
  Plan plan;
  plan.offsets = result.offsets;
  plan.spaces = result.spaces;
  std::int64_t makespan = 0;
  for (std::size_t s = 0; s < problem.spaces().size(); ++s) {
    makespan = std::max(makespan, makespan_of_space(problem, plan, static_cast<std::uint16_t>(s)));
  }
  return makespan;
}

}  // namespace stowage
