#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stowage {

/// How a system rounds the bytes that are asked for. Sizes up to 2^62.
struct SizeRule {
  std::string_view id;
  std::string_view summary;
  std::int64_t (*round)(std::int64_t bytes) = nullptr;
};

/// Every rule, by id: "mindspore-gpu", "mindspore-gpu-output", "mindspore-ascend", "mindspore-communication",
/// "mindspore-pool", "pytorch", "bfc".
std::span<const SizeRule> size_rules();
/// Null when there is none with this id.
const SizeRule* find_size_rule(std::string_view id);

/// PyTorch's caching allocator: multiples of 512, at least one.
std::int64_t pytorch_size(std::int64_t bytes);
/// TensorFlow's BFC allocator: multiples of 256, at least one.
std::int64_t bfc_size(std::int64_t bytes);
/// MindSpore's dynamic pool: multiples of 512, at least one.
std::int64_t mindspore_pool_size(std::int64_t bytes);

}  // namespace stowage
