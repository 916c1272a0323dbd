#include "core/model/sections.h"

#include <algorithm>
#include <limits>

#include "core/model/lifetime.h"
#include "core/model/problem.h"

namespace stowage {
namespace {

/// A piece of a buffer on its way through the sweep.
struct Event {
  std::int64_t time = 0;
  std::uint32_t piece = 0;
  bool operator<(const Event& other) const { return time != other.time ? time < other.time : piece < other.piece; }
};

struct SweptPiece {
  BufferIndex buffer = kNoBuffer;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
};

std::span<const Gap> gaps_of(const ProblemInput& input, const Buffer& buffer) {
  if (buffer.details == Buffer::kNoDetails) return {};
  return input.details[buffer.details].gaps;
}

/// Cuts the time of one space; `pieces` gets its sections, `sections` the new ones at its end.
void sweep(std::vector<Event>& arrivals, std::vector<Event>& departures, std::vector<SweptPiece>& pieces,
           std::vector<Section>& sections) {
  std::sort(arrivals.begin(), arrivals.end());
  std::sort(departures.begin(), departures.end());
  std::int64_t load = 0;
  std::int64_t start = 0;
  std::size_t arrived = 0;
  for (std::size_t departed = 0; departed < departures.size();) {
    const std::int64_t end = departures[departed].time;
    for (; arrived < arrivals.size() && arrivals[arrived].time < end; ++arrived) {
      SweptPiece& piece = pieces[arrivals[arrived].piece];
      piece.first = static_cast<std::int32_t>(sections.size());
      load += piece.high - piece.low;
      start = arrivals[arrived].time;
    }
    sections.push_back({start, end, load});
    for (; departed < departures.size() && departures[departed].time == end; ++departed) {
      SweptPiece& piece = pieces[departures[departed].piece];
      piece.last = static_cast<std::int32_t>(sections.size());
      load -= piece.high - piece.low;
    }
    start = end;
  }
}

}  // namespace

Sections::Sections(const ProblemInput& input) {
  const std::size_t count = input.buffers.size();
  ranges_.resize(count);
  const bool any_gaps =
      std::any_of(input.details.begin(), input.details.end(), [](const Details& d) { return !d.gaps.empty(); });
  std::vector<std::vector<Span>> spans_of(any_gaps ? count : 0);

  std::vector<Event> arrivals;
  std::vector<Event> departures;
  std::vector<SweptPiece> pieces;
  for (std::size_t space = 0; space < input.spaces.size(); ++space) {
    first_of_space_.push_back(static_cast<std::int32_t>(sections_.size()));
    arrivals.clear();
    departures.clear();
    pieces.clear();
    for (BufferIndex i = 0; i < count; ++i) {
      const Buffer& buffer = input.buffers[i];
      if (buffer.space != space) continue;
      for_each_piece(buffer, gaps_of(input, buffer), [&](const Piece& piece) {
        const auto at = static_cast<std::uint32_t>(pieces.size());
        arrivals.push_back({piece.start, at});
        departures.push_back({piece.end, at});
        pieces.push_back({i, piece.low, piece.high, 0, 0});
      });
    }
    sweep(arrivals, departures, pieces, sections_);
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
