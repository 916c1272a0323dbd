#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/data_type.h"

namespace stowage::tflite {

/// "CONV_2D"; "op 999" for one that the schema of our day does not have.
std::string builtin_op_name(std::int32_t code);

inline constexpr std::int32_t kCustomOp = 32;

/// What the number of a TensorType means.
struct ElementType {
  std::string_view name;         // "int8"; empty for one that we do not know
  std::optional<DataType> type;  // none where no graph of ours has it
  int bits = 0;                  // 0: its size is known when the model runs only
};
ElementType element_type(std::int8_t number);

/// Whether an implementation may write its output over its first input (over any input for two of one shape), because
/// it goes through both element by element.
bool goes_element_by_element(std::int32_t code);

}  // namespace stowage::tflite
