#include "core/allocators/conflict_bits.h"

#include <algorithm>

#include "core/model/conflicts.h"

namespace stowage {

ConflictBits::ConflictBits(const Problem& problem)
    : words_((problem.size() + 63) / 64), bits_(problem.size() * words_, 0) {
  if (problem.needs().clocks || problem.constraints().conflicts_only) {
    for_each_conflict(problem, [&](BufferIndex a, BufferIndex b) {
      set(a, b);
      set(b, a);
    });
    return;
  }
  add_lifetimes(problem);
  for (const ConflictEdge& edge : problem.constraints().conflicts) {
    set(edge.a, edge.b);
    set(edge.b, edge.a);
  }
  if (problem.spaces().size() > 1) keep_spaces_apart(problem);
}

/// A whole row at a time: what has begun before a lifetime ends, without what has ended before it begins.
void ConflictBits::add_lifetimes(const Problem& problem) {
  const auto range = [&](BufferIndex i) {
    return problem.sections().range(i);
  };
  std::vector<BufferIndex> by_first;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    if (range(i).length() > 0) by_first.push_back(i);
  }
  std::vector<BufferIndex> by_last = by_first;
  std::sort(by_first.begin(), by_first.end(),
            [&](BufferIndex a, BufferIndex b) { return range(a).first < range(b).first; });
  std::sort(by_last.begin(), by_last.end(),
            [&](BufferIndex a, BufferIndex b) { return range(a).last < range(b).last; });
  std::vector<std::uint64_t> begun(words_, 0);
  auto next = by_first.begin();
  for (const BufferIndex i : by_last) {
    for (; next != by_first.end() && range(*next).first < range(i).last; ++next) {
      begun[*next / 64] |= std::uint64_t{1} << (*next % 64);
    }
    std::copy(begun.begin(), begun.end(), bits_.begin() + static_cast<std::ptrdiff_t>(i * words_));
  }
  std::vector<std::uint64_t> ended(words_, 0);
  auto over = by_last.begin();
  for (const BufferIndex i : by_first) {
    for (; over != by_last.end() && range(*over).last <= range(i).first; ++over) {
      ended[*over / 64] |= std::uint64_t{1} << (*over % 64);
    }
    for (std::size_t word = 0; word < words_; ++word) bits_[i * words_ + word] &= ~ended[word];
  }
}

void ConflictBits::keep_spaces_apart(const Problem& problem) {
  std::vector<std::vector<std::uint64_t>> of_space(problem.spaces().size(), std::vector<std::uint64_t>(words_, 0));
  for (BufferIndex i = 0; i < problem.size(); ++i) of_space[problem[i].space][i / 64] |= std::uint64_t{1} << (i % 64);
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const std::vector<std::uint64_t>& same = of_space[problem[i].space];
    for (std::size_t word = 0; word < words_; ++word) bits_[i * words_ + word] &= same[word];
  }
}

}  // namespace stowage
