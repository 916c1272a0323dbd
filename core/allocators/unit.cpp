#include "core/allocators/unit.h"

#include <algorithm>

#include "core/allocators/placed_conflicts.h"

namespace stowage {
namespace {

Unit make_unit(const Problem& problem, std::vector<Body::Member> members, const Grid& grid) {
  Unit unit;
  unit.members = std::move(members);
  unit.leader = unit.members.front().buffer;
  unit.grid = grid;
  for (const Body::Member& member : unit.members) {
    const Buffer& buffer = problem[member.buffer];
    if (!buffer.takes_memory()) continue;
    if (!unit.takes_memory()) {
      unit.leader = member.buffer;
      unit.start = buffer.start;
      unit.end = buffer.end;
    }
    unit.extent = std::max(unit.extent, member.relative + buffer.size);  // the gate knows that this fits
    unit.start = std::min(unit.start, buffer.start);
    unit.end = std::max(unit.end, buffer.end);
  }
  return unit;
}

}  // namespace

std::vector<Unit> units_of(const Problem& problem) {
  std::vector<Unit> units;
  std::vector<bool> seen(problem.bodies().count(), false);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::uint32_t body = problem.bodies().of(i);
    if (body == Bodies::kNone) {
      units.push_back(make_unit(problem, {{i, 0}}, problem.grid(i)));
    } else if (!seen[body]) {
      seen[body] = true;
      units.push_back(make_unit(problem, problem.bodies()[body].members, problem.bodies()[body].grid));
    }
  }
  return units;
}

Result<void> set_offsets(const Problem& problem, const Unit& unit, std::int64_t offset,
                         std::vector<std::int64_t>& offsets) {
  for (const Body::Member& member : unit.members) {
    const auto own = checked_add(offset, member.relative);
    if (!own || !checked_add(*own, problem[member.buffer].size)) return ends_too_high(problem, member.buffer);
    offsets[member.buffer] = *own;
  }
  return {};
}

}  // namespace stowage
