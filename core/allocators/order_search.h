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

/// What the searches over orders share: the state with its best order so far, the effort and the random numbers.
class OrderSearch {
 public:
  OrderSearch(const Problem& problem, std::span<const BufferIndex> start, std::int64_t iterations, RunContext& context);

  OrderState& state() { return state_; }
  const OrderState& state() const { return state_; }
  std::size_t buffers() const { return problem_.size(); }
  bool starts_before(BufferIndex a, BufferIndex b) const { return problem_[a].start < problem_[b].start; }
  Random& random() { return random_; }
  /// The load, or where the highest fixed buffer ends, as excess is counted: a search allows some share of it.
  double unit() const { return 16 * static_cast<double>(bound_); }
  /// Where excess begins, in sixteenths of that unit: a little above it at first.
  int aim() const { return sixteenths_; }
  /// A limit that every order keeps.
  static double worst() { return std::numeric_limits<double>::infinity(); }

  /// Counts an order tried. False when the effort or the time is spent, or no order can be better.
  bool go_on();
  /// The share of the effort spent, in [0, 1].
  double share() const { return share_; }

  /// A buffer, often one that sticks out, to the place of one in conflict with it or to any.
  OrderMove propose();
  /// Makes the move when the excess then is at most `limit`, and keeps the order when it is the best so far.
  bool try_move(OrderMove move, double limit);
  /// Goes on from another order, and keeps it when it is the best so far.
  void take(std::span<const BufferIndex> order);

  const std::vector<BufferIndex>& best_order() const { return best_order_; }
  std::int64_t best_makespan() const { return best_; }
  std::int64_t tried() const { return tried_; }
  bool cut_short() const { return cut_short_; }

 private:
  void keep_best();
  void lower_target();
  void tell(OrderMove move);

  const Problem& problem_;
  RunContext& context_;
  OrderState state_;
  Random random_;
  std::int64_t bound_ = 0;
  std::int64_t best_ = 0;
  std::vector<BufferIndex> best_order_;
  std::int64_t budget_ = 0;  // orders to try; 0: until the time is up
  std::int64_t tried_ = 0;
  double share_ = 0;
  bool cut_short_ = false;
  int sixteenths_ = 17;
  std::optional<std::chrono::steady_clock::time_point> began_;
};

/// The parameters `iterations` and `start`.
std::vector<ParamSpec> order_search_params();

/// Plans the start order, lets `search` look for better ones, and places the best by first fit. Never worse than the
/// start. A problem with too many conflicts to keep a list of them is planned by the start order alone.
Result<RunResult> search_orders(const Problem& problem, const ParamValues& params, RunContext& context,
                                void (*search)(OrderSearch&));

/// An allocator that searches orders: everything but its names.
Allocator order_search_allocator();

}  // namespace stowage
