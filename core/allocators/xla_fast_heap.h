#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "core/allocators/unit.h"
#include "core/run/run.h"

namespace stowage {

/// The free-space manager of XLA's fast strategies. Units come by rising start, so that it need only know what is free
/// now: chunks whose owner has ended are given back first. It knows nothing but time, the hull of a unit's lifetimes.
class XlaFastHeap {
 public:
  /// Everything below `floor` is somebody else's.
  explicit XlaFastHeap(std::int64_t floor);

  /// Gives back what ends at `time` or before.
  void release_until(std::int64_t time);
  /// The smallest free chunk in which the unit fits when aligned, the lowest of equals. Nothing when there is none
  /// below 2^63.
  std::optional<std::int64_t> find(const Unit& unit) const;
  void take(const Unit& unit, std::int64_t offset);
  /// Records why the chunks below are too small.
  void say_rejected(const Unit& unit, const RunContext& context) const;

  std::int64_t size() const { return size_; }

 private:
  void add_free(std::int64_t start, std::int64_t end);
  void remove_free(std::map<std::int64_t, std::int64_t>::iterator chunk);

  struct Active {
    std::int64_t end_time = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool operator>(const Active& other) const {
      return end_time != other.end_time ? end_time > other.end_time : low > other.low;
    }
  };
  std::map<std::int64_t, std::int64_t> free_;                  // start -> end
  std::set<std::pair<std::int64_t, std::int64_t>> by_length_;  // (length, start)
  std::priority_queue<Active, std::vector<Active>, std::greater<>> active_;
  std::map<std::int64_t, BufferIndex> owners_;  // of what is in use, by its lowest address
  std::int64_t size_ = 0;
};

}  // namespace stowage
