#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

enum class Activation : std::uint8_t { kNone, kRelu, kRelu6, kSigmoid, kTanh, kGelu };

/// "Relu", "Sigmoid", ...: the op type; empty for none.
std::string_view op_type(Activation activation);

/// "Conv+BatchNorm+Relu": the type of one op that does the work of several, first to last. Empty parts are left out.
std::string fused_type(std::initializer_list<std::string_view> parts);
std::vector<std::string_view> parts_of(std::string_view type);

/// Is the derivative of this elementwise op written in terms of its result (else: of its input)?
bool derivative_from_result(std::string_view type);

}  // namespace stowage
