#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"
#include "core/pools/size_rules.h"

namespace stowage {
namespace {

constexpr const char* kId = "mindspore-best-fit";
constexpr std::int64_t kPage = 512;

struct Settings {
  std::int64_t unit = std::int64_t{1} << 30U;
  std::int64_t persistent_unit = std::int64_t{1} << 30U;
  std::int64_t least_free = std::int64_t{10} << 20U;  // with less the device gives nothing
};

/// Two pools, one for what stays and one for the rest; each borrows from the other when the device has nothing left.
/// Blocks of the device are never given back.
class MindsporeBestFit : public PoolSimulator {
 public:
  MindsporeBestFit(const PoolSetup& setup, Settings settings)
      : PoolSimulator(setup, FreeOrder::kOldest),
        settings_(settings),
        common_(heap_.add_group("common")),
        persistent_(heap_.add_group("persistent")) {}

  Grant allocate(BufferIndex i) override {
    const Allocation& asked = request(i);
    if (asked.bytes > kAddressLimit / 2) return Grant::failure(asked.bytes, heap_.available());
    const std::int64_t size = mindspore_pool_size(asked.bytes);
    const std::uint32_t own = asked.is_static ? persistent_ : common_;
    const std::uint32_t other = asked.is_static ? common_ : persistent_;
    if (records()) {
      say_next(i, fmt::format("rounded to {}, {} pool", format_exact_bytes(size),
                              asked.is_static ? "persistent" : "common"));
    }
    BlockId buffer = heap_.find(own, size);
    if (buffer == kNoBlock) buffer = new_block(own, size);
    if (buffer == kNoBlock) {
      buffer = heap_.find(other, size);
      if (buffer != kNoBlock) {
        ++borrowed_;
        if (records()) say_note("the device has nothing left: it is borrowed from the other pool");
      }
    }
    if (buffer == kNoBlock) {
      const std::int64_t device = heap_.available() < settings_.least_free ? 0 : heap_.available();
      return Grant::failure(size, std::max({device, heap_.largest_free(own), heap_.largest_free(other)}));
    }
    return place(i, buffer, size);
  }

  void free(BufferIndex i) override {
    heap_.release(block_of_[i]);
    const BlockId merged = heap_.merge_neighbours(block_of_[i]);
    if (records()) {
      say_freed(i, fmt::format("now {} idle at {}", format_exact_bytes(heap_[merged].size), heap_[merged].address));
    }
  }

  std::vector<PoolFact> facts() const override { return {{"borrowed", borrowed_, false}}; }

 private:
  BlockId new_block(std::uint32_t group, std::int64_t size) {
    const std::int64_t device = heap_.available();
    if (device < size || device < settings_.least_free) return kNoBlock;
    std::int64_t bytes = group == persistent_ ? settings_.persistent_unit : settings_.unit;
    while (bytes < size) bytes *= 2;
    bytes = std::min(bytes, device);
    if (records()) say_note(fmt::format("no idle buffer is large enough: a block of {}", format_exact_bytes(bytes)));
    return heap_.open_segment(bytes, group);
  }

  Grant place(BufferIndex i, BlockId buffer, std::int64_t size) {
    const std::int64_t whole = heap_[buffer].size;
    const bool splits = whole - size >= kPage;
    block_of_[i] = heap_.take(buffer, splits ? size : whole, i, request(i).bytes);
    const std::int64_t address = heap_[block_of_[i]].address;
    if (records()) {
      say_placed(i, address,
                 fmt::format("the smallest idle buffer that is large enough has {}", format_exact_bytes(whole)));
    }
    return Grant::at(address);
  }

  Settings settings_;
  std::uint32_t common_;
  std::uint32_t persistent_;
  std::int64_t borrowed_ = 0;
};

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  const auto unit = bytes_param(setup.params, "block", kId, kPage);
  const auto persistent = bytes_param(setup.params, "persistent-block", kId, kPage);
  const auto least = bytes_param(setup.params, "least-free", kId);
  if (!unit) return tl::unexpected(unit.error());
  if (!persistent) return tl::unexpected(persistent.error());
  if (!least) return tl::unexpected(least.error());
  return std::unique_ptr<PoolSimulator>(
      std::make_unique<MindsporeBestFit>(setup, Settings{*unit, *persistent, *least}));
}

}  // namespace

Pool mindspore_best_fit_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Best fit (MindSpore)";
  pool.summary =
      "Blocks of 1 GiB, the smallest idle buffer that is large enough, always split; weights have a pool of their own.";
  pool.source = "MindSpore, common/mem_reuse/mem_dynamic_allocator.cc";
  pool.params = {
      {"block",
       "bytes that are taken from the device, doubled until the request fits",
       "1GiB",
       {"64MiB", "256MiB", "1GiB"},
       false},
      {"persistent-block", "the same for what is static", "1GiB", {"64MiB", "256MiB", "1GiB"}, false},
      {"least-free", "with less than so much left, the device gives nothing", "10MiB", {"0", "10MiB"}, false},
  };
  pool.make = make;
  return pool;
}

}  // namespace stowage
