#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace stowage {

/// A list of millions of small things that grows at its end: it is never there twice, as a vector is while it moves,
/// and its chunks are so large that where they begin is always in cache, which those of a deque are not.
template <typename T>
class Chunked {
 public:
  std::size_t size() const { return size_; }

  T& operator[](std::size_t i) { return chunks_[i >> kBits][i & kMask]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> kBits][i & kMask]; }
  T& back() { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ >> kBits == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kMask + 1));
    chunks_[size_ >> kBits][size_ & kMask] = value;
    ++size_;
  }
  /// Forgets all from `size` on.
  void cut_to(std::size_t size) { size_ = size; }

 private:
  static constexpr std::size_t kBits = 12;
  static constexpr std::size_t kMask = (std::size_t{1} << kBits) - 1;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace stowage
