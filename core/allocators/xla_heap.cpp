#include "core/allocators/xla_heap.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/placed_conflicts.h"

namespace stowage {

XlaHeap::XlaHeap(const Problem& problem, Commit commit, const RunContext& context)
    : problem_(problem), commit_(commit), context_(context), overlaps_(all_overlaps(problem)), parts_(problem.size()) {}

void XlaHeap::clear() {
  for (const BufferIndex i : committed_) parts_[i].clear();
  committed_.clear();
  size_ = 0;
}

std::optional<XlaHeap::Candidate> XlaHeap::find(const Unit& unit, Choice choice, std::optional<std::int64_t> hint) {
  used_.clear();
  for (const Body::Member& member : unit.members) gather(member.buffer, problem_[member.buffer].start);
  merge();
  const std::vector<FreeChunk> free = chunks(unit);
  if (hint && *hint >= 0 && unit.grid.holds(*hint)) {
    const auto above = std::upper_bound(free.begin(), free.end(), *hint,
                                        [](std::int64_t at, const FreeChunk& chunk) { return at < chunk.start; });
    if (above != free.begin() && *hint <= std::prev(above)->end - unit.extent) {
      return Candidate{*hint, "the preferred offset is free"};
    }
  }
  say_rejected(unit);
  const FreeChunk* best = nullptr;
  for (const FreeChunk& chunk : free) {
    if (unit.grid.up(chunk.start) > chunk.end - unit.extent) continue;
    if (best == nullptr || chunk.length() < best->length()) best = &chunk;
    if (choice == Choice::kLowest) break;
  }
  if (best == nullptr) return std::nullopt;
  Candidate candidate{unit.grid.up(best->start), {}};
  if (!context_.records()) return candidate;
  if (best->open()) {
    candidate.why = "no chunk below is large enough, so on top";
  } else if (choice == Choice::kLowest) {
    candidate.why = "the lowest free chunk that is large enough";
  } else {
    candidate.why = fmt::format("the smallest free chunk that is large enough, {} bytes", best->length());
  }
  return candidate;
}

void XlaHeap::commit(const Unit& unit, std::int64_t offset) {
  for (const Body::Member& member : unit.members) {
    const Buffer& buffer = problem_[member.buffer];
    if (!buffer.takes_memory()) continue;
    Part part{offset, offset + unit.extent, buffer.start};
    if (commit_ == Commit::kOwnBytes) {
      part.low = offset + member.relative;
      part.high = part.low + buffer.size;
    }
    commit_parts(member.buffer, {part});
  }
}

void XlaHeap::commit_parts(BufferIndex buffer, std::vector<Part> parts) {
  for (const Part& part : parts) size_ = std::max(size_, part.high);
  if (parts_[buffer].empty()) committed_.push_back(buffer);
  parts_[buffer] = std::move(parts);
}

std::vector<XlaHeap::FreeChunk> XlaHeap::free_chunks(const Unit& unit, const std::vector<std::int64_t>& since) {
  used_.clear();
  for (std::size_t k = 0; k < unit.members.size(); ++k) gather(unit.members[k].buffer, since[k]);
  merge();
  say_rejected(unit);
  return chunks(unit);
}

const std::vector<XlaHeap::Used>& XlaHeap::used_beside(BufferIndex buffer, std::int64_t since) {
  used_.clear();
  gather(buffer, since);
  merge();
  return used_;
}

/// Adds what is used in conflict with the buffer at any time from `since` on.
void XlaHeap::gather(BufferIndex buffer, std::int64_t since) {
  for (const Overlap& overlap : overlaps_[buffer]) {
    const BufferIndex other = overlap.other;
    const bool at_all_times = problem_.has_edge(buffer, other) || problem_.clock(buffer) != nullptr;
    const std::int64_t end = std::min(problem_[buffer].end, problem_[other].end);
    for (const Part& part : parts_[other]) {
      if (at_all_times || std::max(since, part.start) < end) used_.push_back({part.low, part.high, other});
    }
  }
}

/// Sorts, and joins what overlaps; chunks that only touch stay apart.
void XlaHeap::merge() {
  std::sort(used_.begin(), used_.end(), [](const Used& a, const Used& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.owner < b.owner;
  });
  std::size_t kept = 0;
  for (const Used& used : used_) {
    if (kept > 0 && used.low < used_[kept - 1].high) {
      used_[kept - 1].high = std::max(used_[kept - 1].high, used.high);
    } else {
      used_[kept++] = used;
    }
  }
  used_.resize(kept);
}

/// What the used bytes leave. Only chunks in which the leader fits count, and alignment moves their starts.
std::vector<XlaHeap::FreeChunk> XlaHeap::chunks(const Unit& unit) const {
  std::vector<FreeChunk> free;
  const std::int64_t leader = problem_[unit.leader].size;
  std::int64_t start = 0;
  for (const Used& used : used_) {
    if (start <= used.low - leader) free.push_back({start, used.low});
    start = std::max(start, unit.grid.up(used.high));
  }
  free.push_back({start, kMaxInt64});
  return free;
}

void XlaHeap::say_rejected(const Unit& unit) const {
  if (!context_.records()) return;
  std::int64_t start = unit.grid.up(0);
  for (const Used& used : used_) {
    if (start < used.high) say_blocked(context_, unit.leader, used.owner, start, used.low, unit.extent);
    start = std::max(start, unit.grid.up(used.high));
  }
}

}  // namespace stowage
