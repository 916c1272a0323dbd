#include "core/allocators/idealloc/squeeze.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage::idealloc {
namespace {

/// Hands steps on, and adds to each place where the buffer was before.
void say(const StepLog& log, std::span<const std::int64_t> loose, const RunContext& context) {
  for (Step step : log.steps()) {
    if (std::holds_alternative<step::Phase>(step.fact)) continue;
    const auto* place = std::get_if<step::Place>(&step.fact);
    if (place != nullptr && !loose.empty() && loose[place->buffer] != kNoOffset) {
      const std::int64_t from = loose[place->buffer];
      step.why = fmt::format("from its loose offset {} {}: {}", format_bytes(from),
                             place->offset < from   ? "down"
                             : place->offset > from ? "up"
                                                    : "unmoved",
                             step.why);
    }
    context.say(std::move(step));
  }
}

}  // namespace

Result<Squeezed> squeeze(const Problem& problem, std::span<const BufferIndex> order, FitRule rule,
                         std::span<const std::int64_t> loose, const RunContext& context, std::int64_t limit) {
  RunContext inner;
  inner.stop = context.stop;
  inner.deadline = context.deadline;
  StepLog log;
  if (context.records()) inner.steps = &log;
  Result<RunResult> placed = place_in_order(problem, order, rule, inner, limit);
  if (context.records()) say(log, loose, context);
  if (!placed) return tl::unexpected(placed.error());
  Squeezed squeezed;
  squeezed.offsets = std::move(placed->offsets);
  for (const BufferIndex i : order) {
    if (problem[i].takes_memory())
      squeezed.makespan = std::max(squeezed.makespan, squeezed.offsets[i] + problem[i].size);
  }
  return squeezed;
}

std::vector<BufferIndex> loose_order(std::span<const BufferIndex> buffers, std::span<const std::int64_t> loose) {
  std::vector<BufferIndex> order(buffers.begin(), buffers.end());
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) { return loose[a] < loose[b]; });
  return order;
}

}  // namespace stowage::idealloc
