#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/io/dump.h"

namespace stowage {

/// A use of an address by an allocator: from the event that gives it to the one that takes it back. Times are positions
/// in the trace.
struct AddressUse {
  std::uint64_t address = 0;
  std::int64_t size = 0;  // as asked for
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t waiting_since = -1;  // event that asked for the free, when it came well before the free itself
  std::uint64_t at = 0;             // place in the file of the event that gives it
  std::uint32_t use = 0;            // the how manyth use of this address
  std::uint32_t source = 0;         // two numbers in which the reader finds again what it knows besides
  std::uint16_t kind = 0;
  bool open_start = false;  // older than the trace
  bool open_end = false;    // never freed
};
/// Millions of them: a deque is never there twice, as a vector that grows.
using AddressUses = std::deque<AddressUse>;

/// Follows the events of one allocator. It never gives out memory that is in use: where the trace says so, a free is
/// missing (a ring buffer, a lost event), and what was there ends.
class AddressTimeline {
 public:
  /// `remark(event, text)` is told what does not fit together.
  using Remark = std::function<void(std::int64_t event, const std::string& text)>;

  explicit AddressTimeline(Remark remark) : remark_(std::move(remark)) {}

  /// `use` has the address, the size and what the reader wants to find again.
  void alloc(std::int64_t event, AddressUse use);
  void free_requested(std::int64_t event, std::uint64_t address);
  void free_completed(std::int64_t event, std::uint64_t address, std::int64_t size);
  /// A block that is in use when the trace ends: nothing when the trace knows it, else one that was there all the time.
  /// False when the trace has used these bytes otherwise.
  bool still_there(AddressUse use);
  bool knows(std::uint64_t address) const { return live_.count(address) > 0; }
  /// Ends the trace after `events` events; uses by their start. Those that are older begin one step before it.
  AddressUses finish(std::int64_t events);

 private:
  /// What is asked of a use while it lasts; all_ is too large to be in cache.
  struct Live {
    std::size_t which = 0;  // in all_
    std::uint64_t high = 0;
    std::int64_t waiting_since = -1;
  };
  using LiveMap = std::map<std::uint64_t, Live>;  // by address

  void begin(AddressUse use);
  void end(LiveMap::iterator live, std::int64_t event);
  bool touched(std::uint64_t low, std::uint64_t high) const;
  void touch(std::uint64_t low, std::uint64_t high);
  std::size_t add(AddressUse use);

  Remark remark_;
  AddressUses all_;
  LiveMap live_;
  std::map<std::uint64_t, std::uint64_t> touched_;  // disjoint ranges that the trace has used, low -> high
  std::unordered_map<std::uint64_t, std::uint32_t> uses_;
};

/// Adds the uses to a dump: a space for each group of addresses that lie within 1 GiB of each other, its base the
/// lowest of them; names like b7f00_0 (address and how manyth use).
void add_uses(Dump& dump, std::string_view space, const AddressUses& uses, TimeRule rule);

}  // namespace stowage
