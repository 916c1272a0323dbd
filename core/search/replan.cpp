#include "core/search/replan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/search/replan_space.h"

namespace stowage {

std::string_view name_of(ReplanTier tier) {
  constexpr std::array<std::string_view, 6> kNames = {"stay", "fit", "eject", "window", "core", "relax"};
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
  std::vector<bool> homeless(problem.size(), false);
  for (const BufferIndex i : edited) homeless[i] = true;
  std::vector<std::vector<BufferIndex>> members(problem.spaces().size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const Buffer& buffer = problem[i];
    homeless[i] = homeless[i] || before[i] == kNoOffset;
    if (buffer.takes_memory()) {
      members[buffer.space].push_back(i);
    } else if (homeless[i]) {
      done.offsets[i] = buffer.is_fixed() ? buffer.fixed : problem.grid(i).up(0);
    }
  }
  for (std::size_t s = 0; s < members.size(); ++s) {
    if (members[s].empty()) continue;
    ReplanSpace space(problem, static_cast<std::uint16_t>(s), members[s], before, homeless);
    const std::optional<ReplanTier> tier = space.run(limits, context);
    if (!tier) return std::nullopt;
    done.tier = std::max(done.tier, *tier);
    space.write(done.offsets);
    done.bound = std::max(done.bound, space.bound());
    done.makespan = std::max(done.makespan, space.makespan());
  }
  for (BufferIndex i = 0; i < problem.size(); ++i) done.moved += done.offsets[i] != before[i] ? 1U : 0U;
  return done;
}

}  // namespace stowage
