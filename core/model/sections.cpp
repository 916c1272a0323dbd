#include "core/model/sections.h"

#include <algorithm>

#include "core/base/radix_sort.h"
#include "core/model/lifetime.h"
#include "core/model/problem.h"
#include "core/model/running_load.h"

namespace stowage {
namespace {

/// A piece of a buffer on its way through the sweep.
struct SweptPiece {
  BufferIndex buffer = kNoBuffer;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
};

std::span<const Gap> gaps_of(const ProblemInput& input, const Buffer& buffer) {
  if (buffer.details == Buffer::kNoDetails) return {};
  return input.details[buffer.details].gaps;
}

std::vector<KeyedIndex> sorted_by(const std::vector<SweptPiece>& pieces, std::int64_t SweptPiece::*time) {
  std::vector<KeyedIndex> events(pieces.size());
  for (std::uint32_t i = 0; i < events.size(); ++i) events[i] = {sort_key(pieces[i].*time), i};
  radix_sort(events);
  return events;
}

/// Cuts the time of one space; `pieces` gets its sections, `sections` the new ones at its end.
void sweep(std::vector<SweptPiece>& pieces, const Bodies& bodies, std::vector<Section>& sections) {
  const std::vector<KeyedIndex> arrivals = sorted_by(pieces, &SweptPiece::start);
  const std::vector<KeyedIndex> departures = sorted_by(pieces, &SweptPiece::end);
  RunningLoad load(bodies);
  std::int64_t start = 0;
  std::size_t arrived = 0;
  for (std::size_t departed = 0; departed < departures.size();) {
    const std::int64_t end = pieces[departures[departed].index].end;
    for (; arrived < arrivals.size(); ++arrived) {
      SweptPiece& piece = pieces[arrivals[arrived].index];
      if (piece.start >= end) break;
      piece.first = static_cast<std::int32_t>(sections.size());
      load.arrive(piece.buffer, piece.low, piece.high);
      start = piece.start;
    }
    sections.push_back({start, end, load.bytes()});
    for (; departed < departures.size() && departures[departed].key == sort_key(end); ++departed) {
      SweptPiece& piece = pieces[departures[departed].index];
      piece.last = static_cast<std::int32_t>(sections.size());
      load.depart(piece.buffer, piece.low, piece.high);
    }
    start = end;
  }
}

}  // namespace

Sections::Sections(const ProblemInput& input, const Bodies& bodies) {
  const std::size_t count = input.buffers.size();
  ranges_.resize(count);
  const bool any_gaps =
      std::any_of(input.details.begin(), input.details.end(), [](const Details& d) { return !d.gaps.empty(); });
  std::vector<std::vector<Span>> spans_of(any_gaps ? count : 0);

  std::vector<SweptPiece> pieces;
  for (std::size_t space = 0; space < input.spaces.size(); ++space) {
    first_of_space_.push_back(static_cast<std::int32_t>(sections_.size()));
    pieces.clear();
    pieces.reserve(count);
    for (BufferIndex i = 0; i < count; ++i) {
      const Buffer& buffer = input.buffers[i];
      if (buffer.space != space) continue;
      for_each_piece(buffer, gaps_of(input, buffer), [&](const Piece& piece) {
        pieces.push_back({i, piece.start, piece.end, piece.low, piece.high, 0, 0});
      });
    }
    sweep(pieces, bodies, sections_);
    for (const SweptPiece& piece : pieces) {  // in buffer and time order
      SectionRange& range = ranges_[piece.buffer];
      if (range.first == range.last) range.first = piece.first;
      range.last = piece.last;
      if (any_gaps) spans_of[piece.buffer].push_back({piece.first, piece.last, piece.low, piece.high});
    }
  }
  first_of_space_.push_back(static_cast<std::int32_t>(sections_.size()));

  if (any_gaps) {
    span_begin_.push_back(0);
    for (const std::vector<Span>& spans : spans_of) {
      spans_.insert(spans_.end(), spans.begin(), spans.end());
      span_begin_.push_back(static_cast<std::uint32_t>(spans_.size()));
    }
  }
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    if (peak_ >= 0 && sections_[s].load <= load_) continue;
    load_ = sections_[s].load;
    peak_ = static_cast<std::int32_t>(s);
  }
}

std::int64_t Sections::load_of_space(std::size_t space) const {
  std::int64_t load = 0;
  for (auto s = first_of_space_[space]; s < first_of_space_[space + 1]; ++s) {
    load = std::max(load, sections_[static_cast<std::size_t>(s)].load);
  }
  return load;
}

std::int32_t Sections::peak_of_space(std::size_t space) const {
  std::int32_t peak = -1;
  for (auto s = first_of_space_[space]; s < first_of_space_[space + 1]; ++s) {
    const std::int64_t load = sections_[static_cast<std::size_t>(s)].load;
    if (peak < 0 || load > sections_[static_cast<std::size_t>(peak)].load) peak = s;
  }
  return peak;
}

std::vector<Partition> partitions(std::span<const Buffer> buffers, const Sections& sections) {
  std::vector<BufferIndex> order;
  order.reserve(buffers.size());
  for (BufferIndex i = 0; i < buffers.size(); ++i) {
    if (sections.range(i).length() > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    const std::int32_t first_a = sections.range(a).first;
    const std::int32_t first_b = sections.range(b).first;
    if (first_a != first_b) return first_a < first_b;
    return buffers[a].start != buffers[b].start ? buffers[a].start < buffers[b].start : a < b;
  });
  std::vector<Partition> result;
  for (const BufferIndex i : order) {
    const SectionRange range = sections.range(i);
    if (result.empty() || range.first >= result.back().last) {
      result.push_back(Partition{{}, range.first, range.last});
    }
    result.back().buffers.push_back(i);
    result.back().last = std::max(result.back().last, range.last);
  }
  return result;
}

std::vector<std::int32_t> cuts(std::span<const Buffer> buffers, const Sections& sections) {
  if (sections.count() < 2) return {};
  std::vector<std::int32_t> steps(sections.count(), 0);  // differences of the answer
  for (BufferIndex i = 0; i < buffers.size(); ++i) {
    const SectionRange range = sections.range(i);
    if (range.length() < 2) continue;
    steps[static_cast<std::size_t>(range.first)] += 1;
    steps[static_cast<std::size_t>(range.last - 1)] -= 1;
  }
  std::vector<std::int32_t> result(sections.count() - 1);
  std::int32_t crossing = 0;
  for (std::size_t s = 0; s + 1 < sections.count(); ++s) {
    crossing += steps[s];
    result[s] = crossing;
  }
  return result;
}

}  // namespace stowage
