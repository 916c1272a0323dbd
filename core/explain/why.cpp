#include "core/explain/why.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/model/conflicts.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

/// Offsets strictly between the two collide with another buffer.
struct Forbidden {
  std::int64_t low = 0;
  std::int64_t high = 0;
  BufferIndex by = kNoBuffer;
};

/// Every placed buffer in conflict, with the offsets that it forbids.
std::vector<Forbidden> forbidden_offsets(const Problem& problem, const Plan& plan, BufferIndex buffer) {
  std::vector<Forbidden> forbidden;
  for (BufferIndex other = 0; other < problem.size() && other < plan.offsets.size(); ++other) {
    const std::int64_t offset = plan.offsets[other];
    if (other == buffer || offset == kNoOffset) continue;
    if (space_of(problem, plan, other) != space_of(problem, plan, buffer)) continue;
    const auto below = effective_size(problem, buffer, other);
    const auto above = effective_size(problem, other, buffer);
    if (!below || !above) continue;
    const std::int64_t low = checked_sub(offset, *below).value_or(kMinInt64);
    forbidden.push_back({low, checked_add(offset, *above).value_or(kMaxInt64), other});
  }
  std::sort(forbidden.begin(), forbidden.end(), [&](const Forbidden& a, const Forbidden& b) {
    return std::pair(plan.offsets[a.by], a.by) < std::pair(plan.offsets[b.by], b.by);
  });
  return forbidden;
}

Neighbour neighbour_of(const Forbidden& forbidden, std::int64_t offset) {
  if (forbidden.high <= offset) return {forbidden.by, Neighbour::Side::kBelow, offset - forbidden.high};
  if (offset <= forbidden.low) return {forbidden.by, Neighbour::Side::kAbove, forbidden.low - offset};
  return {forbidden.by, Neighbour::Side::kCollides, 0};
}

void add_supports(WhyHere& here, const std::vector<Forbidden>& forbidden, const Grid& grid) {
  here.lowest = grid.up(0);
  for (const Forbidden& f : forbidden) {
    if (f.high <= here.offset && f.high > 0) here.lowest = std::max(here.lowest, grid.up(f.high));
  }
  if (here.lowest < here.offset) return;
  for (const Forbidden& f : forbidden) {
    if (f.high <= here.offset && f.high > 0 && grid.up(f.high) == here.lowest && here.lowest > grid.up(0)) {
      here.supports.push_back(f.by);
    }
  }
}

void add_blocks(WhyHere& here, const std::vector<Forbidden>& forbidden) {
  std::optional<std::int64_t> first;
  for (const Forbidden& f : forbidden) {
    if (here.offset <= f.low) first = std::min(first.value_or(f.low), f.low);
  }
  for (const Forbidden& f : forbidden) {
    if (first && f.low == *first) here.blocks.push_back(f.by);
  }
}

/// All allowed offsets, the present one included, as stretches without a collision.
std::vector<Hole> holes_between(std::vector<Forbidden> forbidden, const Grid& grid) {
  std::sort(forbidden.begin(), forbidden.end(), [](const Forbidden& a, const Forbidden& b) { return a.low < b.low; });
  std::vector<Hole> holes;
  std::int64_t low = grid.up(0);
  for (const Forbidden& f : forbidden) {
    if (f.high <= low) continue;
    if (low <= f.low) holes.push_back({low, f.low});
    low = std::max(low, grid.up(f.high));
  }
  if (low != kMaxInt64) holes.push_back({low, std::nullopt});
  return holes;
}

}  // namespace

Result<WhyHere> why(const Problem& problem, const Plan& plan, BufferIndex buffer) {
  WhyHere here;
  here.buffer = buffer;
  here.offset = buffer < plan.offsets.size() ? plan.offsets[buffer] : kNoOffset;
  if (here.offset == kNoOffset) {
    return input_error(fmt::format("{} has no offset in the plan", printable_utf8(problem.id(buffer))));
  }
  here.fixed = problem[buffer].is_fixed();
  if (const std::uint32_t body = problem.bodies().of(buffer); body != Bodies::kNone) {
    for (const Body::Member& member : problem.bodies()[body].members) {
      if (member.buffer != buffer) here.tied.push_back(member.buffer);
    }
  }
  const Grid grid = problem.grid(buffer);
  const std::vector<Forbidden> forbidden = forbidden_offsets(problem, plan, buffer);
  for (const Forbidden& f : forbidden) here.conflicts.push_back(neighbour_of(f, here.offset));
  add_supports(here, forbidden, grid);
  add_blocks(here, forbidden);
  if (here.fixed || !here.tied.empty()) return here;
  for (const Hole& hole : holes_between(forbidden, grid)) {
    const bool present = hole.low <= here.offset && (!hole.high || here.offset <= *hole.high);
    if (!present) here.holes.push_back(hole);
  }
  return here;
}

}  // namespace stowage
