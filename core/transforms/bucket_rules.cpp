#include "core/transforms/bucket_rules.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr std::int64_t kHorovodUnit = 64;   // elements
constexpr std::int64_t kMegatronUnit = 64;  // elements
constexpr std::int64_t kMegatronEnd = 128;  // elements
constexpr std::int64_t kMegatronWide = 65'536;

void by_smallest_position(std::vector<Bucket>& buckets) {
  std::sort(buckets.begin(), buckets.end(), [](const Bucket& a, const Bucket& b) {
    return *std::min_element(a.messages.begin(), a.messages.end()) <
           *std::min_element(b.messages.begin(), b.messages.end());
  });
}

}  // namespace

std::vector<Bucket> ddp_buckets(std::span<const Message> messages, std::span<const std::int64_t> limits) {
  struct Open {
    Bucket bucket;
    std::int64_t bytes = 0;
    std::size_t limit = 0;  // position in limits
  };
  const auto limit_of = [&](const Open& open) {
    return limits.empty() ? 0 : limits[open.limit];
  };
  std::map<std::string, Open> open_by_key;
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].sparse) {
      buckets.push_back(Bucket{{i}, 0});
      continue;
    }
    Open& open = open_by_key[messages[i].key];
    open.bucket.messages.push_back(i);
    open.bucket.limit = limit_of(open);
    open.bytes = checked_add(open.bytes, messages[i].bytes).value_or(kMaxInt64);
    if (open.bytes < open.bucket.limit) continue;
    buckets.push_back(std::exchange(open.bucket, Bucket{}));
    open.bytes = 0;
    if (open.limit + 1 < limits.size()) ++open.limit;
  }
  for (auto& [key, open] : open_by_key) {
    if (!open.bucket.messages.empty()) buckets.push_back(std::move(open.bucket));
  }
  by_smallest_position(buckets);
  return buckets;
}

std::vector<Bucket> horovod_buckets(std::span<const Message> messages, std::int64_t threshold) {
  std::deque<std::size_t> waiting(messages.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  std::vector<Bucket> buckets;
  while (!waiting.empty()) {
    const Message& first = messages[waiting.front()];
    Bucket bucket{{waiting.front()}, 0};
    waiting.pop_front();
    std::int64_t bytes = first.bytes;
    std::int64_t passed = 0;
    std::deque<std::size_t> passed_over;
    while (threshold > 0 && !waiting.empty()) {
      const Message& next = messages[waiting.front()];
      const auto together = checked_add(bytes, next.bytes);
      if (next.key == first.key && together && *together <= threshold) {
        bytes = *together;
        bucket.messages.push_back(waiting.front());
      } else {
        // Looking further ahead would let those wait that are ready first.
        passed = checked_add(passed, next.bytes).value_or(kMaxInt64);
        if (checked_add(bytes, passed).value_or(kMaxInt64) > threshold) break;
        passed_over.push_back(waiting.front());
      }
      waiting.pop_front();
    }
    waiting.insert(waiting.begin(), passed_over.begin(), passed_over.end());
    buckets.push_back(std::move(bucket));
  }
  return buckets;
}

std::int64_t horovod_pad(std::int64_t elements, std::int64_t local_size) {
  return align_up(elements, kHorovodUnit * std::max<std::int64_t>(local_size, 1));
}

std::int64_t horovod_threshold(std::int64_t bytes, std::int64_t local_size) {
  constexpr std::int64_t kWidest = 8;  // bytes of an element
  return align_up(bytes, kHorovodUnit * kWidest * std::max<std::int64_t>(local_size, 1));
}

MegatronLayout megatron_layout(std::span<const std::int64_t> elements, std::int64_t dp, bool high_bandwidth) {
  MegatronLayout layout;
  for (const std::int64_t count : elements) {
    layout.starts.push_back(align_up(layout.end_unpadded, kMegatronUnit));
    layout.end_unpadded = checked_add(layout.starts.back(), count).value_or(kMaxInt64);
  }
  std::int64_t divisor = std::lcm(std::max<std::int64_t>(dp, 1), kMegatronEnd);
  if (high_bandwidth) divisor = std::lcm(divisor, kMegatronWide);
  layout.bucket_end = align_up(layout.end_unpadded, divisor);
  return layout;
}

std::vector<Bucket> megatron_buckets(std::span<const Message> messages, std::int64_t elements) {
  std::map<std::string, std::pair<Bucket, std::int64_t>> open;  // and its end
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    auto& [bucket, end] = open[messages[i].key];
    bucket.messages.push_back(i);
    end = checked_add(align_up(end, kMegatronUnit), messages[i].elements).value_or(kMaxInt64);
    if (end < elements) continue;
    buckets.push_back(std::exchange(bucket, Bucket{}));
    end = 0;
  }
  for (auto& [key, left] : open) {
    if (!left.first.messages.empty()) buckets.push_back(std::move(left.first));
  }
  by_smallest_position(buckets);
  return buckets;
}

std::vector<Bucket> deepspeed_buckets(std::span<const Message> messages, std::int64_t elements) {
  std::map<std::string, std::pair<Bucket, std::int64_t>> open;  // and its elements
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    auto& [bucket, filled] = open[messages[i].key];
    const auto together = checked_add(filled, messages[i].elements);
    if (!bucket.messages.empty() && (!together || *together > elements)) {
      buckets.push_back(std::exchange(bucket, Bucket{}));
      filled = 0;
    }
    bucket.messages.push_back(i);
    filled += messages[i].elements;
  }
  for (auto& [key, left] : open) {
    if (!left.first.messages.empty()) buckets.push_back(std::move(left.first));
  }
  by_smallest_position(buckets);
  return buckets;
}

}  // namespace stowage
