#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/transforms/colours.h"

namespace stowage {

/// Which of the free storages a request gets.
enum class FreeList {
  kRange,  // the smallest that is large enough and at most `range` times too large; else the largest of those that are
           // at most `range` times too small, and that one grows
  kBestFit,  // the same without limits
  kExact,    // the same key and size only, the one that came back last
  kOldest,   // the one that came back first, whatever its size: the box of the lecture
};

/// Free storages, by what planners tell them apart. A colour keeps memory on the path of the op that gave it back.
class FreeStorages {
 public:
  /// `range` 0: nothing is ever taken again.
  FreeStorages(FreeList kind, std::int64_t range) : kind_(kind), range_(range) {}

  void put(std::uint32_t storage, std::int64_t bytes, const std::string& key, std::uint32_t colour);
  std::optional<std::uint32_t> take(std::int64_t bytes, const std::string& key, std::uint32_t colour);
  bool empty() const { return count_ == 0; }

 private:
  struct Free {
    std::uint32_t storage = 0;
    std::uint32_t colour = 0;
  };
  using BySize = std::multimap<std::int64_t, Free>;

  std::optional<std::uint32_t> take_sized(BySize& pool, std::int64_t bytes, std::uint32_t colour);
  std::optional<std::uint32_t> take_exact(std::int64_t bytes, const std::string& key, std::uint32_t colour);
  std::optional<std::uint32_t> take_oldest(const std::string& key, std::uint32_t colour);

  FreeList kind_;
  std::int64_t range_;
  std::size_t count_ = 0;
  std::map<std::string, BySize> sized_;
  std::map<std::pair<std::string, std::int64_t>, std::vector<Free>> exact_;
  std::map<std::string, std::deque<Free>> oldest_;
};

}  // namespace stowage
