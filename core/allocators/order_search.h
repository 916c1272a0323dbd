#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/allocators/order_state.h"
#include "core/base/random.h"

namespace stowage {

/// What the searches over orders share: the state, the best plan so far, the effort and the random numbers. An order
/// leads to places as OrderState says; the plan is then first fit in the order of those places.
class OrderSearch {
 public:
  /// `makespan` is that of the plan there is already. `orders`: how many to try; 0: until the deadline.
  OrderSearch(const Problem& problem, std::span<const BufferIndex> start, std::int64_t makespan, std::int64_t orders,
              RunContext& context);

  OrderState& state() { return state_; }
  const OrderState& state() const { return state_; }
  std::size_t buffers() const { return problem_.size(); }
  bool starts_before(BufferIndex a, BufferIndex b) const { return problem_[a].start < problem_[b].start; }
  Random& random() { return random_; }
  /// The load, or where the highest fixed buffer ends, as excess is counted: a search allows some share of it.
  double unit() const { return state_.in_units(bound_); }
  double excess() const { return static_cast<double>(state_.excess()); }
  /// A limit that every order keeps.
  static double worst() { return std::numeric_limits<double>::infinity(); }

  /// Counts an order tried. False when the effort or the time is spent, or no order can be better.
  bool go_on();
  /// Orders after which a search that cools down should start over: so many for each buffer, unless there are fewer.
  std::int64_t round(std::int64_t orders_of_each) const;
  /// The share of the effort spent, in [0, 1].
  double share() const { return share_; }

  /// A buffer to another position. Often one that ends above the target, or one of those that carry it.
  OrderMove propose();
  /// The same, but always a buffer that is to blame.
  OrderMove propose_to_blame();
  /// Makes the move when the excess then is at most `limit`, and keeps the plan when it is the best so far.
  bool try_move(OrderMove move, double limit);
  /// Goes on from another order, and keeps the plan when it is the best so far.
  void take(std::span<const BufferIndex> order);

  /// The order in which first fit makes the best plan; empty when that is the one there was at first.
  const std::vector<BufferIndex>& best_order() const { return best_order_; }
  std::int64_t best_makespan() const { return best_; }
  std::int64_t tried() const { return tried_; }
  bool cut_short() const { return cut_short_; }

 private:
  std::size_t any_position() { return static_cast<std::size_t>(random_.uniform(0, last_position_)); }
  std::size_t position_to_blame();
  void look_at_best();
  void lower_target();

  const Problem& problem_;
  RunContext& context_;
  OrderState state_;
  Random random_;
  std::int64_t last_position_ = 0;
  std::int64_t bound_ = 0;
  std::int64_t best_ = 0;
  std::vector<BufferIndex> best_order_;
  std::int64_t budget_ = 0;
  std::int64_t tried_ = 0;
  double share_ = 0;
  bool cut_short_ = false;
  std::optional<std::chrono::steady_clock::time_point> began_;
};

/// The parameters `iterations` and `start`.
std::vector<ParamSpec> order_search_params();

/// Plans the start order by first fit, lets `search` look for better plans, and returns the best. Never worse than the
/// start. A problem with too many buffers or conflicts is planned by the start order alone.
Result<RunResult> search_orders(const Problem& problem, const ParamValues& params, RunContext& context,
                                void (*search)(OrderSearch&));

/// An allocator that searches orders: everything but its names.
Allocator order_search_allocator();

}  // namespace stowage
