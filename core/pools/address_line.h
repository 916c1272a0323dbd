#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace stowage {

/// No address is above; below, no sum of two of them passes int64.
inline constexpr std::int64_t kAddressLimit = std::int64_t{1} << 62U;

/// The addresses that a device gives away: a request gets the smallest hole that is large enough (the lowest of equal
/// ones), else what lies above everything. Which addresses a real driver gives is its secret; so that addresses stay
/// comparable, holes are used again.
class AddressLine {
 public:
  /// Nothing when it would end above 2^62. O(log holes).
  std::optional<std::int64_t> take(std::int64_t size);
  void give_back(std::int64_t address, std::int64_t size);

 private:
  void add_hole(std::int64_t address, std::int64_t size);
  void remove_hole(std::map<std::int64_t, std::int64_t>::iterator hole);

  std::int64_t top_ = 0;
  std::map<std::int64_t, std::int64_t> holes_;               // address -> size
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // size, address
};

}  // namespace stowage
