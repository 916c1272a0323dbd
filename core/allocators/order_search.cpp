#include "core/allocators/order_search.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/base/text.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr std::int64_t kMostConflicts = 20'000'000;  // about a gigabyte of lists
constexpr std::int64_t kDefaultOrders = 2'000;       // well below a second for 1,000 buffers
constexpr std::int64_t kDefaultWork = 4'000'000;     // orders x buffers
constexpr std::int64_t kLookAtClock = 16;

/// Out of 100 moves, those of a buffer that sticks out.
constexpr std::int64_t kOfThoseSticking = 30;

Result<std::int64_t> iterations_of(const ParamValues& params, const Problem& problem, const RunContext& context) {
  const std::string& text = params.at("iterations");
  if (text == "auto") {
    if (context.deadline) return 0;
    const auto buffers = static_cast<std::int64_t>(std::max<std::size_t>(1, problem.size()));
    return std::max<std::int64_t>(1, std::min(kDefaultOrders, kDefaultWork / buffers));
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  return usage_error(fmt::format("iterations: '{}' is neither a number above 0 nor auto", text));
}

bool too_many_conflicts(const Problem& problem) {
  const std::vector<std::int64_t> counts = conflict_counts(problem);
  Int128 sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum > kMostConflicts;
}

/// The context of a part that is not to be cut off.
RunContext uncut(const RunContext& context, StepLog* steps) {
  RunContext part;
  part.seed = context.seed;
  part.steps = steps;
  return part;
}

}  // namespace

OrderSearch::OrderSearch(const Problem& problem, std::span<const BufferIndex> start, std::int64_t iterations,
                         RunContext& context)
    : problem_(problem),
      context_(context),
      state_(problem, start),
      random_(context.seed),
      bound_(measure(problem).lower_bound),
      budget_(iterations) {
  best_ = state_.makespan();
  best_order_.assign(state_.order().begin(), state_.order().end());
  if (context.deadline) began_ = std::chrono::steady_clock::now();
  state_.aim_at(bound_, sixteenths_);
  if (state_.excess() == 0) lower_target();
}

bool OrderSearch::go_on() {
  if (cut_short_ || best_ <= bound_ || state_.size() < 2) return false;
  if (budget_ > 0 && tried_ >= budget_) return false;
  if (tried_++ % kLookAtClock != 0) return true;
  if (context_.should_stop()) {
    cut_short_ = true;
    return false;
  }
  if (budget_ > 0) {
    share_ = static_cast<double>(tried_) / static_cast<double>(budget_);
  } else if (began_) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - *began_;
    const std::chrono::duration<double> all = *context_.deadline - *began_;
    share_ = std::clamp(spent.count() / std::max(1e-9, all.count()), share_, 1.0);
  }
  context_.report(share_ * 0.99);
  return true;
}

OrderMove OrderSearch::propose() {
  const auto count = static_cast<std::int64_t>(state_.size());
  const auto any = [&] {
    return static_cast<std::size_t>(random_.uniform(0, count - 1));
  };
  OrderMove move{any(), 0};
  if (random_.uniform(1, 100) <= kOfThoseSticking) {
    // The next one that sticks out, from a random place on.
    for (std::size_t k = 0; k < state_.size(); ++k) {
      const std::size_t at = (move.from + k) % state_.size();
      if (!state_.sticks_out(state_.order()[at])) continue;
      move.from = at;
      break;
    }
  }
  const BufferIndex moved = state_.order()[move.from];
  const auto conflicts = static_cast<std::int64_t>(state_.conflicts(moved));
  move.to = any();
  if (conflicts > 0 && random_.uniform(0, 1) == 0) {
    const BufferIndex other = state_.conflict(moved, static_cast<std::size_t>(random_.uniform(0, conflicts - 1)));
    if (state_.is_movable(other)) move.to = state_.position(other);
  }
  return move;
}

bool OrderSearch::try_move(OrderMove move, double limit) {
  if (move.from == move.to || !state_.move(move, limit)) return false;
  if (state_.makespan() < best_) {
    tell(move);
    keep_best();
  }
  return true;
}

void OrderSearch::take(std::span<const BufferIndex> order) {
  state_.take(order);
  if (state_.fits() && state_.makespan() < best_) keep_best();
}

void OrderSearch::keep_best() {
  best_ = state_.makespan();
  best_order_.assign(state_.order().begin(), state_.order().end());
  if (context_.records()) {
    context_.say(Step{step::Incumbent{best_}, fmt::format("first fit in order {} comes to it", tried_)});
  }
  if (state_.excess() == 0) lower_target();
}

/// What was aimed at is reached: from now on every byte above the bound counts.
void OrderSearch::lower_target() {
  sixteenths_ = 16;
  state_.aim_at(bound_, sixteenths_);
}

void OrderSearch::tell(OrderMove move) {
  if (!context_.records()) return;
  const BufferIndex moved = state_.order()[move.to];
  context_.say(Step{step::Note{fmt::format("{} is taken as number {} instead of {}", printable_utf8(problem_.id(moved)),
                                           move.to + 1, move.from + 1)},
                    "then nothing reaches as high as before"});
}

std::vector<ParamSpec> order_search_params() {
  ParamSpec iterations;
  iterations.key = "iterations";
  iterations.summary = "orders to try; auto: until the time limit, or some thousand without one";
  iterations.value = "auto";
  iterations.choices = {"auto", "1000", "100000"};
  iterations.closed = false;
  ParamSpec start = order_param("size");
  start.key = "start";
  start.summary = "where the search begins: " + start.summary;
  return {iterations, start};
}

Result<RunResult> search_orders(const Problem& problem, const ParamValues& params, RunContext& context,
                                void (*search)(OrderSearch&)) {
  const auto iterations = iterations_of(params, problem, context);
  if (!iterations) return tl::unexpected(iterations.error());
  auto order = make_order(problem, params.at("start"));
  if (!order) return tl::unexpected(order.error());
  if (context.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
  RunContext start = uncut(context, nullptr);
  start.stop = context.stop;
  const auto first = place_in_order(problem, *order, FitRule::kFirst, start);
  if (!first) return tl::unexpected(first.error());

  std::int64_t tried = 1;
  bool cut_short = false;
  context.say(Step{step::Phase{fmt::format("orders near {}", params.at("start"))}, {}});
  if (too_many_conflicts(problem)) {
    context.say(Step{step::Note{"too many conflicts to search: the start order it is"}, {}});
  } else {
    OrderSearch orders(problem, *order, *iterations, context);
    search(orders);
    tried = std::max<std::int64_t>(1, orders.tried());
    cut_short = orders.cut_short();
    // Fixed buffers and those that need no memory come in no particular order.
    std::vector<char> in_best(problem.size(), 0);
    for (const BufferIndex i : orders.best_order()) in_best[i] = 1;
    std::vector<BufferIndex> best = orders.best_order();
    std::copy_if(order->begin(), order->end(), std::back_inserter(best),
                 [&](BufferIndex i) { return in_best[i] == 0; });
    *order = std::move(best);
  }
  RunContext last = uncut(context, context.steps);
  auto result = place_in_order(problem, *order, FitRule::kFirst, last);
  if (!result) return result;
  result->iterations = tried;
  if (cut_short) result->status = RunStatus::kStopped;
  context.report(1);
  return result;
}

Allocator order_search_allocator() {
  Allocator allocator;
  allocator.params = order_search_params();
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.unasked_up_to = 0;
  return allocator;
}

}  // namespace stowage
