#include "core/allocators/tela_space.h"

#include <algorithm>
#include <utility>

#include "core/allocators/tells.h"

namespace stowage {
namespace {

std::size_t at(std::int32_t section) {
  return static_cast<std::size_t>(section);
}

/// Bytes by section; only the sections of what is added are touched, so that many small components stay cheap.
class Contention {
 public:
  explicit Contention(const Problem& problem) : problem_(problem), bytes_(problem.sections().count(), 0) {}

  void add(BufferIndex i, std::int64_t sign) {
    problem_.sections().for_each_span(problem_[i], i, [&](const Span& span) {
      for (std::int32_t s = span.first; s < span.last; ++s) bytes_[at(s)] += sign * (span.high - span.low);
    });
  }
  std::int32_t peak(SectionRange range) const {
    const auto first = bytes_.begin() + range.first;
    return range.first + static_cast<std::int32_t>(std::max_element(first, first + range.length()) - first);
  }
  std::int64_t operator[](std::int32_t section) const { return bytes_[at(section)]; }
  /// The sections around the peak with at least three quarters of its bytes.
  SectionRange hot(SectionRange range) const {
    const std::int32_t top = peak(range);
    const std::int64_t enough = bytes_[at(top)] - bytes_[at(top)] / 4;
    SectionRange hot{top, top + 1};
    while (hot.first > range.first && bytes_[at(hot.first - 1)] >= enough) --hot.first;
    while (hot.last < range.last && bytes_[at(hot.last)] >= enough) ++hot.last;
    return hot;
  }

 private:
  const Problem& problem_;
  std::vector<std::int64_t> bytes_;
};

void split_into_phases(const Problem& problem, Contention& contention, SectionRange hull, TelaComponent& component) {
  std::vector<BufferIndex> rest = component.buffers;
  while (!rest.empty()) {
    const SectionRange hot = contention.hot(hull);
    const auto cold = std::stable_partition(rest.begin(), rest.end(),
                                            [&](BufferIndex i) { return problem.sections().range(i).overlaps(hot); });
    // A hull may be hot only inside gaps; whoever is left then is one phase.
    component.phases.emplace_back(rest.begin(), cold == rest.begin() ? rest.end() : cold);
    for (const BufferIndex i : component.phases.back()) contention.add(i, -1);
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(component.phases.back().size()));
  }
}

std::vector<BufferIndex> connected(const TelaSpace& space, BufferIndex seed, std::vector<bool>& seen) {
  std::vector<BufferIndex> found = {seed};
  seen[seed] = true;
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const Overlap& overlap : space.conflicts(found[k])) {
      if (seen[overlap.other]) continue;
      seen[overlap.other] = true;
      found.push_back(overlap.other);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TelaSpace::TelaSpace(const Problem& problem, RunContext& context)
    : problem_(problem), context_(context), overlaps_(all_overlaps(problem)), offsets_(problem.size(), kNoOffset) {}

std::span<const TelaSpace::Forbidden> TelaSpace::forbidden(BufferIndex buffer) {
  forbidden_.clear();
  looks_ += static_cast<std::int64_t>(overlaps_[buffer].size()) + 1;
  for (const Overlap& overlap : overlaps_[buffer]) {
    const std::int64_t offset = offsets_[overlap.other];
    if (offset == kNoOffset) continue;
    const std::int64_t above =
        problem_.has_gaps() ? *effective_size(problem_, overlap.other, buffer) : problem_[overlap.other].size;
    forbidden_.push_back({offset - overlap.effective_size, offset + above, overlap.other});
  }
  std::sort(forbidden_.begin(), forbidden_.end(),
            [](const Forbidden& a, const Forbidden& b) { return a.low != b.low ? a.low < b.low : a.by < b.by; });
  return forbidden_;
}

std::optional<std::int64_t> TelaSpace::lowest(BufferIndex buffer, std::int64_t capacity, bool says) {
  const Grid grid = problem_.grid(buffer);
  const std::int64_t size = problem_[buffer].size;
  std::int64_t offset = grid.up(0);
  for (const Forbidden& f : forbidden(buffer)) {
    if (offset <= f.low) break;
    if (f.high <= offset) continue;
    if (says && tells(context_)) {
      const std::int64_t free = std::max<std::int64_t>(0, f.low + size - offset);
      context_.say(Step{step::Reject{buffer, f.by, offset, free, free + std::max(size - free, offset - f.low)}, {}});
    }
    offset = grid.up(f.high);
  }
  if (size > capacity - offset) return std::nullopt;
  return offset;
}

void TelaSpace::place(BufferIndex buffer, std::int64_t offset, const char* why) {
  offsets_[buffer] = offset;
  if (tells(context_)) context_.say(Step{step::Place{buffer, offset}, why});
}

void TelaSpace::take_out(BufferIndex buffer, const char* why) {
  if (offsets_[buffer] == kNoOffset) return;
  offsets_[buffer] = kNoOffset;
  if (tells(context_)) context_.say(Step{step::Unplace{buffer}, why});
}

std::int64_t TelaSpace::makespan(std::span<const BufferIndex> buffers) const {
  std::int64_t makespan = 0;
  for (const BufferIndex i : buffers) makespan = std::max(makespan, offsets_[i] + problem_[i].size);
  return makespan;
}

std::vector<TelaComponent> tela_components(const Problem& problem, const TelaSpace& space) {
  std::vector<TelaComponent> components;
  std::vector<bool> seen(problem.size(), false);
  Contention contention(problem);
  for (BufferIndex seed = 0; seed < problem.size(); ++seed) {
    if (seen[seed] || problem.sections().range(seed).length() == 0) continue;
    TelaComponent component;
    component.buffers = connected(space, seed, seen);
    SectionRange hull = problem.sections().range(seed);
    for (const BufferIndex i : component.buffers) {
      contention.add(i, 1);
      const SectionRange range = problem.sections().range(i);
      hull = {std::min(hull.first, range.first), std::max(hull.last, range.last)};
      if (problem[i].is_fixed()) {
        component.lower_bound = std::max(component.lower_bound, problem[i].fixed + problem[i].size);
      }
    }
    component.load = contention[contention.peak(hull)];
    component.lower_bound = std::max(component.lower_bound, component.load);
    split_into_phases(problem, contention, hull, component);
    components.push_back(std::move(component));
  }
  std::stable_sort(components.begin(), components.end(),
                   [](const TelaComponent& a, const TelaComponent& b) { return a.load > b.load; });
  return components;
}

}  // namespace stowage
