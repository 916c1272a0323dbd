#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace stowage {

/// The element type of a tensor.
enum class DataType : std::uint8_t {
  kBool,
  kUint1,
  kInt2,
  kUint2,
  kInt4,
  kUint4,
  kInt8,
  kUint8,
  kFloat8,
  kInt16,
  kUint16,
  kFloat16,
  kBfloat16,
  kInt32,
  kUint32,
  kFloat32,
  kInt64,
  kUint64,
  kFloat64,
  kComplex64,
  kComplex128,
};

/// "float32", "int4": as it stands in files.
std::string_view name_of(DataType type);
/// Also the usual short forms ("f32", "half", "i8", "double"); none when it is no type at all.
std::optional<DataType> data_type(std::string_view name);
/// Of one element; a bool takes a whole byte.
int bits_of(DataType type);
/// Dimensions multiplied: 1 for a scalar (no dimension), 0 when one is empty. None for a negative dimension or a
/// product outside int64.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape);
/// Elements packed without gaps, rounded up to whole bytes once. None as above.
std::optional<std::int64_t> packed_bytes(std::span<const std::int64_t> shape, DataType type);

}  // namespace stowage
