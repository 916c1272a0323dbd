#include "core/networks/op_types.h"

#include <algorithm>
#include <array>

namespace stowage {

std::string_view op_type(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return {};
    case Activation::kRelu:
      return "Relu";
    case Activation::kRelu6:
      return "Relu6";
    case Activation::kSigmoid:
      return "Sigmoid";
    case Activation::kTanh:
      return "Tanh";
    case Activation::kGelu:
      return "Gelu";
  }
  return {};
}

std::string fused_type(std::initializer_list<std::string_view> parts) {
  std::string type;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!type.empty()) type += '+';
    type += part;
  }
  return type;
}

std::vector<std::string_view> parts_of(std::string_view type) {
  std::vector<std::string_view> parts;
  for (std::size_t plus = type.find('+'); plus != std::string_view::npos; plus = type.find('+')) {
    parts.push_back(type.substr(0, plus));
    type.remove_prefix(plus + 1);
  }
  parts.push_back(type);
  return parts;
}

bool derivative_from_result(std::string_view type) {
  constexpr std::array<std::string_view, 5> kFromResult = {"Relu", "Relu6", "Sigmoid", "Tanh", "Exp"};
  return std::find(kFromResult.begin(), kFromResult.end(), type) != kFromResult.end();
}

}  // namespace stowage
