#include "core/model/section_tops.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/base/integers.h"

namespace stowage {

std::vector<SectionTop> section_tops(const Problem& problem, const std::vector<std::int64_t>& offsets,
                                     std::uint16_t space) {
  const Sections& sections = problem.sections();
  const auto first = static_cast<std::size_t>(sections.first_of_space(space));
  const auto last = static_cast<std::size_t>(sections.first_of_space(space + std::size_t{1}));
  struct Piece {
    std::int32_t first;
    std::int32_t last;
    std::int64_t top;
  };
  std::vector<Piece> pieces;
  for (BufferIndex i = 0; i < problem.size() && i < offsets.size(); ++i) {
    if (offsets[i] == kNoOffset || problem[i].space != space) continue;
    sections.for_each_span(problem[i], i, [&](const Span& span) {
      pieces.push_back(Piece{span.first, span.last, checked_add(offsets[i], span.high).value_or(kMaxInt64)});
    });
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  // The live pieces, highest on top; those that have ended are dropped when they come to the top.
  std::priority_queue<std::pair<std::int64_t, std::int32_t>> live;
  std::vector<SectionTop> tops;
  std::size_t next = 0;
  for (std::size_t s = first; s < last; ++s) {
    for (; next < pieces.size() && static_cast<std::size_t>(pieces[next].first) <= s; ++next) {
      live.emplace(pieces[next].top, pieces[next].last);
    }
    while (!live.empty() && static_cast<std::size_t>(live.top().second) <= s) live.pop();
    const Section& section = sections[s];
    tops.push_back({section.start, section.end, section.load, live.empty() ? 0 : live.top().first});
  }
  return tops;
}

}  // namespace stowage
