#include "core/search/replan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/search/neighbourhood.h"
#include "core/search/replan_space.h"

namespace stowage {
namespace {

/// What an edit has left of the plan of one space.
struct Left {
  std::int64_t bound = 0;
  std::vector<BufferIndex> homeless;
  std::vector<BufferIndex> new_pins;  // where nothing was before
  std::vector<BufferIndex> high;      // ends above the bound
};

/// By space; pins are put where they belong.
std::vector<Left> left_of_plan(const Problem& problem, std::vector<std::int64_t>& offsets) {
  std::vector<Left> spaces(problem.spaces().size());
  for (std::size_t s = 0; s < spaces.size(); ++s) spaces[s].bound = problem.sections().load_of_space(s);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    Left& space = spaces[buffer.space];
    if (!buffer.takes_memory()) {
      if (offsets[i] == kNoOffset) offsets[i] = buffer.is_fixed() ? buffer.fixed : problem.grid(i).up(0);
    } else if (buffer.is_fixed()) {
      if (offsets[i] != buffer.fixed) space.new_pins.push_back(i);
      offsets[i] = buffer.fixed;
      space.bound = std::max(space.bound, buffer.fixed + buffer.size);
    } else if (offsets[i] == kNoOffset) {
      space.homeless.push_back(i);
    } else if (offsets[i] + buffer.size > space.bound) {
      space.high.push_back(i);  // or not, when a pin raises the bound: nobody minds
    }
  }
  return spaces;
}

/// What collides with a pin looks for a place as well. False when two pins collide.
bool clear_pins(const Problem& problem, Left& space, std::vector<std::int64_t>& offsets) {
  if (space.new_pins.empty()) return true;
  SectionRange window = problem.sections().range(space.new_pins.front());
  for (const BufferIndex i : space.new_pins) {
    const SectionRange range = problem.sections().range(i);
    window = {std::min(window.first, range.first), std::max(window.last, range.last)};
  }
  Neighbourhood around(problem, window, offsets);
  std::vector<std::uint32_t> met;
  for (std::uint32_t i = 0; i < around.instance.items.size(); ++i) {
    const Instance::Item& pin = around.instance.items[i];
    if (!problem[pin.buffer].is_fixed()) continue;
    around.fit.meeting(i, met);
    for (const std::uint32_t k : met) {
      const Instance::Item& other = around.instance.items[k];
      const std::int64_t offset = around.fit.offsets()[k];
      if (k == i || offset >= pin.fixed + pin.size || offset + other.size <= pin.fixed) continue;
      if (problem[other.buffer].is_fixed()) return false;
      if (offsets[other.buffer] == kNoOffset) continue;
      offsets[other.buffer] = kNoOffset;
      space.homeless.push_back(other.buffer);
    }
  }
  return true;
}

}  // namespace

std::string_view name_of(ReplanTier tier) {
  constexpr std::array<std::string_view, 5> kNames = {"stay", "fit", "eject", "anew", "relax"};
  return kNames[static_cast<std::size_t>(tier)];
}

bool can_replan(const Problem& problem) {
  const Needs& needs = problem.needs();
  return needs.only_lifetimes() && needs.only_single_buffers() && !needs.gaps && !needs.candidates;
}

std::optional<Replanned> replan(const Problem& problem, std::span<const std::int64_t> before,
                                std::span<const BufferIndex> edited, const ReplanLimits& limits,
                                const RunContext& context) {
  Replanned done;
  done.offsets.assign(before.begin(), before.end());
  for (const BufferIndex i : edited) done.offsets[i] = kNoOffset;
  std::vector<Left> spaces = left_of_plan(problem, done.offsets);
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    if (!clear_pins(problem, spaces[s], done.offsets)) return std::nullopt;
    std::erase_if(spaces[s].high, [&](BufferIndex i) { return done.offsets[i] == kNoOffset; });
    ReplanSpace space(problem, static_cast<std::uint16_t>(s), spaces[s].bound, std::move(spaces[s].high), done.offsets);
    const std::optional<ReplanTier> tier = space.run(std::move(spaces[s].homeless), before, limits, context);
    if (!tier) return std::nullopt;
    done.tier = std::max(done.tier, *tier);
    done.bound = std::max(done.bound, spaces[s].bound);
    done.makespan = std::max(done.makespan, space.makespan());
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) done.moved += done.offsets[i] != before[i] ? 1U : 0U;
  return done;
}

}  // namespace stowage
