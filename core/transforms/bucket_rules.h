#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// What rules of fusion look at.
struct Message {
  std::string key;  // type and place: only equal ones go together
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  bool sparse = false;
};

/// Positions of the messages that go together, in the order in which they lie one behind the other.
struct Bucket {
  std::vector<std::size_t> messages;
  std::int64_t limit = 0;  // bytes at which DDP closed it; 0: it has no limit
};

/// PyTorch DDP: messages gather by key; a bucket closes as soon as it has at least its limit, and the key goes on to
/// the next limit, the last one staying. A sparse one is alone. Buckets by their smallest position. Without limits each
/// is alone.
std::vector<Bucket> ddp_buckets(std::span<const Message> messages, std::span<const std::int64_t> limits);

/// Horovod: the first one that is left, and then those of its key while all together have at most `threshold` bytes;
/// others may be passed over as long as they would fit as well. 0 disables: each is alone.
std::vector<Bucket> horovod_buckets(std::span<const Message> messages, std::int64_t threshold);
/// The elements of a fusion buffer: a multiple of 64 for each process of a machine.
std::int64_t horovod_pad(std::int64_t elements, std::int64_t local_size);
/// The threshold of hierarchical reductions: a multiple of 64 eight-byte elements for each process of a machine.
std::int64_t horovod_threshold(std::int64_t bytes, std::int64_t local_size);

/// Where parameters begin in a buffer of Megatron, in elements.
struct MegatronLayout {
  std::vector<std::int64_t> starts;
  std::int64_t end_unpadded = 0;
  std::int64_t bucket_end = 0;
};
/// Starts are multiples of 64 elements; the end is one of lcm(dp, 128), or lcm(dp, 128, 65536) for high bandwidth.
MegatronLayout megatron_layout(std::span<const std::int64_t> elements, std::int64_t dp, bool high_bandwidth);
/// A bucket closes as soon as it has `elements`, padding between its members included; by key.
std::vector<Bucket> megatron_buckets(std::span<const Message> messages, std::int64_t elements);

/// DeepSpeed: a bucket takes messages of a key while they have at most so many elements together.
std::vector<Bucket> deepspeed_buckets(std::span<const Message> messages, std::int64_t elements);

/// The time of collectives: latency + bytes * per_byte each.
struct CollectiveCost {
  double latency = 0;
  double per_byte = 0;
  double copy_bandwidth = 0;  // bytes per unit of time, of packing and unpacking; 0: free

  double one(std::int64_t bytes) const { return latency + static_cast<double>(bytes) * per_byte; }
  /// Into the fusion buffer and back out of it.
  double copies(std::int64_t bytes) const {
    return copy_bandwidth > 0 ? 2 * static_cast<double>(bytes) / copy_bandwidth : 0;
  }
};

}  // namespace stowage
