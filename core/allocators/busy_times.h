#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace stowage {

/// The times at which something is in use, as disjoint stretches [start, end).
class BusyTimes {
 public:
  bool is_free(std::int64_t start, std::int64_t end) const {
    const auto after = end_of_.lower_bound(end);  // the first that begins too late to matter
    return after == end_of_.begin() || std::prev(after)->second <= start;
  }
  /// [start, end) must be free, and not empty.
  void add(std::int64_t start, std::int64_t end) { end_of_.emplace(start, end); }

 private:
  std::map<std::int64_t, std::int64_t> end_of_;  // by start
};

}  // namespace stowage
