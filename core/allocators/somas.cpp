#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/param_specs.h"
#include "core/allocators/placed_conflicts.h"
#include "core/allocators/registry.h"
#include "core/allocators/somas_blocks.h"
#include "core/allocators/somas_choice.h"
#include "core/allocators/unit.h"
#include "core/base/text.h"

namespace stowage {
namespace {

/// Footprints one above the other whose blocks stay inside, or one footprint for everything.
enum class Algorithm { kSharedObjects, kSingleObject };
enum class Sort { kSize, kPeakThenSize };
/// The gap with the least room left, or the lowest.
enum class Fit { kBest, kSmallest };

struct Strategy {
  Algorithm algorithm = Algorithm::kSharedObjects;
  Sort sort = Sort::kSize;
  Fit fit = Fit::kBest;
};

/// In the order of the origin's solutions, on which ties depend.
std::vector<Strategy> all_strategies() {
  std::vector<Strategy> all;
  for (const Algorithm algorithm : {Algorithm::kSharedObjects, Algorithm::kSingleObject}) {
    for (const Sort sort : {Sort::kSize, Sort::kPeakThenSize}) {
      for (const Fit fit : {Fit::kBest, Fit::kSmallest}) all.push_back(Strategy{algorithm, sort, fit});
    }
  }
  return all;
}

std::string name_of(const Strategy& strategy) {
  return fmt::format("{}, {}, {}", strategy.algorithm == Algorithm::kSharedObjects ? "shared objects" : "single object",
                     strategy.sort == Sort::kSize ? "largest first" : "what is live at the peak first",
                     strategy.fit == Fit::kBest ? "best fit" : "lowest fit");
}

/// Places all blocks of a space by one strategy.
///
///        address  +------------------+ start of the last footprint = peak
///                 | footprint 1      |
///                 +------------------+
///                 | footprint 0      |  blocks inside may reuse each other's bytes
///               0 +------------------+
class Solution {
 public:
  Solution(const SomasBlocks& blocks, const Strategy& strategy, const RunContext& context)
      : blocks_(blocks), strategy_(strategy), context_(context) {
    offsets_.assign(blocks.blocks().size(), kNoOffset);
    footprint_of_.assign(blocks.blocks().size(), 0);
  }

  /// False when asked to stop.
  bool solve(const std::vector<std::uint32_t>& order) {
    footprints_ = {Footprint{}};
    std::size_t done = 0;
    for (const std::uint32_t block : order) {
      if (done++ % 128 == 0 && context_.should_stop()) return false;
      place(block);
    }
    return true;
  }

  std::int64_t peak() const { return footprints_.back().start; }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }  // by block

 private:
  struct Footprint {
    std::int64_t start = 0;
    std::uint32_t founder = 0;  // the block that defined it, once there is a next one
  };
  /// Starts (or bytes) [low, high) that a tensor of this footprint forbids.
  struct Forbidden {
    std::uint32_t footprint = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;
    BufferIndex blocker = kNoBuffer;
  };

  void place(std::uint32_t b) {
    const SomasBlock& block = blocks_.blocks()[b];
    if (context_.records()) context_.say(Step{step::Consider{block.unit->leader}, {}});
    gather(block);
    std::size_t next = 0;  // in forbidden_
    for (std::uint32_t f = 0; f + 1 < footprints_.size(); ++f) {
      const std::size_t first = next;
      while (next < forbidden_.size() && forbidden_[next].footprint == f) ++next;
      if (founder_conflicts(block, f)) continue;
      const auto offset = find_gap(block, f, first, next);
      if (!offset) continue;
      settle(b, f, *offset, "a gap of a footprint that is there already");
      std::int64_t& above = footprints_[f + 1].start;
      above = std::max(above, add_up_to_max(*offset, block.unit->extent));
      return;
    }
    const auto last = static_cast<std::uint32_t>(footprints_.size() - 1);
    const std::int64_t offset = block.unit->grid.up(footprints_[last].start);
    footprints_[last].founder = b;
    settle(b, last, offset, "it founds a footprint on top");
    footprints_.push_back(Footprint{add_up_to_max(offset, block.unit->extent), 0});
  }

  /// What the placed tensors forbid, by footprint and address. For a single tensor these are bytes in use; for a list,
  /// starts at which a member would meet them.
  void gather(const SomasBlock& block) {
    forbidden_.clear();
    for (const std::uint32_t mine : block.tensors) {
      const SomasTensor& member = blocks_.tensors()[mine];
      blocks_.for_each_conflict(mine, [&](std::uint32_t theirs) {
        const SomasTensor& other = blocks_.tensors()[theirs];
        if (offsets_[other.block] == kNoOffset) return;
        const std::uint32_t footprint = footprint_of_[other.block];
        const std::int64_t low = add_up_to_max(offsets_[other.block], other.at);
        const std::int64_t high = add_up_to_max(low, other.size);
        Forbidden forbidden{footprint, low, high, other.id};
        if (!block.single()) {
          forbidden.low = low - member.at - member.size;
          forbidden.high = high - member.at;
        }
        const std::int64_t start = footprints_[footprint].start;
        forbidden.low = std::max(forbidden.low, start);
        forbidden.high = std::max(forbidden.high, start);
        forbidden_.push_back(forbidden);
      });
    }
    std::sort(forbidden_.begin(), forbidden_.end(), [](const Forbidden& a, const Forbidden& b) {
      if (a.footprint != b.footprint) return a.footprint < b.footprint;
      if (a.low != b.low) return a.low < b.low;
      return a.high != b.high ? a.high < b.high : a.blocker < b.blocker;
    });
  }

  bool founder_conflicts(const SomasBlock& block, std::uint32_t f) const {
    if (strategy_.algorithm == Algorithm::kSingleObject) return false;
    const SomasBlock& founder = blocks_.blocks()[footprints_[f].founder];
    if (!block.single() || !founder.single()) return false;
    if (!blocks_.conflict(block.tensors.front(), founder.tensors.front())) return false;
    if (context_.records()) {
      context_.say(
          Step{step::Reject{block.unit->leader, founder.unit->leader, footprints_[f].start, 0, block.unit->extent},
               "it conflicts with the founder of the footprint"});
    }
    return true;
  }

  /// The place in a footprint between forbidden ranges [first, last), or nothing. A list needs no more than its first
  /// member's size between two of them: they are starts already.
  std::optional<std::int64_t> find_gap(const SomasBlock& block, std::uint32_t f, std::size_t first, std::size_t last) {
    const bool bounded = strategy_.algorithm == Algorithm::kSharedObjects;
    const std::int64_t limit = bounded ? footprints_[f + 1].start : kMaxInt64;
    const std::int64_t width = blocks_.tensors()[block.tensors.front()].size;
    const std::int64_t needed = block.single() ? block.unit->extent : width;
    const bool best = f > 0 || strategy_.fit == Fit::kBest;  // the origin sets the fit on the lowest footprint only
    std::optional<std::int64_t> found;
    std::int64_t found_room = kMaxInt64;
    std::int64_t at = block.unit->grid.up(footprints_[f].start);
    const auto offer = [&](std::int64_t high) {
      if (at > high - needed || at > limit - block.unit->extent) return;
      const std::int64_t room = high - at - needed;
      if (found && (!best || room >= found_room)) return;
      found = at;
      found_room = room;
    };
    for (std::size_t k = first; k < last; ++k) {
      const Forbidden& forbidden = forbidden_[k];
      if (block.single() && at < forbidden.high) {
        say_blocked(context_, block.unit->leader, forbidden.blocker, at, forbidden.low, needed);
      }
      offer(forbidden.low);
      at = std::max(at, block.unit->grid.up(forbidden.high));
    }
    offer(limit);
    return found;
  }

  void settle(std::uint32_t b, std::uint32_t footprint, std::int64_t offset, const char* why) {
    offsets_[b] = offset;
    footprint_of_[b] = footprint;
    if (!context_.records()) return;
    for (const Body::Member& member : blocks_.blocks()[b].unit->members) {
      context_.say(Step{step::Place{member.buffer, add_up_to_max(offset, member.relative)}, why});
    }
  }

  const SomasBlocks& blocks_;
  Strategy strategy_;
  const RunContext& context_;
  std::vector<Footprint> footprints_;
  std::vector<std::int64_t> offsets_;        // by block
  std::vector<std::uint32_t> footprint_of_;  // by block
  std::vector<Forbidden> forbidden_;         // for the block looked at
};

class Somas {
 public:
  Somas(const Problem& problem, std::int64_t gain, RunContext& context)
      : problem_(problem), gain_(gain), context_(context), units_(units_of(problem)), overlaps_(all_overlaps(problem)) {
    result_.offsets.assign(problem.size(), kNoOffset);
    result_.iterations = 0;
  }

  Result<RunResult> run() {
    for (const Unit& unit : units_) {
      if (unit.takes_memory()) continue;
      if (const auto set = set_offsets(problem_, unit, unit.grid.up(0), result_.offsets); !set) {
        return tl::unexpected(set.error());
      }
    }
    for (std::uint16_t space = 0; space < problem_.spaces().size(); ++space) {
      const auto solved = solve(space);
      if (!solved) return tl::unexpected(solved.error());
    }
    say_plan(context_, result_.offsets, "as in the chosen solution");
    context_.report(1);
    return std::move(result_);
  }

 private:
  struct Best {
    SomasPeak peak;
    std::vector<std::int64_t> offsets;
  };

  Result<void> solve(std::uint16_t space) {
    const SomasBlocks blocks(problem_, units_, overlaps_, space);
    const std::vector<Strategy> strategies = all_strategies();
    std::optional<Best> best;
    for (const Strategy& strategy : strategies) {
      if (context_.records()) context_.say(Step{step::Phase{name_of(strategy)}, {}});
      Solution solution(blocks, strategy, context_);
      if (!solution.solve(order_of(blocks, strategy.sort))) {
        if (!best) return fail(Error::Kind::kCancelled, "stopped before it had a plan");
        result_.status = RunStatus::kStopped;
        break;
      }
      ++result_.iterations;
      const SomasPeak peak{strategy.algorithm == Algorithm::kSingleObject, solution.peak()};
      if (best && !displaces(peak, best->peak, gain_)) continue;
      best = Best{peak, solution.offsets()};
      context_.say(Step{step::Incumbent{peak.peak}, "the best solution so far"});
      report(space, strategies.size());
    }
    for (std::size_t b = 0; b < blocks.blocks().size(); ++b) {
      const auto set = set_offsets(problem_, *blocks.blocks()[b].unit, best->offsets[b], result_.offsets);
      if (!set) return set;
    }
    return append_lifelong(blocks, best->peak.peak);
  }

  void report(std::uint16_t space, std::size_t strategies) const {
    const std::size_t all = strategies * problem_.spaces().size();
    const auto done = static_cast<std::size_t>(result_.iterations);
    context_.report(std::min(1.0, static_cast<double>(std::max(done, strategies * space)) / static_cast<double>(all)));
  }

  /// Outputs first; what lives at the peak before what can reuse its memory, when asked; size falling; row.
  std::vector<std::uint32_t> order_of(const SomasBlocks& blocks, Sort sort) const {
    std::vector<std::uint32_t> order(blocks.blocks().size());
    for (std::uint32_t b = 0; b < order.size(); ++b) order[b] = b;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const SomasBlock& x = blocks.blocks()[a];
      const SomasBlock& y = blocks.blocks()[b];
      if (x.output != y.output) return x.output;
      if (sort == Sort::kPeakThenSize && x.at_peak != y.at_peak) return x.at_peak;
      return x.unit->extent > y.unit->extent;
    });
    return order;
  }

  Result<void> append_lifelong(const SomasBlocks& blocks, std::int64_t peak) {
    for (const Unit* unit : blocks.lifelong()) {
      const std::int64_t offset = unit->grid.up(peak);
      if (const auto set = set_offsets(problem_, *unit, offset, result_.offsets); !set) return set;
      peak = offset + unit->extent;
    }
    return {};
  }

  const Problem& problem_;
  std::int64_t gain_;
  RunContext& context_;
  std::vector<Unit> units_;
  std::vector<std::vector<Overlap>> overlaps_;
  RunResult result_;
};

Result<RunResult> run(const Problem& problem, const ParamValues& params, RunContext& context) {
  const auto gain = parse_bytes(params.at("single-object-gain"));
  if (!gain) return usage_error(fmt::format("single-object-gain: '{}' is no number", params.at("single-object-gain")));
  return Somas(problem, *gain, context).run();
}

}  // namespace

std::vector<Allocator> somas_allocators() {
  Allocator allocator;
  allocator.id = "somas";
  allocator.title = "SOMAS";
  allocator.summary = "MindSpore's solver: eight solutions of shared or single objects, and its choice among them.";
  allocator.source = "mindspore-ai/mindspore mindspore/ccsrc/backend/common/somas";
  const ParamSpec gain = open_param(
      "single-object-gain", "a single object is chosen over shared ones only when it saves more than these bytes",
      {"100MiB", "0"});
  allocator.params = {gain};
  allocator.can.fixed_offsets = false;
  allocator.can.conflict_edges = true;
  allocator.can.clocks = true;
  allocator.can.colocation = true;
  allocator.can.groups = true;
  allocator.unasked_up_to = 5'000;
  allocator.run = run;
  return {allocator};
}

}  // namespace stowage
