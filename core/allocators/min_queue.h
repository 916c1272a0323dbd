#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stowage {

/// A priority queue with the least element on top, as a heap of four children a node: half the levels, and so half the
/// cache misses, of std::priority_queue; and the top can be replaced in one go, which is what lazy re-evaluation does.
template <typename T>
class MinQueue {
 public:
  /// Elements may be appended in any order, and arrange() brings them into the order that all the rest relies on.
  void append(T element) { heap_.push_back(std::move(element)); }
  void arrange() {
    for (std::size_t i = heap_.size() / kChildren + 1; i-- > 0;) sink(i);
  }

  bool empty() const { return heap_.empty(); }
  const T& top() const { return heap_.front(); }

  void replace_top(T element) {
    heap_.front() = std::move(element);
    sink(0);
  }
  void pop() {
    heap_.front() = std::move(heap_.back());
    heap_.pop_back();
    sink(0);
  }

 private:
  static constexpr std::size_t kChildren = 4;

  void sink(std::size_t at) {
    if (at >= heap_.size()) return;
    T element = std::move(heap_[at]);
    while (true) {
      const std::size_t begin = kChildren * at + 1;
      if (begin >= heap_.size()) break;
      const std::size_t end = std::min(begin + kChildren, heap_.size());
      std::size_t least = begin;
      for (std::size_t child = begin + 1; child < end; ++child) {
        if (heap_[child] < heap_[least]) least = child;
      }
      if (!(heap_[least] < element)) break;
      heap_[at] = std::move(heap_[least]);
      at = least;
    }
    heap_[at] = std::move(element);
  }

  std::vector<T> heap_;
};

}  // namespace stowage
