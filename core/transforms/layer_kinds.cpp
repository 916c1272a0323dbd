#include "core/transforms/layer_kinds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace stowage {
namespace {

/// Letters alone, small: "MaxPool2d" and "aten::max_pool" become "maxpoold" and "maxpool".
std::string plain(std::string_view type) {
  const std::size_t scope = type.rfind("::");
  if (scope != std::string_view::npos) type.remove_prefix(scope + 2);
  std::string letters;
  for (const char c : type) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

/// Of an op that does the work of several, "Conv+BatchNorm+Relu", the last.
std::string last_part(std::string_view type) {
  const std::size_t plus = type.rfind('+');
  return plain(plus == std::string_view::npos ? type : type.substr(plus + 1));
}

bool says_gradient(const std::string& type) {
  return type.find("grad") != std::string::npos || type.find("backward") != std::string::npos;
}

template <std::size_t N>
bool begins_with_any(const std::string& type, const std::array<std::string_view, N>& names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return type.starts_with(name); });
}

}  // namespace

bool is_conv(const Op& op) {
  const std::string type = plain(op.type);
  return type.find("conv") != std::string::npos && !says_gradient(type);
}

bool is_relu(const Op& op) {
  return last_part(op.type) == "relu";
}

bool is_max_pool(const Op& op) {
  const std::string type = plain(op.type);
  return type.starts_with("maxpool") && !says_gradient(type);
}

bool is_softmax(const Op& op) {
  const std::string type = plain(op.type);
  return type.starts_with("softmax") && !says_gradient(type);
}

bool is_product(const Op& op) {
  static constexpr std::array<std::string_view, 8> kNames = {"matmul", "batchmatmul", "bmm",    "gemm",
                                                             "linear", "dot",         "einsum", "mm"};
  const std::string type = plain(op.type);
  return begins_with_any(type, kNames) && !says_gradient(type);
}

bool is_elementwise(const Op& op) {
  static constexpr std::array<std::string_view, 13> kNames = {
      "add", "sub", "mul", "div", "scale", "mask", "dropout", "where", "softmax", "cast", "relu", "gelu", "tanh"};
  const std::string type = plain(op.type);
  return begins_with_any(type, kNames) && !says_gradient(type);
}

bool is_relu_gradient(const Op& op) {
  const std::string type = plain(op.type);
  return type.starts_with("relu") && (says_gradient(type) || op.backward);
}

bool is_max_pool_gradient(const Op& op) {
  const std::string type = plain(op.type);
  return type.starts_with("maxpool") && (says_gradient(type) || op.backward);
}

}  // namespace stowage
