#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/growing_space.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"
#include "core/pools/size_rules.h"

namespace stowage {
namespace {

constexpr const char* kId = "caching";
constexpr std::int64_t kSmallest = 512;
constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kSmallRequest = kMiB;  // at most so much comes from the small pool
constexpr std::int64_t kSmallSegment = 2 * kMiB;
constexpr std::int64_t kLargeSegment = 20 * kMiB;  // for large requests below kOwnSegment
constexpr std::int64_t kOwnSegment = 10 * kMiB;    // from here on a segment is as large as its request
constexpr std::int64_t kSegmentRound = 2 * kMiB;

struct Settings {
  std::int64_t max_split = kAddressLimit;
  double gc_threshold = 0;  // share of the capacity; 0: never
  std::int64_t divisions = 1;
  std::int64_t wait = 1;
  bool expandable = false;
};

/// With more than one division, sizes between two powers of two are rounded to so many steps between them.
std::int64_t rounded_size(std::int64_t bytes, std::int64_t divisions) {
  if (divisions <= 1 || bytes <= kSmallest * divisions) return pytorch_size(bytes);
  const auto floor = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
  return align_up(bytes, floor / divisions);
}

std::int64_t segment_size(std::int64_t rounded) {
  if (rounded <= kSmallRequest) return kSmallSegment;
  if (rounded < kOwnSegment) return kLargeSegment;
  return align_up(rounded, kSegmentRound);
}

/// Where the expandable segments lie, in the order in which they come to be: from where on, and how far they may reach.
struct Places {
  std::vector<std::int64_t> bases;  // further ones lie `width` apart
  std::int64_t width = 0;
  std::int64_t base(std::size_t k) const { return k < bases.size() ? bases[k] : static_cast<std::int64_t>(k) * width; }
};

/// Segments are kept when their blocks are freed, and given back only when memory runs out or when asked. Small and
/// large requests have segments of their own, and so has every stream. Expandable segments are one for each of these,
/// which grows as it must.
class Caching : public PoolSimulator {
 public:
  Caching(const PoolSetup& setup, Settings settings, Places places)
      : PoolSimulator(setup, FreeOrder::kAddress),
        settings_(settings),
        capacity_(setup.capacity),
        places_(std::move(places)) {}

  /// How high each expandable segment has reached.
  std::vector<std::int64_t> reached() const {
    std::vector<std::int64_t> all;
    for (const GrowingSpace& space : spaces_) all.push_back(space.highest());
    return all;
  }

  Grant allocate(BufferIndex i) override {
    ++event_;
    release_done();
    const Allocation& asked = request(i);
    if (asked.bytes > kAddressLimit / 2) return Grant::failure(asked.bytes, heap_.available());
    const std::int64_t rounded = rounded_size(asked.bytes, settings_.divisions);
    const bool small = rounded <= kSmallRequest;
    const std::uint32_t group = group_of(asked.stream, small);
    if (records()) {
      say_next(i, fmt::format("rounded to {}, {} pool", format_exact_bytes(rounded), small ? "small" : "large"));
    }
    BlockId block = find(group, rounded);
    bool cached = block != kNoBlock;
    if (!cached) block = settings_.expandable ? grow(group, rounded) : new_segment(group, rounded);
    if (block == kNoBlock) return out_of_memory(group, rounded);
    return place(i, block, rounded, small, cached);
  }

  void free(BufferIndex i) override {
    ++event_;
    const BlockId block = block_of_[i];
    if (const auto used = users_.find(i); used != users_.end()) {
      users_.erase(used);
      heap_.wait(block);
      waiting_.push_back({event_ + settings_.wait, block});
      if (records()) say_freed(i, "another stream still uses it: it waits");
      return;
    }
    give_back(block);
    if (records()) say_freed(i, freed_text());
  }

  void use(BufferIndex i, std::int32_t stream) override {
    ++event_;
    if (stream == request(i).stream) return;
    users_[i] = stream;
    if (records()) say_note(fmt::format("stream {} uses {} as well", stream, printable_utf8(trace_.id(i))));
  }

  void empty() override {
    ++event_;
    const std::int64_t before = heap_.point().reserved;
    release_cached();
    if (records()) {
      say_note(fmt::format("cache emptied: {} go back to the device", format_bytes(before - heap_.point().reserved)));
    }
  }

  std::vector<PoolFact> facts() const override {
    return {{"retries", retries_, false}, {"returned segments", returned_, false}};
  }

 private:
  struct Waiting {
    std::int64_t due = 0;
    BlockId block = kNoBlock;
  };

  std::uint32_t group_of(std::int32_t stream, bool small) {
    const auto [entry, is_new] = groups_.try_emplace({stream, small}, 0);
    if (is_new) {
      const std::string name = small ? "small" : "large";
      entry->second = heap_.add_group(stream == 0 ? name : fmt::format("{}, stream {}", name, stream));
      is_small_.push_back(small);
      if (settings_.expandable) {
        spaces_.emplace_back(heap_, entry->second, places_.base(spaces_.size()), places_.width,
                             small ? kSmallSegment : kLargeSegment);
      }
    }
    return entry->second;
  }

  /// The smallest cached block, unless a limit on splitting keeps it for requests of its own size.
  BlockId find(std::uint32_t group, std::int64_t rounded) {
    ++searches_[is_small_[group] ? 0 : 1];
    BlockId block = heap_.find(group, rounded);
    if (block == kNoBlock) return kNoBlock;
    if (settings_.expandable) block = least_extent(group, block);
    const std::int64_t size = heap_[block].size;
    const bool oversize = rounded < settings_.max_split && size >= settings_.max_split;
    const bool wasteful = rounded >= settings_.max_split && size >= rounded + kLargeSegment;
    if (!oversize && !wasteful) return block;
    if (records()) {
      say_note(fmt::format("the free block of {} is above the limit on splitting", format_exact_bytes(size)));
    }
    return kNoBlock;
  }

  /// In an expandable segment a block counts as large as it could become: what lies at the end is spared.
  BlockId least_extent(std::uint32_t group, BlockId block) const {
    const GrowingSpace& space = spaces_[group];
    for (BlockId next = heap_.find_next(block); next != kNoBlock && space.extent(next) < space.extent(block);
         next = heap_.find_next(block)) {
      block = next;
    }
    return block;
  }

  /// A block at the end of what is mapped, or where most of one is free already.
  BlockId grow(std::uint32_t group, std::int64_t rounded) {
    std::int64_t before = heap_.point().reserved;
    BlockId block = spaces_[group].make_room(rounded);
    if (block == kNoBlock) {
      ++retries_;
      release_cached();
      if (records()) say_note("the device has too little left: every granule that is wholly free goes back");
      before = heap_.point().reserved;
      block = spaces_[group].make_room(rounded);
    }
    if (block != kNoBlock && records()) {
      say_note(fmt::format("no free block is large enough: the segment grows by {}",
                           format_exact_bytes(heap_.point().reserved - before)));
    }
    return block;
  }

  /// From the device; cached blocks are given back when it has nothing left.
  BlockId new_segment(std::uint32_t group, std::int64_t rounded) {
    const std::int64_t size = segment_size(rounded);
    collect_garbage();
    BlockId block = heap_.open_segment(size, group);
    if (block == kNoBlock && release_oversize(group, rounded)) block = heap_.open_segment(size, group);
    if (block == kNoBlock) {
      ++retries_;
      release_cached();
      block = heap_.open_segment(size, group);
      if (records()) {
        say_note(fmt::format("the device has no {} left: every segment that is wholly free goes back",
                             format_exact_bytes(size)));
      }
    }
    if (block != kNoBlock && records()) {
      say_note(fmt::format("no free block is large enough: a segment of {} from the device", format_exact_bytes(size)));
    }
    return block;
  }

  Grant place(BufferIndex i, BlockId block, std::int64_t rounded, bool small, bool cached) {
    const std::int64_t size = heap_[block].size;
    const std::int64_t rest = size - rounded;
    const bool splits =
        small || settings_.expandable ? rest >= kSmallest : rounded < settings_.max_split && rest > kSmallRequest;
    const BlockId used = heap_.take(block, splits ? rounded : size, i, request(i).bytes);
    block_of_[i] = used;
    const std::int64_t address = heap_[used].address;
    if (records()) {
      const std::string from = fmt::format("{} block of {}", cached ? "a cached" : "the new", format_exact_bytes(size));
      say_placed(i, address,
                 splits      ? fmt::format("{} is split, {} stay free", from, format_exact_bytes(rest))
                 : rest == 0 ? fmt::format("{} fits exactly", from)
                             : fmt::format("{} is given whole: {} more are {}", from, format_exact_bytes(rest),
                                           rest > kSmallRequest ? "not split off a block that is never split"
                                                                : "too few to split off"));
    }
    return Grant::at(address);
  }

  /// Whichever is nearer: a segment of the device, or a block that is free.
  Grant out_of_memory(std::uint32_t group, std::int64_t rounded) const {
    if (settings_.expandable) return Grant::failure(rounded, heap_.available() + heap_.largest_free(group));
    const std::int64_t segment = segment_size(rounded);
    const std::int64_t free = std::min(heap_.largest_free(group), rounded - 1);
    if (rounded - free < segment - heap_.available()) return Grant::failure(rounded, free);
    return Grant::failure(segment, heap_.available());
  }

  void give_back(BlockId block) {
    heap_.release(block);
    merged_ = heap_.merge_neighbours(block);
    if (!heap_.is_whole_segment(merged_)) return;
    const bool small = is_small_[heap_[merged_].group];
    if (free_since_.size() <= merged_) free_since_.resize(merged_ + 1, 0);
    free_since_[merged_] = searches_[small ? 0 : 1];
  }

  std::string freed_text() const {
    return fmt::format("now {} free at {}", format_exact_bytes(heap_[merged_].size), heap_[merged_].address);
  }

  /// Blocks whose streams are done by now.
  void release_done() {
    while (!waiting_.empty() && waiting_.front().due <= event_) {
      give_back(waiting_.front().block);
      waiting_.pop_front();
    }
  }

  void release_all_waiting() {
    for (const Waiting& one : waiting_) give_back(one.block);
    waiting_.clear();
  }

  void close(BlockId block) {
    heap_.close_segment(block);
    ++returned_;
  }

  void release_cached() {
    release_all_waiting();
    if (settings_.expandable) {
      for (GrowingSpace& space : spaces_) returned_ += static_cast<std::int64_t>(space.unmap_idle());
      return;
    }
    for (const BlockId block : heap_.idle_segments()) close(block);
  }

  /// With a limit on splitting: the smallest oversize block that would do, else the largest ones until they add up.
  bool release_oversize(std::uint32_t group, std::int64_t rounded) {
    if (settings_.max_split == kAddressLimit) return false;
    const std::int64_t wanted = std::max(rounded, settings_.max_split);
    const BlockId one = heap_.find(group, wanted);
    if (one != kNoBlock) {
      if (!heap_.is_whole_segment(one)) return false;
      close(one);
      return true;
    }
    std::int64_t released = 0;
    for (;;) {
      const BlockId largest = heap_.largest(group);
      const bool usable =
          largest != kNoBlock && heap_[largest].size >= settings_.max_split && heap_.is_whole_segment(largest);
      if (released >= wanted || !usable) break;
      released += heap_[largest].size;
      close(largest);
    }
    return released >= wanted;
  }

  /// Large segments that have been free for longer than the average, until the reserve is below the threshold.
  void collect_garbage() {
    if (settings_.gc_threshold <= 0 || !capacity_) return;
    const auto threshold = static_cast<std::int64_t>(settings_.gc_threshold * static_cast<double>(*capacity_));
    const std::int64_t target = heap_.point().reserved - threshold;
    if (target <= 0) return;
    std::vector<BlockId> idle = heap_.idle_segments();
    std::erase_if(idle, [&](BlockId block) { return is_small_[heap_[block].group]; });
    const auto age = [&](BlockId block) {
      return static_cast<double>(searches_[1] - free_since_[block]);
    };
    double total = 0;
    for (const BlockId block : idle) total += age(block);
    std::int64_t reclaimed = 0;
    for (bool freed = true; reclaimed < target && freed && !idle.empty();) {
      freed = false;
      const double average = total / static_cast<double>(idle.size());
      std::vector<BlockId> younger;
      for (const BlockId block : idle) {
        if (age(block) < average) {
          younger.push_back(block);
          continue;
        }
        freed = true;
        reclaimed += heap_[block].size;
        total -= age(block);
        close(block);
      }
      idle = std::move(younger);
    }
    if (reclaimed > 0 && records()) {
      say_note(fmt::format("above the threshold: {} of old free segments go back", format_bytes(reclaimed)));
    }
  }

  Settings settings_;
  std::optional<std::int64_t> capacity_;
  std::map<std::pair<std::int32_t, bool>, std::uint32_t> groups_;
  std::vector<bool> is_small_;  // by group
  Places places_;
  std::vector<GrowingSpace> spaces_;           // by group, when segments are expandable
  std::map<BufferIndex, std::int32_t> users_;  // allocations that other streams have used
  std::deque<Waiting> waiting_;
  std::vector<std::int64_t> free_since_;  // by block: searches before a whole segment became free
  std::int64_t searches_[2] = {0, 0};     // of small and of large blocks
  std::int64_t event_ = 0;
  std::int64_t retries_ = 0;
  std::int64_t returned_ = 0;
  BlockId merged_ = kNoBlock;  // what the last freed block has become
};

/// Expandable segments beside each other: a first run far apart shows how high they grow. They do the same wherever
/// they begin.
Result<Places> find_places(const PoolSetup& setup, const Settings& settings) {
  std::set<std::int32_t> streams;
  for (const Allocation& one : setup.trace.allocations()) streams.insert(one.stream);
  Places places;
  places.width = kAddressLimit / static_cast<std::int64_t>(2 * streams.size() + 1);
  RunContext silent;
  silent.stop = setup.context.stop;
  silent.deadline = setup.context.deadline;
  const PoolSetup first{setup.trace, setup.params, setup.capacity, silent};
  Caching caching(first, settings, places);
  PoolRun run;
  run.pool = kId;
  if (const auto played = play_trace(setup.trace, caching, silent, run); !played) {
    return tl::unexpected(played.error());
  }
  std::int64_t base = 0;
  for (const std::int64_t reached : caching.reached()) {
    places.bases.push_back(base);
    base += reached;
  }
  return places;
}

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  Settings settings;
  // PyTorch takes no limit up to the size of a large segment.
  const auto max_split = optional_bytes_param(setup.params, "max-split", "none", kId, kLargeSegment + 1);
  const auto threshold = share_param(setup.params, "gc-threshold", kId);
  const auto divisions = count_param(setup.params, "divisions", kId, 1, 64);
  const auto wait = count_param(setup.params, "wait", kId, 1, 1'000'000'000);
  if (!max_split) return tl::unexpected(max_split.error());
  if (!threshold) return tl::unexpected(threshold.error());
  if (!divisions) return tl::unexpected(divisions.error());
  if (!wait) return tl::unexpected(wait.error());
  if (!std::has_single_bit(static_cast<std::uint64_t>(*divisions))) {
    return usage_error(fmt::format("{}: divisions must be a power of two", kId));
  }
  settings.max_split = max_split->value_or(kAddressLimit);
  settings.gc_threshold = *threshold;
  settings.divisions = *divisions;
  settings.wait = *wait;
  settings.expandable = is_true(setup.params, "expandable");
  Places places;
  if (settings.expandable) {
    auto found = find_places(setup, settings);
    if (!found) return tl::unexpected(found.error());
    places = std::move(*found);
  }
  return std::unique_ptr<PoolSimulator>(std::make_unique<Caching>(setup, settings, std::move(places)));
}

}  // namespace

Pool caching_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Caching (PyTorch)";
  pool.summary =
      "Keeps segments of 2 MiB, 20 MiB or as large as the request, splits their blocks, merges what is freed.";
  pool.source = "PyTorch, c10/cuda/CUDACachingAllocator.cpp";
  pool.params = {
      {"max-split", "blocks from this size on are not split", "none", {"none", "64MiB", "256MiB", "1GiB"}, false},
      {"gc-threshold",
       "share of the capacity above which old free segments go back; 0: never",
       "0",
       {"0", "0.6", "0.8", "0.9"},
       false},
      {"divisions",
       "steps between two powers of two to which sizes are rounded; 1: multiples of 512",
       "1",
       {"1", "2", "4", "8", "16"},
       false},
      {"wait", "events after a free until other streams are done with a block", "1", {"1", "10", "100"}, false},
      switch_spec("expandable", "one segment for each stream and pool, which grows by 2 or 20 MiB", false),
  };
  pool.make = make;
  return pool;
}

}  // namespace stowage
