#include "core/allocators/capacity_tables.h"

#include <algorithm>
#include <numeric>

#include "core/allocators/order.h"

namespace stowage {
namespace {

/// A rank for each buffer by the letters in turn, larger first; equal ones share it, or go by row.
std::vector<std::uint32_t> ranks(const Problem& problem, std::string_view letters, bool equal_share) {
  std::vector<OrderLetter> keys;
  for (const char letter : letters) keys.push_back(order_letter(problem, letter));
  std::vector<BufferIndex> order(problem.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  const auto before = [&](BufferIndex a, BufferIndex b) {
    for (const OrderLetter& key : keys) {
      if (key[a] != key[b]) return key[a] > key[b];
    }
    return false;
  };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<std::uint32_t> rank(problem.size());
  std::uint32_t next = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && (!equal_share || before(order[k - 1], order[k]))) ++next;
    rank[order[k]] = next;
  }
  return rank;
}

Lists<Span> all_spans(const Problem& problem) {
  Lists<Span> spans;
  spans.reserve(problem.size(), problem.size());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) { spans.add(span); });
    spans.close_list();
  }
  return spans;
}

Lists<Overlap> flat_overlaps(const Problem& problem) {
  const std::vector<std::vector<Overlap>> all = all_overlaps(problem);
  std::size_t items = 0;
  for (const std::vector<Overlap>& list : all) items += list.size();
  Lists<Overlap> overlaps;
  overlaps.reserve(all.size(), items);
  for (const std::vector<Overlap>& list : all) {
    for (const Overlap& overlap : list) overlaps.add(overlap);
    overlaps.close_list();
  }
  return overlaps;
}

Lists<BufferIndex> active_buffers(std::size_t buffers, std::size_t sections, const Lists<Span>& spans) {
  std::vector<std::vector<BufferIndex>> of(sections);
  std::size_t items = 0;
  for (BufferIndex i = 0; i < buffers; ++i) {
    for (const Span& span : spans[i]) {
      for (std::int32_t s = span.first; s < span.last; ++s, ++items) of[static_cast<std::size_t>(s)].push_back(i);
    }
  }
  Lists<BufferIndex> active;
  active.reserve(sections, items);
  for (const std::vector<BufferIndex>& list : of) {
    for (const BufferIndex i : list) active.add(i);
    active.close_list();
  }
  return active;
}

}  // namespace

CapacityTables::CapacityTables(const Problem& problem)
    : spans(all_spans(problem)),
      overlaps(flat_overlaps(problem)),
      active(active_buffers(problem.size(), problem.sections().count(), spans)),
      partitions(stowage::partitions(problem.buffers(), problem.sections())),
      cuts(stowage::cuts(problem.buffers(), problem.sections())) {
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    grids.push_back(problem.grid(i));
    sizes.push_back(problem[i].size);
    for (const Overlap& overlap : overlaps[i]) has_windows_at_odds |= overlap.effective_size <= 0;
  }
}

OrderKeys::OrderKeys(const Problem& problem, std::string_view letters) {
  const std::size_t load = letters.find('T');
  by_load = load != std::string_view::npos;
  before = ranks(problem, letters.substr(0, load), true);
  after = ranks(problem, by_load ? letters.substr(load + 1) : std::string_view(), false);
}

}  // namespace stowage
