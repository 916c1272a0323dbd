#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stowage {

/// Lists of different lengths in one block.
template <typename T>
class Lists {
 public:
  void reserve(std::size_t lists, std::size_t items) {
    begin_.reserve(lists + 1);
    items_.reserve(items);
  }
  void add(const T& item) { items_.push_back(item); }
  void close_list() { begin_.push_back(items_.size()); }
  std::size_t size() const { return begin_.size() - 1; }
  std::span<const T> operator[](std::size_t i) const { return {items_.data() + begin_[i], begin_[i + 1] - begin_[i]}; }

 private:
  std::vector<std::size_t> begin_ = {0};
  std::vector<T> items_;
};

}  // namespace stowage
