#include "core/graph/data_type.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stowage {
namespace {

struct Row {
  DataType type;
  int bits;
  std::string_view name;                  // as written
  std::array<std::string_view, 5> known;  // as also read
};

constexpr std::array<Row, 21> kTypes = {{
    {DataType::kBool, 8, "bool", {"pred", "boolean", "b8", "bool_"}},
    {DataType::kUint1, 1, "uint1", {"u1"}},
    {DataType::kInt2, 2, "int2", {"i2", "s2"}},
    {DataType::kUint2, 2, "uint2", {"u2"}},
    {DataType::kInt4, 4, "int4", {"i4", "s4"}},
    {DataType::kUint4, 4, "uint4", {"u4"}},
    {DataType::kInt8, 8, "int8", {"i8", "s8", "char"}},
    {DataType::kUint8, 8, "uint8", {"u8", "byte"}},
    {DataType::kFloat8, 8, "float8", {"f8", "fp8"}},
    {DataType::kInt16, 16, "int16", {"i16", "s16", "short"}},
    {DataType::kUint16, 16, "uint16", {"u16"}},
    {DataType::kFloat16, 16, "float16", {"f16", "fp16", "half"}},
    {DataType::kBfloat16, 16, "bfloat16", {"bf16"}},
    {DataType::kInt32, 32, "int32", {"i32", "s32", "int"}},
    {DataType::kUint32, 32, "uint32", {"u32"}},
    {DataType::kFloat32, 32, "float32", {"f32", "fp32", "float"}},
    {DataType::kInt64, 64, "int64", {"i64", "s64", "long"}},
    {DataType::kUint64, 64, "uint64", {"u64"}},
    {DataType::kFloat64, 64, "float64", {"f64", "fp64", "double"}},
    {DataType::kComplex64, 64, "complex64", {"c64"}},
    {DataType::kComplex128, 128, "complex128", {"c128"}},
}};

const Row& row_of(DataType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

/// "float8_e4m3fn", "f8e5m2", "float8e4m3b11fnuz", "fp8_e5m2": how many bits are exponent and mantissa does not matter
/// here.
bool is_float8(std::string_view name) {
  for (const std::string_view begin : {"float8", "fp8", "f8"}) {
    if (!name.starts_with(begin)) continue;
    name.remove_prefix(begin.size());
    if (name.starts_with('_')) name.remove_prefix(1);
    for (const std::string_view split : {"e3m4", "e4m3", "e5m2", "e8m0"}) {
      if (!name.starts_with(split)) continue;
      const std::string_view rest = name.substr(split.size());
      return std::all_of(rest.begin(), rest.end(),
                         [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
    }
    return false;
  }
  return false;
}

}  // namespace

std::string_view name_of(DataType type) {
  return row_of(type).name;
}

std::optional<DataType> data_type(std::string_view name) {
  for (const Row& row : kTypes) {
    if (row.name == name) return row.type;
    for (const std::string_view known : row.known) {
      if (!known.empty() && known == name) return row.type;
    }
  }
  if (is_float8(name)) return DataType::kFloat8;
  return std::nullopt;
}

int bits_of(DataType type) {
  return row_of(type).bits;
}

std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) {
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    empty = empty || dimension == 0;
  }
  if (empty) return 0;  // whatever the other dimensions multiply to
  std::int64_t count = 1;
  for (const std::int64_t dimension : shape) {
    if (count > std::numeric_limits<std::int64_t>::max() / dimension) return std::nullopt;
    count *= dimension;
  }
  return count;
}

std::optional<std::int64_t> packed_bytes(std::span<const std::int64_t> shape, DataType type) {
  const std::optional<std::int64_t> count = element_count(shape);
  if (!count) return std::nullopt;
  const std::int64_t bits = bits_of(type);
  if (bits >= 8) {
    const std::int64_t each = bits / 8;
    if (*count > std::numeric_limits<std::int64_t>::max() / each) return std::nullopt;
    return *count * each;
  }
  const std::int64_t in_a_byte = 8 / bits;
  return *count / in_a_byte + (*count % in_a_byte != 0 ? 1 : 0);
}

}  // namespace stowage
