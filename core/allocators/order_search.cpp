#include "core/allocators/order_search.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "core/allocators/fit.h"
#include "core/allocators/order.h"
#include "core/allocators/param_specs.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr std::int64_t kMostConflicts = 20'000'000;  // half a gigabyte of lists
constexpr std::int64_t kDefaultOrders = 2'000;
constexpr std::int64_t kDefaultWork = 400'000'000;  // looks at buffers and conflicts, about half a second
constexpr std::int64_t kMostWork = 200'000'000;     // for one order
constexpr std::int64_t kLookAtClock = 16;

/// Out of 100 moves, those of a buffer to blame; of these at most so many steps down to what carries it.
constexpr std::int64_t kOfThoseToBlame = 60;
constexpr std::int64_t kMostStepsDown = 7;
constexpr double kFirstAim = 1.0625;  // of the bound
constexpr double kLaterAims = 0.02;   // of the bound below what was reached

/// What placing one order costs, roughly, in looks at buffers and conflicts.
Int128 work_of(const Problem& problem, std::int64_t conflicts) {
  return Int128{1} + conflicts + Int128{static_cast<std::int64_t>(problem.size())} * problem.size() / 8;
}

/// The start is the first of them. 0: until the deadline.
Result<std::int64_t> orders_to_try(const ParamValues& params, const Int128 work, const RunContext& context) {
  const std::string& text = params.at("iterations");
  if (text == "auto") {
    if (context.deadline) return 0;
    return static_cast<std::int64_t>(std::clamp<Int128>(kDefaultWork / work, 1, kDefaultOrders));
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  return usage_error(fmt::format("iterations: '{}' is neither a number above 0 nor auto", text));
}

/// At most a little more than kMostConflicts.
std::int64_t count_conflicts(const Problem& problem) {
  Int128 sum = 0;
  for (const std::int64_t count : conflict_counts(problem)) sum += count;
  return static_cast<std::int64_t>(std::min<Int128>(sum, kMostConflicts + 1));
}

std::int64_t makespan_of(const Problem& problem, const std::vector<std::int64_t>& offsets) {
  std::int64_t highest = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem[i].takes_memory()) highest = std::max(highest, offsets[i] + problem[i].size);
  }
  return highest;
}

/// All buffers: those of `first`, then the others as they come in `order`.
std::vector<BufferIndex> complete(std::vector<BufferIndex> first, std::span<const BufferIndex> order) {
  std::vector<char> is_first(order.size(), 0);
  for (const BufferIndex i : first) is_first[i] = 1;
  std::copy_if(order.begin(), order.end(), std::back_inserter(first), [&](BufferIndex i) { return is_first[i] == 0; });
  return first;
}

std::vector<BufferIndex> every_buffer(const Problem& problem) {
  std::vector<BufferIndex> all(problem.size());
  std::iota(all.begin(), all.end(), BufferIndex{0});
  return all;
}

/// The context of a part that is not to be cut off.
RunContext uncut(const RunContext& context, StepLog* steps) {
  RunContext part;
  part.seed = context.seed;
  part.steps = steps;
  return part;
}

}  // namespace

OrderSearch::OrderSearch(const Problem& problem, std::span<const BufferIndex> start, std::int64_t makespan,
                         std::int64_t orders, RunContext& context)
    : problem_(problem),
      context_(context),
      state_(problem, start),
      random_(context.seed),
      last_position_(static_cast<std::int64_t>(state_.size()) - 1),
      bound_(measure(problem).lower_bound),
      best_(makespan),
      budget_(orders) {
  if (context.deadline) began_ = std::chrono::steady_clock::now();
  if (!state_.fits()) return;
  state_.aim_at(static_cast<std::int64_t>(std::min(static_cast<double>(bound_) * kFirstAim, 0x1.0p62)));
  look_at_best();
}

bool OrderSearch::go_on() {
  if (cut_short_ || best_ <= bound_ || !state_.fits() || state_.size() < 2) return false;
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

std::int64_t OrderSearch::round(std::int64_t orders_of_each) const {
  const std::int64_t orders = orders_of_each * static_cast<std::int64_t>(state_.size()) + 1;
  return budget_ > 0 ? std::min(budget_, orders) : orders;
}

OrderMove OrderSearch::propose() {
  const bool blame = random_.uniform(1, 100) <= kOfThoseToBlame;
  const std::size_t from = blame ? position_to_blame() : any_position();
  return {from, any_position()};
}

OrderMove OrderSearch::propose_to_blame() {
  const std::size_t from = position_to_blame();
  return {from, any_position()};
}

/// The next buffer that sticks out, from a random position on, or one some steps below it: what sticks out is rarely
/// to blame itself.
std::size_t OrderSearch::position_to_blame() {
  std::size_t at = any_position();
  for (std::size_t k = 0; k < state_.size(); ++k) {
    const std::size_t next = (at + k) % state_.size();
    if (!state_.sticks_out(state_.order()[next])) continue;
    at = next;
    break;
  }
  for (std::int64_t down = random_.uniform(0, kMostStepsDown); down > 0; --down) {
    const BufferIndex above = state_.order()[at];
    const std::span<const BufferIndex> others = state_.conflicts(above);
    std::int64_t carriers = 0;
    for (std::size_t k = 0; k < others.size(); ++k) {
      if (!state_.is_movable(others[k]) || !state_.rests_on(above, k)) continue;
      if (random_.uniform(0, carriers++) == 0) at = state_.position(others[k]);
    }
    if (carriers == 0) break;
  }
  return at;
}

bool OrderSearch::try_move(OrderMove move, double limit) {
  if (move.from == move.to || !state_.move(move, limit)) return false;
  look_at_best();
  return true;
}

void OrderSearch::take(std::span<const BufferIndex> order) {
  state_.take(order);
  look_at_best();
}

void OrderSearch::look_at_best() {
  if (state_.makespan() < best_) {
    std::vector<BufferIndex> order(state_.sequence().begin(), state_.sequence().end());
    std::int64_t makespan = state_.makespan();
    if (problem_.has_gaps()) {
      // Into a gap first fit may put a buffer that is then in the way of others.
      RunContext context = uncut(context_, nullptr);
      const auto placed = place_in_order(problem_, complete(order, every_buffer(problem_)), FitRule::kFirst, context);
      makespan = placed ? makespan_of(problem_, placed->offsets) : kMaxInt64;
    }
    if (makespan < best_) {
      best_ = makespan;
      best_order_ = std::move(order);
      if (context_.records()) {
        context_.say(Step{step::Incumbent{best_}, fmt::format("order {} comes to it", tried_)});
      }
    }
  }
  if (state_.excess() == 0) lower_target();
}

/// What was aimed at is reached: now a little less.
void OrderSearch::lower_target() {
  const auto step = static_cast<std::int64_t>(static_cast<double>(bound_) * kLaterAims);
  state_.aim_at(std::max(bound_, state_.makespan() - std::max<std::int64_t>(1, step)));
}

std::vector<ParamSpec> order_search_params() {
  const ParamSpec iterations = open_param(
      "iterations", "orders to try, the start included; auto: until the time limit, or some thousand without one",
      {"auto", "1000", "100000"});
  ParamSpec start = order_param("size");
  start.key = "start";
  start.summary = "where the search begins: " + start.summary;
  return {iterations, start};
}

Result<RunResult> search_orders(const Problem& problem, const ParamValues& params, RunContext& context,
                                void (*search)(OrderSearch&)) {
  const auto order = make_order(problem, params.at("start"));
  if (!order) return tl::unexpected(order.error());
  const std::int64_t conflicts = count_conflicts(problem);
  const Int128 work = work_of(problem, conflicts);
  const auto orders = orders_to_try(params, work, context);
  if (!orders) return tl::unexpected(orders.error());
  if (context.should_stop()) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
  RunContext start = uncut(context, nullptr);
  start.stop = context.stop;
  const auto first = place_in_order(problem, *order, FitRule::kFirst, start);
  if (!first) return tl::unexpected(first.error());

  std::int64_t tried = 1;
  bool cut_short = false;
  std::vector<BufferIndex> best = *order;
  context.say(Step{step::Phase{fmt::format("orders near {}", params.at("start"))}, {}});
  if (conflicts > kMostConflicts || work > kMostWork) {
    context.say(Step{step::Note{"too many buffers or conflicts to search: the start order it is"}, {}});
  } else if (*orders != 1) {
    OrderSearch searched(problem, *order, makespan_of(problem, first->offsets), *orders, context);
    search(searched);
    tried = std::max<std::int64_t>(1, searched.tried());
    cut_short = searched.cut_short();
    if (!searched.best_order().empty()) best = complete(searched.best_order(), *order);
  }
  RunContext last = uncut(context, context.steps);
  auto result = place_in_order(problem, best, FitRule::kFirst, last);
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
