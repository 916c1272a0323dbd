#include "core/model/objects.h"

#include <optional>

#include "core/base/integers.h"
#include "core/model/problem.h"

namespace stowage {
namespace {

std::int64_t inner_offset(const Objects& objects, BufferIndex i) {
  return objects.inner.empty() ? 0 : objects.inner[i];
}

/// Where an object may lie, as far as one of its buffers is concerned.
Grid grid_for_object(const Problem& problem, const Objects& objects, BufferIndex i) {
  const Grid own = problem.grid(i);
  const std::int64_t phase = (own.phase - inner_offset(objects, i) % own.step) % own.step;
  return {own.step, phase < 0 ? phase + own.step : phase};
}

/// One object: where it may lie, nothing when its buffers exclude each other.
struct Site {
  std::optional<Grid> grid = Grid{};
  std::uint16_t space = 0;
};

std::vector<Site> sites_of(const Problem& problem, const Objects& objects) {
  std::vector<Site> sites(objects.sizes.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::uint32_t object = objects.object_of[i];
    if (object == Objects::kNone) continue;
    Site& site = sites[object];
    site.space = problem[i].space;
    if (site.grid) site.grid = intersect(*site.grid, grid_for_object(problem, objects, i));
  }
  return sites;
}

/// Takes the lowest place of this size at or above `top`, and raises that; kNoOffset when it would end too high.
std::int64_t stack(std::int64_t& top, const Grid& grid, std::int64_t size) {
  const std::int64_t base = grid.up(top);
  const std::optional<std::int64_t> end = checked_add(base, size);
  if (!end || !grid.holds(base)) return kNoOffset;
  top = *end;
  return base;
}

}  // namespace

std::int64_t Objects::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes) sum = checked_add(sum, size).value_or(kMaxInt64);
  return sum;
}

std::vector<std::int64_t> object_offsets(const Objects& objects) {
  std::vector<std::int64_t> offsets;
  std::int64_t top = 0;
  for (const std::int64_t size : objects.sizes) offsets.push_back(stack(top, Grid{}, size));
  return offsets;
}

std::vector<std::int64_t> objects_to_offsets(const Problem& problem, const Objects& objects) {
  const std::vector<Site> sites = sites_of(problem, objects);
  std::vector<std::int64_t> tops(problem.spaces().size(), 0);
  std::vector<std::int64_t> bases;
  for (std::size_t object = 0; object < sites.size(); ++object) {
    const Site& site = sites[object];
    bases.push_back(site.grid ? stack(tops[site.space], *site.grid, objects.sizes[object]) : kNoOffset);
  }
  std::vector<std::int64_t> offsets(problem.size(), kNoOffset);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::uint32_t object = objects.object_of[i];
    if (object == Objects::kNone) {
      offsets[i] = problem.grid(i).up(0);
    } else if (bases[object] != kNoOffset) {
      offsets[i] = checked_add(bases[object], inner_offset(objects, i)).value_or(kNoOffset);
    }
  }
  return offsets;
}

}  // namespace stowage
