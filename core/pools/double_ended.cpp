#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"

namespace stowage {
namespace {

constexpr const char* kId = "double-ended";

struct Settings {
  bool static_on_top = true;
  bool pops = false;      // what is freed at the end of a side comes back
  bool may_touch = true;  // the two sides may meet without a byte between them
  std::int64_t alignment = 1;
};

/// Which allocations are static: those that say so, or those that never end.
std::vector<bool> static_ones(const Trace& trace, const std::string& rule) {
  const auto allocations = trace.allocations();
  const bool any_marked =
      std::any_of(allocations.begin(), allocations.end(), [](const Allocation& a) { return a.is_static; });
  const bool by_mark = rule == "marked" || (rule == "auto" && any_marked);
  std::vector<bool> is_static;
  is_static.reserve(allocations.size());
  for (const Allocation& one : allocations) is_static.push_back(by_mark ? one.is_static : one.ended == kNoEvent);
  return is_static;
}

/// One arena with two pointers. Static memory grows from one end and stays; dynamic memory grows from the other one and
/// comes back when the arena is reset. Static memory keeps off whatever dynamic memory has ever reached. Addresses in
/// this class are those of static memory on top; the other way round the arena is its mirror.
///
///     0          dynamic     highest so far            static      capacity
///     +-------------->|...........|                 |<----------------+
class DoubleEnded : public PoolSimulator {
 public:
  DoubleEnded(const PoolSetup& setup, Settings settings, std::vector<bool> is_static, std::int64_t capacity)
      : PoolSimulator(setup, FreeOrder::kAddress),
        settings_(settings),
        is_static_(std::move(is_static)),
        static_begin_(capacity) {
    const std::uint32_t group = heap_.add_group("arena");
    if (capacity > 0) middle_ = heap_.open_segment(capacity, group);
  }

  Grant allocate(BufferIndex i) override {
    if (records()) say_next(i, is_static_[i] ? "static" : "dynamic");
    const Allocation& asked = request(i);
    if (asked.bytes == 0) return Grant::nothing();
    const std::int64_t reached = is_static_[i] ? dynamic_highest_ : dynamic_end_;
    const std::int64_t room = std::max<std::int64_t>(0, static_begin_ - reached - (settings_.may_touch ? 0 : 1));
    const bool absurd = asked.bytes > kAddressLimit / 2;
    const std::int64_t size = absurd ? asked.bytes : align_up(asked.bytes, settings_.alignment);
    if (size <= room) return place(i, size);
    if (records()) {
      say_note(fmt::format("collision: static memory begins at {}, dynamic memory {} {}", static_begin_,
                           is_static_[i] ? "has reached" : "ends at", reached));
    }
    return Grant::failure(size, room);
  }

  void free(BufferIndex i) override {
    heap_.wait(block_of_[i]);
    if (settings_.pops) {
      take_back(is_static_[i]);
      if (records()) say_freed(i, "the pointer moves back over everything at its end that is free");
    } else if (records()) {
      say_freed(i, is_static_[i] ? "static memory does not come back" : "it comes back when the arena is reset");
    }
  }

  void reset(std::span<const BufferIndex> allocations) override {
    for (const BufferIndex i : allocations) {
      heap_.wait(block_of_[i]);
      if (records()) say_freed(i, "the arena is reset");
    }
    take_back(false);
    if (records()) {
      say_note(fmt::format("dynamic memory goes on at {}; it had reached {}", dynamic_end_, dynamic_highest_));
    }
  }

  std::vector<PoolFact> facts() const override {
    return {{"static", heap_.point().reserved - static_begin_, true},
            {"dynamic at most", dynamic_highest_, true},
            {"needed capacity", needed_, true}};
  }

 private:
  std::vector<BlockId>& side(bool is_static) { return sides_[is_static ? 1 : 0]; }

  Grant place(BufferIndex i, std::int64_t size) {
    const bool is_static = is_static_[i];
    if (is_static) {
      static_begin_ -= size;
    } else {
      dynamic_end_ += size;
      dynamic_highest_ = std::max(dynamic_highest_, dynamic_end_);
    }
    const std::int64_t reached = is_static ? dynamic_highest_ : dynamic_end_;
    needed_ = std::max(needed_, heap_.point().reserved - static_begin_ + reached);
    const bool upper = is_static == settings_.static_on_top;
    const bool all = heap_[middle_].size == size;
    const BlockId used = heap_.take(middle_, size, i, request(i).bytes, upper);
    if (all) {
      middle_ = kNoBlock;
    } else if (!upper) {
      middle_ = heap_[used].next;
    }
    side(is_static).push_back(used);
    block_of_[i] = used;
    const std::int64_t address = heap_[used].address;
    if (records()) say_placed(i, address, is_static ? "the static pointer moves on" : "the dynamic pointer moves on");
    return Grant::at(address);
  }

  /// The last blocks of a side, as long as nobody uses them.
  void take_back(bool is_static) {
    std::vector<BlockId>& blocks = side(is_static);
    while (!blocks.empty() && heap_[blocks.back()].state == BlockState::kWaiting) {
      const BlockId block = blocks.back();
      blocks.pop_back();
      (is_static ? static_begin_ : dynamic_end_) += is_static ? heap_[block].size : -heap_[block].size;
      heap_.release(block);
      middle_ = heap_.merge_neighbours(block);
    }
  }

  Settings settings_;
  std::vector<bool> is_static_;  // by allocation
  std::int64_t static_begin_;
  std::int64_t dynamic_end_ = 0;
  std::int64_t dynamic_highest_ = 0;
  std::int64_t needed_ = 0;                    // both sides together, when they were nearest
  BlockId middle_ = kNoBlock;                  // kNoBlock: the sides have met
  std::array<std::vector<BlockId>, 2> sides_;  // dynamic, static: from their ends of the arena
};

/// As much as the trace needs: what it would use if there were plenty.
Result<std::int64_t> capacity_for(const PoolSetup& setup, const Settings& settings) {
  Int128 plenty = 1;
  for (const Allocation& one : setup.trace.allocations()) plenty += Int128{one.bytes} + settings.alignment;
  RunContext silent;
  silent.stop = setup.context.stop;
  silent.deadline = setup.context.deadline;
  const auto run = run_pool(double_ended_pool(), setup.trace, setup.params,
                            plenty > kAddressLimit ? kAddressLimit : static_cast<std::int64_t>(plenty), silent);
  if (!run) return tl::unexpected(run.error());
  return run->facts.back().value + (settings.may_touch ? 0 : 1);
}

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  Settings settings;
  settings.static_on_top = setup.params.at("static-end") == "top";
  settings.pops = setup.params.at("free") == "pop";
  settings.may_touch = setup.params.at("meet") == "touch";
  const auto alignment = bytes_param(setup.params, "alignment", kId, 1);
  if (!alignment) return tl::unexpected(alignment.error());
  if (*alignment > kAddressLimit / 4) return usage_error(fmt::format("{}: the alignment is too large", kId));
  settings.alignment = *alignment;
  Result<std::int64_t> capacity =
      setup.capacity ? std::clamp<std::int64_t>(*setup.capacity, 0, kAddressLimit) : capacity_for(setup, settings);
  if (!capacity) return tl::unexpected(capacity.error());
  return std::unique_ptr<PoolSimulator>(
      std::make_unique<DoubleEnded>(setup, settings, static_ones(setup.trace, setup.params.at("static")), *capacity));
}

}  // namespace

Pool double_ended_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Double-ended arena";
  pool.summary = "Weights move a pointer from one end, activations from the other; a reset takes all activations back.";
  pool.source = "MindSpore, plugin/device/ascend/hal/device/ascend_memory_adapter.cc";
  pool.params = {
      {"static",
       "who is static: marked ones, those that are kept to the end, or (auto) kept ones when none is marked",
       "auto",
       {"auto", "marked", "kept"},
       true},
      {"static-end", "the end from which static memory grows", "top", {"top", "bottom"}, true},
      {"free",
       "what a single free does: nothing before a reset, or it pops the end of its side",
       "reset",
       {"reset", "pop"},
       true},
      {"meet", "whether the two sides may touch or stay apart", "touch", {"touch", "apart"}, true},
      {"alignment", "bytes to whose multiples sizes are rounded", "1", {"1", "64", "256", "512"}, false},
  };
  pool.make = make;
  return pool;
}

}  // namespace stowage
