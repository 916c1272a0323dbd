#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/conflicts.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// Decides by enumeration whether a problem fits under a capacity, with nothing of the searches' cleverness: it places
/// buffers by rising offset (equals by row), each as low as everything placed allows, and gives up a branch only when
/// all that waits at some instant cannot lie between the last offset and the capacity. Every plan can be pushed down
/// until it is one of these. Alignment, pins and gaps without windows; small problems only.
class Enumerator {
 public:
  Enumerator(const Problem& problem, std::int64_t capacity) : problem_(problem), capacity_(capacity) {
    const std::size_t count = problem.size();
    meets_.assign(count, std::vector<bool>(count, false));
    for (BufferIndex a = 0; a < count; ++a) {
      for (BufferIndex b = 0; b < count; ++b) meets_[a][b] = a != b && conflict(problem, a, b);
    }
    live_.resize(problem.sections().count());
    for (BufferIndex i = 0; i < count; ++i) {
      problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
        for (std::int32_t s = span.first; s < span.last; ++s) live_[static_cast<std::size_t>(s)].push_back(i);
      });
    }
    offsets_.assign(count, kNoOffset);
  }

  bool fits() { return next(0, 0, 0); }

 private:
  bool next(std::size_t placed, std::int64_t last, BufferIndex last_buffer) {
    if (placed == problem_.size()) return true;
    for (const auto& live : live_) {
      std::int64_t top = last;
      std::int64_t waiting = 0;
      for (const BufferIndex i : live) {
        if (offsets_[i] == kNoOffset) {
          waiting += problem_[i].size;
        } else {
          top = std::max(top, offsets_[i] + problem_[i].size);
        }
      }
      if (waiting > 0 && top + waiting > capacity_) return false;
    }
    for (BufferIndex i = 0; i < problem_.size(); ++i) {
      if (offsets_[i] != kNoOffset) continue;
      const std::optional<std::int64_t> offset = lowest(i);
      if (!offset || *offset < last || (*offset == last && i < last_buffer)) continue;
      if (*offset + problem_[i].size > capacity_) continue;
      offsets_[i] = *offset;
      const bool found = next(placed + 1, *offset, i);
      offsets_[i] = kNoOffset;
      if (found) return true;
    }
    return false;
  }

  std::optional<std::int64_t> lowest(BufferIndex i) const {
    std::int64_t floor = 0;
    for (BufferIndex j = 0; j < problem_.size(); ++j) {
      if (offsets_[j] != kNoOffset && meets_[i][j]) floor = std::max(floor, offsets_[j] + problem_[j].size);
    }
    if (!problem_[i].is_fixed()) return problem_.grid(i).up(floor);
    return problem_[i].fixed >= floor ? std::optional(problem_[i].fixed) : std::nullopt;
  }

  const Problem& problem_;
  std::int64_t capacity_;
  std::vector<std::vector<bool>> meets_;
  std::vector<std::vector<BufferIndex>> live_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace stowage::testing
