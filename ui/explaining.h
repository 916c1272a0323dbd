#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explain/explain_capacity.h"
#include "core/tasks/background.h"
#include "ui/workbench.h"

namespace stowage {

/// Why the problem does not fit under a capacity, found in the background.
struct Explaining {
  Background<Result<CapacityExplanation>> work;
  std::optional<CapacityExplanation> result;
  std::string refused;        // why there can be no explanation
  std::vector<bool> members;  // of the set that cannot fit together; the chart dims all others. Empty: dims nobody
  std::uint64_t problem_revision = 0;  // of what it speaks
};

void start_explaining(Workbench::State& state, std::int64_t capacity);
/// Cancels, and shows everything again.
void end_explaining(Workbench::State& state);

/// The finding in words, a paragraph each: the verdict, the reason, then the remedies.
std::vector<std::string> words_of(const Workbench::State& state, const CapacityExplanation& explanation);

}  // namespace stowage
