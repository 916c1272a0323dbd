#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// Many short strings in one block: a million names cost their letters plus 4 bytes each. Total at most 4 GiB.
class Names {
 public:
  void push_back(std::string_view name) {
    text_.append(name);
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  }
  void reserve(std::size_t count, std::size_t letters) {
    ends_.reserve(count);
    text_.reserve(letters);
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }
  bool operator==(const Names&) const = default;

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace stowage
