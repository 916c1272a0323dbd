#pragma once

namespace stowage {

/// In which order the finished plans stand in the panel of the allocators.
struct Leaderboard {
  enum class Sort { kMakespan, kTime, kIssues, kName };
  Sort sort = Sort::kMakespan;
};

}  // namespace stowage
