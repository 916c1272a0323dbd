#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stowage {

/// Texts that many rows share (kinds, spaces), numbered in the order of their first use.
class Palette {
 public:
  static constexpr std::size_t kMost = 0xFFFF;  // Buffer holds 16-bit numbers

  /// The number of a text, added when it is new; nothing when there would be too many.
  std::optional<std::uint16_t> index(std::string_view name) {
    const auto found = numbers_.find(std::string(name));
    if (found != numbers_.end()) return found->second;
    if (names_.size() >= kMost) return std::nullopt;
    const auto number = static_cast<std::uint16_t>(names_.size());
    names_.emplace_back(name);
    numbers_.emplace(name, number);
    return number;
  }
  /// The number of a text that is there already.
  std::optional<std::uint16_t> find(std::string_view name) const {
    const auto found = numbers_.find(std::string(name));
    return found == numbers_.end() ? std::nullopt : std::optional<std::uint16_t>(found->second);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint16_t> numbers_;
};

}  // namespace stowage
