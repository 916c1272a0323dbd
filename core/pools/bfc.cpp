#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"
#include "core/pools/size_rules.h"

namespace stowage {
namespace {

constexpr const char* kId = "bfc";
constexpr std::int64_t kUnit = 256;
constexpr std::int64_t kFirstRegion = std::int64_t{2} << 20U;
constexpr int kBins = 21;
constexpr double kBackpedal = 0.9;

struct Settings {
  bool growth = true;
  bool garbage = false;
  bool coalesce = false;
  std::int64_t max_waste = std::int64_t{128} << 20U;
  std::optional<std::int64_t> device;  // what the device really has
};

/// Bin b holds free chunks from 256 * 2^b bytes on, below the next bin; the last one is open-ended.
int bin_of(std::int64_t size) {
  const auto units = static_cast<std::uint64_t>(std::max(size, kUnit) / kUnit);
  return std::min(kBins - 1, static_cast<int>(std::bit_width(units)) - 1);
}

/// Best fit with coalescing: regions that double in size, chunks in bins of sizes. A bin is a range of sizes and is
/// looked through by size and address, so that bin after bin is the order of all free chunks by size and address.
class Bfc : public PoolSimulator {
 public:
  Bfc(const PoolSetup& setup, Settings settings)
      : PoolSimulator(setup, FreeOrder::kAddress),
        settings_(settings),
        limit_(std::clamp<std::int64_t>(setup.capacity.value_or(kAddressLimit), 0, kAddressLimit)),
        group_(heap_.add_group("region")) {
    next_region_ = bfc_size(settings_.growth ? std::min(limit_, kFirstRegion) : limit_);
  }

  Grant allocate(BufferIndex i) override {
    const Allocation& asked = request(i);
    if (asked.bytes == 0) {
      if (records()) say_next(i, "nothing is asked for, nothing is given");
      return Grant::nothing();
    }
    if (asked.bytes > kAddressLimit / 2) return Grant::failure(asked.bytes, heap_.available());
    const std::int64_t rounded = bfc_size(asked.bytes);
    if (records()) {
      say_next(i, fmt::format("rounded to {}, bin {}", format_exact_bytes(rounded), bin_of(rounded)));
    }
    BlockId chunk = heap_.find(group_, rounded);
    if (chunk == kNoBlock && extend(rounded)) chunk = heap_.find(group_, rounded);
    if (chunk == kNoBlock && free_regions(rounded) && extend(rounded)) chunk = heap_.find(group_, rounded);
    if (chunk == kNoBlock) {
      return Grant::failure(rounded, std::max(room(), heap_.largest_free(group_)));
    }
    return place(i, chunk, rounded);
  }

  void free(BufferIndex i) override {
    const BlockId chunk = block_of_[i];
    heap_.release(chunk);
    const BlockId merged = heap_.merge_neighbours(chunk);
    if (records()) {
      const std::int64_t size = heap_[merged].size;
      say_freed(
          i, fmt::format("now {} free at {}, bin {}", format_exact_bytes(size), heap_[merged].address, bin_of(size)));
    }
  }

  std::vector<PoolFact> facts() const override { return {{"next region", next_region_, true}}; }

 private:
  /// Bytes below the limit that belong to no region yet, in whole units.
  std::int64_t room() const { return heap_.available() / kUnit * kUnit; }

  bool device_has(std::int64_t bytes) const {
    return !settings_.device || bytes <= *settings_.device - heap_.point().reserved;
  }

  /// A region for a request; regions double until the limit is reached.
  bool extend(std::int64_t rounded) {
    const std::int64_t left = room();
    if (rounded > left) return false;
    bool raised = false;
    while (rounded > next_region_) {
      next_region_ *= 2;
      raised = true;
    }
    std::int64_t bytes = std::min(next_region_, left);
    // Only once: a device that had less than it promised has less for good.
    if (!device_has(bytes) && !backpedalled_) {
      backpedalled_ = true;
      while (bytes > kUnit && bytes >= rounded && !device_has(bytes)) {
        const std::int64_t less = bfc_size(static_cast<std::int64_t>(static_cast<double>(bytes) * kBackpedal));
        bytes = less < bytes ? less : bytes - kUnit;  // rounding up must not keep it where it is
      }
    }
    if (bytes < rounded || !device_has(bytes)) return false;
    if (!raised && next_region_ <= kAddressLimit / 2) next_region_ *= 2;
    const std::uint32_t before = heap_.point().segments;
    const BlockId chunk = heap_.open_segment(bytes, group_, settings_.coalesce);
    if (chunk == kNoBlock) return false;
    if (heap_.point().segments == before) heap_.merge_neighbours(chunk);
    if (records()) say_note(fmt::format("no chunk is large enough: a region of {}", format_exact_bytes(bytes)));
    return true;
  }

  /// Regions in which nothing is in use go back, when that can help.
  bool free_regions(std::int64_t rounded) {
    if (!settings_.garbage) return false;
    const std::vector<BlockId> idle = heap_.idle_segments();
    std::int64_t total = 0;
    for (const BlockId chunk : idle) total += heap_[chunk].size;
    if (total == 0 || rounded > heap_.available() + total) return false;
    for (const BlockId chunk : idle) heap_.close_segment(chunk);
    if (records()) say_note(fmt::format("{} of free regions go back to the device", format_exact_bytes(total)));
    return true;
  }

  Grant place(BufferIndex i, BlockId chunk, std::int64_t rounded) {
    const std::int64_t size = heap_[chunk].size;
    const std::int64_t rest = size - rounded;
    const bool splits = size >= 2 * rounded || rest >= settings_.max_waste;
    const BlockId used = heap_.take(chunk, splits ? rounded : size, i, request(i).bytes);
    block_of_[i] = used;
    const std::int64_t address = heap_[used].address;
    if (records()) {
      const std::string from = fmt::format("chunk of {} from bin {}", format_exact_bytes(size), bin_of(size));
      say_placed(i, address,
                 splits      ? fmt::format("{} is split, {} stay free", from, format_exact_bytes(rest))
                 : rest == 0 ? fmt::format("{} fits exactly", from)
                             : fmt::format("{} is given whole: less than twice the request", from));
    }
    return Grant::at(address);
  }

  Settings settings_;
  std::int64_t limit_;
  std::uint32_t group_;
  std::int64_t next_region_ = kFirstRegion;
  bool backpedalled_ = false;
};

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  Settings settings;
  settings.growth = is_true(setup.params, "growth");
  settings.garbage = is_true(setup.params, "garbage-collection");
  settings.coalesce = is_true(setup.params, "coalesce-regions");
  const auto waste = bytes_param(setup.params, "max-waste", kId);
  const auto device = optional_bytes_param(setup.params, "device", "all", kId);
  if (!waste) return tl::unexpected(waste.error());
  if (!device) return tl::unexpected(device.error());
  if (!settings.growth && !setup.capacity) {
    return fail(Error::Kind::kRefused, fmt::format("{}: without growth the first region is the whole capacity, and "
                                                   "there is none: give --capacity",
                                                   kId));
  }
  settings.max_waste = *waste;
  settings.device = *device;
  return std::unique_ptr<PoolSimulator>(std::make_unique<Bfc>(setup, settings));
}

}  // namespace

Pool bfc_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "BFC (TensorFlow)";
  pool.summary =
      "Best fit with coalescing: regions that double in size, chunks in bins, whole chunks up to twice the need.";
  pool.source = "TensorFlow, core/common_runtime/bfc_allocator.cc";
  pool.params = {
      switch_spec("growth", "begin with 2 MiB and double; off: one region of the whole capacity", true),
      switch_spec("garbage-collection", "give regions back that are wholly free before a request fails", false),
      switch_spec("coalesce-regions", "a region right above another one makes it longer", false),
      {"max-waste", "a chunk is split when so much would be left", "128MiB", {"0", "1MiB", "128MiB"}, false},
      {"device", "bytes that the device has, when they are fewer than the capacity", "all", {"all"}, false},
  };
  pool.make = make;
  return pool;
}

}  // namespace stowage
