#include "core/model/objects.h"

#include <algorithm>

#include "core/base/integers.h"
#include "core/model/problem.h"

namespace stowage {

std::int64_t Objects::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes) sum += size;
  return sum;
}

std::vector<std::int64_t> object_offsets(const Objects& objects) {
  std::vector<std::int64_t> offsets;
  std::int64_t at = 0;
  for (const std::int64_t size : objects.sizes) {
    offsets.push_back(at);
    at += size;
  }
  return offsets;
}

std::vector<std::int64_t> objects_to_offsets(const Problem& problem, const Objects& objects) {
  std::vector<Grid> grids(objects.sizes.size());
  std::vector<std::uint16_t> spaces(objects.sizes.size(), 0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::uint32_t object = objects.object_of[i];
    if (object == Objects::kNone) continue;
    spaces[object] = problem[i].space;
    const Grid own = problem.grid(i);
    const std::int64_t inner = objects.inner.empty() ? 0 : objects.inner[i];
    const std::int64_t phase = ((own.phase - inner % own.step) % own.step + own.step) % own.step;
    grids[object] = intersect(grids[object], Grid{own.step, phase}).value_or(grids[object]);
  }
  std::vector<std::int64_t> top(problem.spaces().size(), 0);
  std::vector<std::int64_t> bases;
  for (std::size_t object = 0; object < objects.sizes.size(); ++object) {
    bases.push_back(grids[object].up(top[spaces[object]]));
    top[spaces[object]] = bases.back() + objects.sizes[object];
  }
  std::vector<std::int64_t> offsets(problem.size(), 0);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::uint32_t object = objects.object_of[i];
    if (object == Objects::kNone) {
      offsets[i] = problem.grid(i).up(0);
    } else {
      offsets[i] = bases[object] + (objects.inner.empty() ? 0 : objects.inner[i]);
    }
  }
  return offsets;
}

}  // namespace stowage
