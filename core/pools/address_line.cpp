#include "core/pools/address_line.h"

#include <iterator>

namespace stowage {

std::optional<std::int64_t> AddressLine::take(std::int64_t size) {
  const auto found = by_size_.lower_bound({size, 0});
  if (found == by_size_.end()) {
    if (size > kAddressLimit - top_) return std::nullopt;
    const std::int64_t address = top_;
    top_ += size;
    return address;
  }
  const std::int64_t hole = found->first;
  const std::int64_t address = found->second;
  remove_hole(holes_.find(address));
  if (hole > size) add_hole(address + size, hole - size);
  return address;
}

void AddressLine::give_back(std::int64_t address, std::int64_t size) {
  auto above = holes_.lower_bound(address);
  if (above != holes_.begin()) {
    const auto below = std::prev(above);
    if (below->first + below->second == address) {
      address = below->first;
      size += below->second;
      remove_hole(below);
    }
  }
  if (above != holes_.end() && address + size == above->first) {
    size += above->second;
    remove_hole(above);
  }
  if (address + size == top_) {
    top_ = address;
  } else {
    add_hole(address, size);
  }
}

void AddressLine::add_hole(std::int64_t address, std::int64_t size) {
  holes_.emplace(address, size);
  by_size_.emplace(size, address);
}

void AddressLine::remove_hole(std::map<std::int64_t, std::int64_t>::iterator hole) {
  by_size_.erase({hole->second, hole->first});
  holes_.erase(hole);
}

}  // namespace stowage
