#include "core/transforms/free_storages.h"

#include <algorithm>

#include "core/base/integers.h"

namespace stowage {

void FreeStorages::put(std::uint32_t storage, std::int64_t bytes, const std::string& key, std::uint32_t colour) {
  const Free free{storage, colour};
  ++count_;
  switch (kind_) {
    case FreeList::kExact:
      exact_[{key, bytes}].push_back(free);
      return;
    case FreeList::kOldest:
      oldest_[key].push_back(free);
      return;
    default:
      sized_[key].emplace(bytes, free);
  }
}

std::optional<std::uint32_t> FreeStorages::take(std::int64_t bytes, const std::string& key, std::uint32_t colour) {
  if (range_ == 0) return std::nullopt;
  std::optional<std::uint32_t> taken;
  if (kind_ == FreeList::kExact) {
    taken = take_exact(bytes, key, colour);
  } else if (kind_ == FreeList::kOldest) {
    taken = take_oldest(key, colour);
  } else if (const auto pool = sized_.find(key); pool != sized_.end()) {
    taken = take_sized(pool->second, bytes, colour);
  }
  if (taken) --count_;
  return taken;
}

std::optional<std::uint32_t> FreeStorages::take_sized(BySize& pool, std::int64_t bytes, std::uint32_t colour) {
  const bool limited = kind_ == FreeList::kRange;
  const Int128 most = static_cast<Int128>(bytes) * range_;
  const auto low = limited ? pool.lower_bound(bytes / range_) : pool.begin();
  const auto middle = pool.lower_bound(bytes);
  const auto high = limited && most < kMaxInt64 ? pool.upper_bound(static_cast<std::int64_t>(most)) : pool.end();
  const auto take = [&](BySize::iterator at) {
    const std::uint32_t storage = at->second.storage;
    pool.erase(at);
    return storage;
  };
  for (auto at = middle; at != high; ++at) {
    if (at->second.colour == colour) return take(at);
  }
  for (auto at = middle; at != low;) {
    --at;
    if (at->second.colour == colour) return take(at);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> FreeStorages::take_exact(std::int64_t bytes, const std::string& key,
                                                      std::uint32_t colour) {
  const auto pool = exact_.find({key, bytes});
  if (pool == exact_.end()) return std::nullopt;
  std::vector<Free>& stack = pool->second;
  const auto found =
      std::find_if(stack.rbegin(), stack.rend(), [&](const Free& free) { return free.colour == colour; });
  if (found == stack.rend()) return std::nullopt;
  const std::uint32_t storage = found->storage;
  stack.erase(std::next(found).base());
  return storage;
}

std::optional<std::uint32_t> FreeStorages::take_oldest(const std::string& key, std::uint32_t colour) {
  const auto pool = oldest_.find(key);
  if (pool == oldest_.end()) return std::nullopt;
  std::deque<Free>& queue = pool->second;
  const auto found = std::find_if(queue.begin(), queue.end(), [&](const Free& free) { return free.colour == colour; });
  if (found == queue.end()) return std::nullopt;
  const std::uint32_t storage = found->storage;
  queue.erase(found);
  return storage;
}

}  // namespace stowage
