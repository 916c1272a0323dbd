#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// The largest of any range of numbers that do not change, in blocks of 64 of them: short ranges are read through.
class RangeMax {
 public:
  explicit RangeMax(std::span<const std::int64_t> values) : values_(values.begin(), values.end()) {
    for (std::size_t at = 0; at < values_.size(); at += kBlock) {
      blocks_.push_back(largest(values_, at, std::min(at + kBlock, values_.size())));
    }
  }

  /// [first, last), not empty.
  std::int64_t operator()(std::int32_t first, std::int32_t last) const {
    const auto begin = static_cast<std::size_t>(first);
    const auto end = static_cast<std::size_t>(last);
    const std::size_t first_block = (begin + kBlock - 1) / kBlock;
    const std::size_t last_block = end / kBlock;
    if (first_block >= last_block) return largest(values_, begin, end);
    std::int64_t found = largest(blocks_, first_block, last_block);
    if (begin < first_block * kBlock) found = std::max(found, largest(values_, begin, first_block * kBlock));
    if (last_block * kBlock < end) found = std::max(found, largest(values_, last_block * kBlock, end));
    return found;
  }

 private:
  static constexpr std::size_t kBlock = 64;

  static std::int64_t largest(const std::vector<std::int64_t>& values, std::size_t begin, std::size_t end) {
    std::int64_t found = values[begin];
    for (std::size_t k = begin + 1; k < end; ++k) found = std::max(found, values[k]);
    return found;
  }

  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> blocks_;
};

}  // namespace stowage
