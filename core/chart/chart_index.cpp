#include "core/chart/chart_index.h"

#include <algorithm>
#include <cmath>

#include "core/model/lifetime.h"

namespace stowage {

namespace {

bool drawn(const std::vector<std::int64_t>& offsets, BufferIndex buffer) {
  return buffer < offsets.size() && offsets[buffer] != kNoOffset;
}

/// Distance from a point to [low, high), 0 inside.
double distance(double point, double low, double high) {
  return std::max({0.0, low - point, point - high});
}

struct Best {
  BufferIndex buffer = kNoBuffer;
  bool thin = false;
  double distance = 0;

  void offer(BufferIndex candidate, bool is_thin, double its_distance) {
    const bool better = buffer == kNoBuffer || (is_thin && !thin) || (is_thin == thin && its_distance <= distance);
    if (!better) return;
    buffer = candidate;
    thin = is_thin;
    distance = its_distance;
  }
};

}  // namespace

ChartEntry chart_entry(const Problem& problem, BufferIndex buffer) {
  const Buffer& b = problem[buffer];
  return ChartEntry{b.start, b.end, b.size, buffer, b.kind, b.details != Buffer::kNoDetails};
}

ChartIndex::ChartIndex(const Problem& problem, std::uint16_t space) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (problem.may_lie_in(i, space)) entries_.push_back(chart_entry(problem, i));
  }
  const auto earlier = [](const ChartEntry& a, const ChartEntry& b) {
    return a.start != b.start ? a.start < b.start : a.buffer < b.buffer;
  };
  if (!std::is_sorted(entries_.begin(), entries_.end(), earlier)) {
    std::sort(entries_.begin(), entries_.end(), earlier);
  }
  for (std::size_t begin = 0; begin < entries_.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, entries_.size());
    std::int64_t last = entries_[begin].end;
    for (std::size_t k = begin + 1; k < end; ++k) last = std::max(last, entries_[k].end);
    block_end_.push_back(last);
  }
}

std::size_t ChartIndex::at_most(double low, double high) const {
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < entries_.size(); begin += kBlock) {
    if (static_cast<double>(entries_[begin].start) > high) break;
    if (static_cast<double>(block_end_[begin / kBlock]) >= low) count += std::min(kBlock, entries_.size() - begin);
  }
  return count;
}

BufferIndex pick(const Problem& problem, const ChartIndex& index, const std::vector<std::int64_t>& offsets, double time,
                 double byte) {
  BufferIndex found = kNoBuffer;
  index.visit(time, time, problem, [&](BufferIndex i) {
    if (!drawn(offsets, i)) return;
    const double at = byte - static_cast<double>(offsets[i]);
    for_each_piece(problem[i], problem.gaps(i), [&](const Piece& piece) {
      const bool inside = time >= static_cast<double>(piece.start) && time < static_cast<double>(piece.end) &&
                          at >= static_cast<double>(piece.low) && at < static_cast<double>(piece.high);
      if (inside) found = i;
    });
  });
  return found;
}

BufferIndex pick(const Problem& problem, const ChartIndex& index, const std::vector<std::int64_t>& offsets,
                 const Viewport& view, Point at, float tolerance) {
  if (!view.area.contains(at)) return kNoBuffer;
  Best best;
  const double x = static_cast<double>(at.x);
  const double y = static_cast<double>(at.y);
  const double reach = static_cast<double>(tolerance);
  const auto offer = [&](BufferIndex i, const Piece& piece) {
    const Int128 offset = offsets[i];
    const auto low_byte = static_cast<std::int64_t>(offset + piece.low);
    const auto high_byte = static_cast<std::int64_t>(offset + piece.high);
    const double left = static_cast<double>(view.x_of_step(piece.start));
    const double right = static_cast<double>(view.x_of_step(piece.end));
    const double top = static_cast<double>(view.y_of_address(high_byte));
    const double bottom = static_cast<double>(view.y_of_address(low_byte));
    const bool thin = right - left < 2 * reach || bottom - top < 2 * reach;
    const double away = std::max(distance(x, left, right), distance(y, top, bottom));
    if (thin ? away <= reach : x >= left && x < right && y > top && y <= bottom) best.offer(i, thin, away);
  };
  const double low = view.time_at(at.x - tolerance);
  const double high = view.time_at(at.x + tolerance);
  index.visit(low, high, problem, [&](BufferIndex i) {
    if (!drawn(offsets, i)) return;
    const Buffer& buffer = problem[i];
    if (!buffer.takes_memory()) return offer(i, Piece{buffer.start, buffer.end, 0, buffer.size});
    for_each_piece(buffer, problem.gaps(i), [&](const Piece& piece) { offer(i, piece); });
  });
  return best.buffer;
}

}  // namespace stowage
