#include "core/search/replan.h"

#include <array>
#include <cstddef>

namespace stowage {

std::string_view name_of(ReplanTier tier) {
  constexpr std::array<std::string_view, 5> kNames = {"stay", "fit", "eject", "anew", "relax"};
  return kNames[static_cast<std::size_t>(tier)];
}

bool can_replan(const Problem& problem) {
  const Needs& needs = problem.needs();
  return needs.only_lifetimes() && needs.only_single_buffers() && !needs.gaps && !needs.candidates;
}

}  // namespace stowage
