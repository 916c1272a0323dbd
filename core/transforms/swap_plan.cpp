#include "core/transforms/swap_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/transforms/layer_kinds.h"
#include "core/transforms/training_parts.h"

namespace stowage {
namespace {

class SwapPlanner {
 public:
  SwapPlanner(const Staged& staged, const SwapSettings& settings, const RunContext& context)
      : staged_(staged), graph_(staged.graph), settings_(settings), context_(context) {}

  Result<SwapPlan> plan() {
    if (settings_.policy == SwapPolicy::kFarthestNextUse && !settings_.capacity) {
      return usage_error("swap: farthest-next-use needs a capacity");
    }
    find_times();
    find_accesses();
    find_gaps();
    choose();
    fit_engines();
    settle();
    find_fullest();
    return std::move(plan_);
  }

 private:
  std::size_t steps() const { return staged_.schedule.order.size(); }

  void find_times() {
    start_.assign(steps(), 0);
    end_.assign(steps(), 0);
    double now = 0;
    for (std::size_t step = 0; step < steps(); ++step) {
      start_[step] = now;
      now += graph_.op(staged_.schedule.order[step]).duration;
      end_[step] = now;
    }
  }

  /// Steps at which the memory of a tensor is made, read or read through a view; and the load that follows.
  void find_accesses() {
    accesses_.resize(graph_.tensors().size());
    bound_.assign(graph_.tensors().size(), "");
    std::vector<bool> in_loop(graph_.ops().size(), false);
    for (const Loop& loop : graph_.loops()) {
      for (const OpIndex n : loop.ops) in_loop[n] = true;
    }
    for (std::size_t step = 0; step < steps(); ++step) {
      const OpIndex n = staged_.schedule.order[step];
      const Op& op = graph_.op(n);
      for (const auto* list : {&op.in, &op.out}) {
        for (const TensorIndex t : *list) {
          std::vector<std::size_t>& of = accesses_[graph_.base(t)];
          if (of.empty() || of.back() != step) of.push_back(step);
          if (in_loop[n]) bound_[graph_.base(t)] = "an op in a loop uses it";
        }
      }
      if (!writes_over_input(op)) continue;
      for (const SlotPair& pair : op.alias) bound_[graph_.base(op.in[pair.in])] = "it is written over";
    }
    for (const TensorIndex t : graph_.outputs()) bound_[graph_.base(t)] = "it is an output";
    for (const auto groups : {graph_.groups(), std::span<const TensorGroup>(staged_.groups)}) {
      for (const TensorGroup& group : groups) {
        for (const TensorIndex t : group.members) bound_[graph_.base(t)] = "it is part of a contiguous group";
      }
    }
    live_.assign(steps() + 1, 0);
    for (TensorIndex t = 0; t < accesses_.size(); ++t) {
      if (accesses_[t].empty()) continue;
      live_[accesses_[t].front()] += own_bytes(graph_, t);
      if (bound_[t] != "it is an output") live_[accesses_[t].back() + 1] -= own_bytes(graph_, t);
    }
    std::partial_sum(live_.begin(), live_.end(), live_.begin());
    for (std::size_t step = 0; step < steps(); ++step) {
      live_[step] += graph_.op(staged_.schedule.order[step]).workspace;
    }
    load_ = live_;
  }

  void find_gaps() {
    for (TensorIndex t = 0; t < accesses_.size(); ++t) {
      const std::int64_t bytes = own_bytes(graph_, t);
      for (std::size_t i = 0; bytes > 0 && i + 1 < accesses_[t].size(); ++i) {
        Swap gap;
        gap.tensor = t;
        gap.last = accesses_[t][i];
        gap.next = accesses_[t][i + 1];
        if (gap.next < gap.last + 2) continue;
        if (!bound_[t].empty()) {
          refuse(gap, bound_[t]);
          continue;
        }
        gap.bytes = bytes;
        gap.transfer = static_cast<double>(bytes) / settings_.bytes_per_unit;
        gap.times = swap_times(end_[gap.last], start_[gap.next], gap.transfer);
        set_steps(gap);
        gaps_.push_back(gap);
      }
    }
  }

  void refuse(const Swap& gap, std::string why) {
    plan_.refused.push_back({gap.tensor, fmt::format("{}: stays: {}", graph_.tensor(gap.tensor).id, why)});
  }

  /// Steps out of times: the copy back begins at an op's boundary, the nearest one that is early enough.
  void set_steps(Swap& gap) const {
    gap.out_done = step_from(gap.times.out_end);
    gap.out_done = std::clamp(gap.out_done, gap.last + 1, gap.next);
    const auto after = std::upper_bound(start_.begin(), start_.end(), gap.times.in_start);
    gap.in_begin = after == start_.begin() ? 0 : static_cast<std::size_t>(after - start_.begin()) - 1;
    if (settings_.prefetch == Prefetch::kOnDemand) gap.in_begin = gap.next;
    gap.in_begin = std::clamp(gap.in_begin, gap.out_done, gap.next);
    if (!settings_.may_stall) return;
    const auto begin = load_.begin();
    const auto fullest = std::max_element(begin + static_cast<std::ptrdiff_t>(gap.last) + 1,
                                          begin + static_cast<std::ptrdiff_t>(gap.next));
    const auto step = static_cast<std::size_t>(fullest - begin);
    // Above the capacity the computation rather waits for both copies than that the memory is not free where it is
    // needed most. Else it waits for no copy out, and for the copy back only where there is no free time.
    const bool too_full = settings_.waits_anywhere || (settings_.capacity && load_[step] > *settings_.capacity);
    if (too_full) gap.out_done = std::min(gap.out_done, step);
    if (too_full || (gap.times.free_time < 0 && step >= gap.out_done)) gap.in_begin = std::max(gap.in_begin, step + 1);
  }
  std::size_t step_from(double time) const {
    return static_cast<std::size_t>(std::lower_bound(start_.begin(), start_.end(), time) - start_.begin());
  }

  void take(const Swap& gap) {
    plan_.swaps.push_back(gap);
    for (std::size_t step = gap.out_done; step < gap.in_begin; ++step) live_[step] -= gap.bytes;
  }
  bool fits() const {
    return settings_.capacity && *std::max_element(live_.begin(), live_.end()) <= *settings_.capacity;
  }

  void choose() {
    switch (settings_.policy) {
      case SwapPolicy::kAll:
      case SwapPolicy::kConvOnly:
        for (const Swap& gap : gaps_) {
          if (settings_.policy == SwapPolicy::kAll || read_by_conv(gap)) take(gap);
        }
        return;
      case SwapPolicy::kFreeTime:
        std::stable_sort(gaps_.begin(), gaps_.end(),
                         [](const Swap& a, const Swap& b) { return a.times.free_time > b.times.free_time; });
        for (const Swap& gap : gaps_) {
          if (fits()) return;
          if (gap.times.free_time < 0 && !settings_.may_stall) {
            refuse(gap,
                   fmt::format("the copies need {:.6g} more than there is between its uses", -gap.times.free_time));
            continue;
          }
          take(gap);
        }
        return;
      case SwapPolicy::kFarthestNextUse:
        choose_farthest();
        return;
    }
  }

  bool read_by_conv(const Swap& gap) const {
    const auto reads = [&](std::size_t step) {
      const Op& op = graph_.op(staged_.schedule.order[step]);
      return is_conv(op) && !op.backward && !op.in.empty() && graph_.base(op.in[0]) == gap.tensor;
    };
    const std::vector<std::size_t>& accesses = accesses_[gap.tensor];
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](std::size_t step) { return step <= gap.last && reads(step); });
  }

  void choose_farthest() {
    std::stable_sort(gaps_.begin(), gaps_.end(), [](const Swap& a, const Swap& b) { return a.next > b.next; });
    std::vector<bool> taken(gaps_.size(), false);
    for (std::size_t step = 0; step < steps() && !context_.should_stop(); ++step) {
      for (std::size_t i = 0; i < gaps_.size() && live_[step] > *settings_.capacity; ++i) {
        const Swap& gap = gaps_[i];
        if (taken[i] || step < gap.out_done || step >= gap.in_begin) continue;
        if (gap.times.free_time < 0 && !settings_.may_stall) continue;
        taken[i] = true;
        take(gap);
      }
    }
  }

  /// The copies of a direction go one after the other: out in the order of last uses, back as late as they can.
  void serialise() {
    std::vector<Swap>& swaps = plan_.swaps;
    std::stable_sort(swaps.begin(), swaps.end(), [](const Swap& a, const Swap& b) { return a.last < b.last; });
    double free_from = 0;
    for (Swap& swap : swaps) {
      swap.times.out_start = std::max(end_[swap.last], free_from);
      swap.times.out_end = free_from = swap.times.out_start + swap.transfer;
    }
    double free_until = end_.empty() ? 0 : end_.back();
    std::vector<std::size_t> order = by_next();
    std::reverse(order.begin(), order.end());
    for (const std::size_t i : order) {
      Swap& swap = swaps[i];
      swap.times.in_end = std::min(start_[swap.next], free_until);
      if (settings_.prefetch == Prefetch::kOnDemand) swap.times.in_end = start_[swap.next] + swap.transfer;
      swap.times.in_start = free_until = swap.times.in_end - swap.transfer;
      swap.times.free_time = swap.times.in_start - swap.times.out_end;
      swap.times.stall = std::max(0.0, swap.times.in_end - start_[swap.next] - std::min(0.0, swap.times.free_time));
    }
  }

  std::string why_not(const Swap& swap) const {
    const SwapTimes& times = swap.times;
    if (!settings_.may_stall && times.stall > 0) {
      return fmt::format("the copies need {:.6g} more than there is between its uses", times.stall);
    }
    if (times.free_time < 0) {
      return fmt::format(
          "free time {:.6g}: the computation would wait {:.6g} for the copies, and nothing would be saved",
          times.free_time, times.stall);
    }
    return fmt::format(
        "no op begins and ends between the end of the copy out at {:.6g} and the start of the copy back at {:.6g} "
        "(free time {:.6g}), so that nothing would be saved",
        times.out_end, times.in_start, times.free_time);
  }

  /// Gives up the worst until the engines can do what is left; a quarter at a time, so that it ends soon.
  void fit_engines() {
    while (true) {
      serialise();
      std::vector<std::size_t> bad;
      for (std::size_t i = 0; i < plan_.swaps.size(); ++i) {
        Swap& swap = plan_.swaps[i];
        set_steps(swap);
        const bool waits = swap.times.stall > 0 && !settings_.may_stall;
        if (waits || swap.out_done >= swap.in_begin) bad.push_back(i);
      }
      if (bad.empty()) return;
      std::stable_sort(bad.begin(), bad.end(), [&](std::size_t a, std::size_t b) {
        return plan_.swaps[a].times.free_time < plan_.swaps[b].times.free_time;
      });
      bad.resize((bad.size() + 3) / 4);
      std::sort(bad.rbegin(), bad.rend());
      for (const std::size_t i : bad) {
        const Swap& swap = plan_.swaps[i];
        refuse(swap, why_not(swap));
        plan_.swaps.erase(plan_.swaps.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }

  /// Early prefetches, then how long the computation really waits.
  void settle() {
    if (settings_.prefetch == Prefetch::kEarliest) prefetch_early();
    std::vector<double> back(plan_.swaps.size(), 0);
    std::vector<double> gone(plan_.swaps.size(), 0);
    std::vector<std::vector<std::size_t>> ends(steps());
    std::vector<std::vector<std::size_t>> begins(steps());
    std::vector<std::vector<std::size_t>> needs(steps());
    std::vector<std::vector<std::size_t>> frees(steps());
    for (const std::size_t i : by_next()) {
      ends[plan_.swaps[i].last].push_back(i);
      begins[plan_.swaps[i].in_begin].push_back(i);
      needs[plan_.swaps[i].next].push_back(i);
      frees[plan_.swaps[i].out_done].push_back(i);
    }
    double out_free = 0;
    double in_free = 0;
    for (std::size_t step = 0; step < steps(); ++step) {
      for (const std::size_t i : begins[step]) {
        back[i] = in_free = std::max({start_[step] + plan_.stall, in_free, gone[i]}) + plan_.swaps[i].transfer;
      }
      for (const std::size_t i : frees[step]) plan_.stall = std::max(plan_.stall, gone[i] - start_[step]);
      for (const std::size_t i : needs[step]) plan_.stall = std::max(plan_.stall, back[i] - start_[step]);
      for (const std::size_t i : ends[step]) {
        gone[i] = out_free = std::max(end_[step] + plan_.stall, out_free) + plan_.swaps[i].transfer;
      }
    }
    constexpr double kRounding = 1e-9;
    if (plan_.stall < kRounding * std::max(1.0, end_.empty() ? 0.0 : end_.back())) plan_.stall = 0;
  }

  /// Positions of the swaps, by rising step of the next use.
  std::vector<std::size_t> by_next() const {
    std::vector<std::size_t> order(plan_.swaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return plan_.swaps[a].next < plan_.swaps[b].next; });
    return order;
  }

  /// The load by step with the swaps as they are now.
  std::vector<std::int64_t> remaining() const {
    std::vector<std::int64_t> live = load_;
    for (const Swap& swap : plan_.swaps) {
      for (std::size_t step = swap.out_done; step < swap.in_begin; ++step) live[step] -= swap.bytes;
    }
    return live;
  }

  void find_fullest() {
    const std::vector<std::int64_t> live = remaining();
    const auto most = std::max_element(live.begin(), live.end());
    plan_.load = *most;
    plan_.fullest = static_cast<std::size_t>(most - live.begin());
  }

  void prefetch_early() {
    std::vector<std::int64_t> live = remaining();
    const std::int64_t room =
        settings_.capacity.value_or(live.empty() ? 0 : *std::max_element(live.begin(), live.end()));
    // The engine takes the copies in the order in which they are needed, so that none waits for a less urgent one.
    std::size_t previous = 0;
    for (const std::size_t i : by_next()) {
      Swap& swap = plan_.swaps[i];
      const std::size_t earliest = std::max(previous, swap.out_done + 1);
      while (swap.in_begin > earliest && live[swap.in_begin - 1] + swap.bytes <= room) {
        live[--swap.in_begin] += swap.bytes;
      }
      previous = swap.in_begin;
    }
  }

  const Staged& staged_;
  const Graph& graph_;
  const SwapSettings& settings_;
  const RunContext& context_;
  std::vector<double> start_;  // by step
  std::vector<double> end_;
  std::vector<std::vector<std::size_t>> accesses_;  // by base
  std::vector<std::string> bound_;                  // by base: why it cannot go; empty when it can
  std::vector<std::int64_t> load_;                  // by step
  std::vector<std::int64_t> live_;                  // the same without what has been chosen
  std::vector<Swap> gaps_;
  SwapPlan plan_;
};

}  // namespace

Result<SwapPlan> plan_swaps(const Staged& staged, const SwapSettings& settings, const RunContext& context) {
  return SwapPlanner(staged, settings, context).plan();
}

}  // namespace stowage
