#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace stowage {

/// Things in use, and when each is over.
class ReleaseQueue {
 public:
  void add(std::int64_t end, std::uint32_t thing) { in_use_.emplace(end, thing); }

  /// Takes out all that are over at `now` and calls visit(thing) for each: by rising end, then by rising number.
  template <typename Visit>
  void release(std::int64_t now, Visit&& visit) {
    while (!in_use_.empty() && in_use_.top().first <= now) {
      const std::uint32_t thing = in_use_.top().second;
      in_use_.pop();
      visit(thing);
    }
  }

 private:
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> in_use_;
};

}  // namespace stowage
