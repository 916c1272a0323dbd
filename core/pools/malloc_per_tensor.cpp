#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/pools/params.h"
#include "core/pools/registry.h"

namespace stowage {
namespace {

constexpr const char* kId = "malloc-per-tensor";

/// No pool at all: the device is asked each time and gets everything back at once.
class MallocPerTensor : public PoolSimulator {
 public:
  MallocPerTensor(const PoolSetup& setup, std::int64_t alignment)
      : PoolSimulator(setup, FreeOrder::kAddress), alignment_(alignment), group_(heap_.add_group("allocation")) {}

  Grant allocate(BufferIndex i) override {
    const Allocation& asked = request(i);
    if (records()) say_next(i, asked.bytes == 0 ? "nothing is asked for, nothing is given" : "");
    if (asked.bytes == 0) return Grant::nothing();
    if (asked.bytes > kAddressLimit / 2) return Grant::failure(asked.bytes, heap_.available());
    const std::int64_t size = align_up(asked.bytes, alignment_);
    const BlockId block = heap_.open_segment(size, group_);
    if (block == kNoBlock) return Grant::failure(size, heap_.available());
    block_of_[i] = heap_.take(block, size, i, asked.bytes);
    const std::int64_t address = heap_[block].address;
    if (records()) say_placed(i, address, fmt::format("{} from the device", format_exact_bytes(size)));
    return Grant::at(address);
  }

  void free(BufferIndex i) override {
    heap_.release(block_of_[i]);
    heap_.close_segment(block_of_[i]);
    if (records()) say_freed(i, "back to the device");
  }

 private:
  std::int64_t alignment_;
  std::uint32_t group_;
};

Result<std::unique_ptr<PoolSimulator>> make(const PoolSetup& setup) {
  const auto alignment = bytes_param(setup.params, "alignment", kId, 1);
  if (!alignment) return tl::unexpected(alignment.error());
  if (*alignment > kAddressLimit / 4) return usage_error(fmt::format("{}: the alignment is too large", kId));
  return std::unique_ptr<PoolSimulator>(std::make_unique<MallocPerTensor>(setup, *alignment));
}

}  // namespace

Pool malloc_per_tensor_pool() {
  Pool pool;
  pool.id = kId;
  pool.title = "Malloc per tensor";
  pool.summary = "No pool: every allocation and every free goes to the device. The most calls, the least memory.";
  pool.source = "what a framework without a pool does";
  pool.params = {
      {"alignment", "bytes to whose multiples sizes are rounded", "256", {"1", "256", "512", "2MiB"}, false}};
  pool.make = make;
  return pool;
}

}  // namespace stowage
