#include "core/pools/size_rules.h"

#include <algorithm>
#include <array>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr std::int64_t kPage = 512;
constexpr std::int64_t kTailGuard = 32;  // bytes after a buffer that Ascend kernels may touch

std::int64_t mindspore_gpu(std::int64_t bytes) {
  return align_up(bytes, kPage);
}
std::int64_t mindspore_ascend(std::int64_t bytes) {
  return (bytes + kPage + kTailGuard - 1) / kPage * kPage;
}
/// A page before and a page after what is sent.
std::int64_t mindspore_communication(std::int64_t bytes) {
  return align_up(bytes, kPage) + 2 * kPage;
}
std::int64_t pages(std::int64_t bytes) {
  return align_up(std::max<std::int64_t>(bytes, 1), kPage);
}

}  // namespace

std::int64_t pytorch_size(std::int64_t bytes) {
  return pages(bytes);
}
std::int64_t mindspore_pool_size(std::int64_t bytes) {
  return pages(bytes);
}
std::int64_t bfc_size(std::int64_t bytes) {
  return align_up(std::max<std::int64_t>(bytes, 1), 256);
}

std::span<const SizeRule> size_rules() {
  static constexpr std::array<SizeRule, 7> rules = {{
      {"mindspore-gpu", "SOMAS on GPU and CPU: multiples of 512, nothing stays nothing", mindspore_gpu},
      {"mindspore-gpu-output", "the same for outputs and workspaces: at least 512", pages},
      {"mindspore-ascend", "SOMAS on Ascend: 32 bytes more, then multiples of 512", mindspore_ascend},
      {"mindspore-communication", "buffers of collectives on Ascend: 512 bytes on either side",
       mindspore_communication},
      {"mindspore-pool", "MindSpore's dynamic pool: multiples of 512, at least one", mindspore_pool_size},
      {"pytorch", "PyTorch's caching allocator: multiples of 512, at least one", pytorch_size},
      {"bfc", "TensorFlow's BFC allocator: multiples of 256", bfc_size},
  }};
  return rules;
}

const SizeRule* find_size_rule(std::string_view id) {
  const auto rules = size_rules();
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const SizeRule& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace stowage
