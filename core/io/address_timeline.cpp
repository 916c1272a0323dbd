#include "core/io/address_timeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace stowage {
namespace {

/// The end of a range of addresses; the last address when it would wrap around.
std::uint64_t end_of(std::uint64_t address, std::int64_t size) {
  const std::uint64_t end = address + static_cast<std::uint64_t>(size);
  return end < address ? ~std::uint64_t{0} : end;
}

}  // namespace

std::size_t AddressTimeline::add(AddressUse use) {
  use.use = uses_[use.address]++;
  all_.push_back(use);
  touch(use.address, end_of(use.address, use.size));
  return all_.size() - 1;
}

void AddressTimeline::begin(AddressUse use) {
  const std::uint64_t address = use.address;
  const std::uint64_t high = end_of(address, use.size);
  live_.emplace(address, Live{add(use), high});
}

void AddressTimeline::end(LiveMap::iterator live, std::int64_t event) {
  AddressUse& use = all_[live->second.which];
  use.end = event;
  use.waiting_since = live->second.waiting_since;
  live_.erase(live);
}

void AddressTimeline::alloc(std::int64_t event, AddressUse use) {
  const std::uint64_t address = use.address;
  const std::uint64_t high = end_of(address, use.size);
  auto at = live_.lower_bound(address);
  if (at != live_.begin() && (at == live_.end() || at->first != address) && std::prev(at)->second.high > address) --at;
  while (at != live_.end() && (at->first < high || at->first == address)) {
    const auto next = std::next(at);
    remark_(event, fmt::format("0x{:x} is given out while 0x{:x} is in use: a free is missing, the older one ends here",
                               address, at->first));
    end(at, event);
    at = next;
  }
  use.start = event;
  begin(use);
}

void AddressTimeline::free_requested(std::int64_t event, std::uint64_t address) {
  const auto found = live_.find(address);
  if (found != live_.end()) found->second.waiting_since = event;
}

void AddressTimeline::free_completed(std::int64_t event, std::uint64_t address, std::int64_t size) {
  const auto found = live_.find(address);
  if (found != live_.end()) {
    if (event - found->second.waiting_since <= 1) found->second.waiting_since = -1;
    return end(found, event);
  }
  if (touched(address, end_of(address, size))) {
    return remark_(event, fmt::format("0x{:x} is freed, but not in use", address));
  }
  AddressUse use;  // older than the trace
  use.address = address;
  use.size = size;
  use.start = -1;
  use.end = event;
  use.open_start = true;
  add(use);
}

bool AddressTimeline::still_there(AddressUse use) {
  if (knows(use.address)) return true;
  if (touched(use.address, end_of(use.address, use.size))) return false;
  use.start = -1;
  use.open_start = true;
  begin(use);
  return true;
}

AddressUses AddressTimeline::finish(std::int64_t events) {
  for (const auto& [address, live] : live_) {
    AddressUse& use = all_[live.which];
    use.end = std::max(events, use.start + 1);
    use.waiting_since = live.waiting_since;
    use.open_end = true;
  }
  live_.clear();
  const auto by_start = [](const AddressUse& a, const AddressUse& b) {
    return a.start < b.start;
  };
  if (!std::is_sorted(all_.begin(), all_.end(), by_start)) std::stable_sort(all_.begin(), all_.end(), by_start);
  return std::move(all_);
}

bool AddressTimeline::touched(std::uint64_t low, std::uint64_t high) const {
  const auto after = touched_.upper_bound(low);
  if (after != touched_.begin() && std::prev(after)->second > low) return true;
  return after != touched_.end() && after->first < high;
}

void AddressTimeline::touch(std::uint64_t low, std::uint64_t high) {
  if (low >= high) return;
  auto at = touched_.upper_bound(low);
  if (at != touched_.begin() && std::prev(at)->second >= low) {
    --at;
    if (at->second >= high) return;
    low = at->first;
  }
  while (at != touched_.end() && at->first <= high) {
    high = std::max(high, at->second);
    at = touched_.erase(at);
  }
  touched_.emplace_hint(at, low, high);
}

namespace {

/// Farther apart than this lie memory that the system mapped, heaps of threads and the heap itself: showing them on one
/// axis would show nothing.
constexpr std::uint64_t kFarApart = std::uint64_t{1} << 30U;

/// The lowest address of each group of uses, rising.
std::vector<std::uint64_t> groups_of(const AddressUses& uses) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // address and size
  ranges.reserve(uses.size());
  for (const AddressUse& use : uses) ranges.emplace_back(use.address, static_cast<std::uint64_t>(use.size));
  std::sort(ranges.begin(), ranges.end());
  std::vector<std::uint64_t> lowest;
  std::uint64_t top = 0;
  for (const auto& [address, size] : ranges) {
    if (lowest.empty() || (address > top && address - top > kFarApart)) lowest.push_back(address);
    const std::uint64_t end = address > UINT64_MAX - size ? UINT64_MAX : address + size;
    top = std::max(top, end);
  }
  return lowest;
}

}  // namespace

void add_uses(Dump& dump, std::string_view space, const AddressUses& uses, TimeRule rule) {
  if (uses.empty()) return;
  const std::vector<std::uint64_t> groups = groups_of(uses);
  std::vector<std::uint16_t> spaces;
  for (const std::uint64_t lowest : groups) {
    const auto number = dump.space(spaces.empty() ? std::string(space) : fmt::format("{} at 0x{:x}", space, lowest));
    if (!number) break;
    dump.set_base(*number, lowest);
    spaces.push_back(*number);
  }
  if (groups.size() > 1) {
    dump.note(fmt::format("the addresses of \"{}\" lie in {} groups more than 1 GiB apart; each is a space", space,
                          groups.size()));
  }
  for (const AddressUse& use : uses) {
    const auto end = half_open_end(use.end, rule);
    const auto group =
        static_cast<std::size_t>(std::upper_bound(groups.begin(), groups.end(), use.address) - groups.begin()) - 1;
    if (group >= spaces.size() || use.address - groups[group] > static_cast<std::uint64_t>(kMaxInt64) || !end) {
      dump.leave_out(use.at, fmt::format("0x{:x} is too far from the others", use.address));
      continue;
    }
    Buffer buffer;
    buffer.start = use.start;
    buffer.end = *end;
    buffer.size = use.size;
    buffer.space = spaces[group];
    Details details;
    details.open_start = use.open_start;
    details.open_end = use.open_end;
    dump.add(fmt::format("b{:x}_{}", use.address, use.use), buffer,
             static_cast<std::int64_t>(use.address - groups[group]), use.at, std::move(details));
  }
}

}  // namespace stowage
