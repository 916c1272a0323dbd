#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/onnx_model.h"

namespace stowage::onnx {

/// Whole numbers that stand in a tensor: a list, or a single one without a dimension.
struct Numbers {
  std::vector<std::int64_t> list;
  bool scalar = false;
};
using NumbersByName = std::unordered_map<std::string_view, Numbers>;

using TypesByName = std::unordered_map<std::string_view, Type>;

/// What models compute about shapes while they run, as far as it is known before: constants, Shape of what has a known
/// shape, and Gather, Slice, Concat, Unsqueeze, Squeeze, Cast, Identity and arithmetic on those. Lists above 64 numbers
/// are left out. The onnx library follows the newer versions of these ops only.
NumbersByName numbers_of(const Graph& graph, const TypesByName& types);

/// A TensorProto of 64-bit integers.
std::string tensor_of(std::string_view name, const Numbers& numbers);

}  // namespace stowage::onnx
