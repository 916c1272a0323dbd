#include "core/allocators/place_search.h"

#include <fmt/format.h>

#include "core/model/conflicts.h"

namespace stowage {

std::string reason(FitRule rule, std::optional<std::int64_t> spare) {
  if (rule == FitRule::kFirst) return "the lowest place that is large enough";
  if (!spare) return "no room between others is large enough, so on top";
  return fmt::format("the tightest room, {} bytes stay free above it", *spare);
}

void say_if_rejected(const Problem& problem, BufferIndex i, std::int64_t at, const Blocker& blocker,
                     RunContext& context) {
  if (at <= blocker.low || blocker.high <= at) return;
  const std::int64_t size = effective_size(problem, i, blocker.buffer).value_or(problem[i].size);
  const std::int64_t free = std::max<std::int64_t>(0, blocker.low + size - at);
  // A window can let the lower buffer need nothing below the blocker, and still reach too high: then say by how much.
  const std::int64_t needed = size > free ? size : free + (at - blocker.low);
  context.say(Step{step::Reject{i, blocker.buffer, at, free, needed}, {}});
}

}  // namespace stowage
