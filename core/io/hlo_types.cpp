#include <algorithm>
#include <array>

#include "core/io/hlo_text.h"

namespace stowage::hlo {
namespace {

struct TypeRow {
  std::string_view name;
  int bits;
  DataType like;
};

constexpr std::array<TypeRow, 33> kTypes = {{
    {"pred", 8, DataType::kBool},
    {"s1", 1, DataType::kInt4},
    {"s2", 2, DataType::kInt4},
    {"s4", 4, DataType::kInt4},
    {"s8", 8, DataType::kInt8},
    {"s16", 16, DataType::kInt16},
    {"s32", 32, DataType::kInt32},
    {"s64", 64, DataType::kInt64},
    {"u1", 1, DataType::kUint4},
    {"u2", 2, DataType::kUint4},
    {"u4", 4, DataType::kUint4},
    {"u8", 8, DataType::kUint8},
    {"u16", 16, DataType::kUint16},
    {"u32", 32, DataType::kUint32},
    {"u64", 64, DataType::kUint64},
    {"f16", 16, DataType::kFloat16},
    {"bf16", 16, DataType::kBfloat16},
    {"f32", 32, DataType::kFloat32},
    {"f64", 64, DataType::kFloat64},
    {"c64", 64, DataType::kComplex64},
    {"c128", 128, DataType::kComplex128},
    {"f8e5m2", 8, DataType::kFloat8},
    {"f8e4m3", 8, DataType::kFloat8},
    {"f8e4m3fn", 8, DataType::kFloat8},
    {"f8e4m3b11fnuz", 8, DataType::kFloat8},
    {"f8e4m3fnuz", 8, DataType::kFloat8},
    {"f8e5m2fnuz", 8, DataType::kFloat8},
    {"f8e3m4", 8, DataType::kFloat8},
    {"f8e8m0fnu", 8, DataType::kFloat8},
    {"f4e2m1fn", 4, DataType::kUint4},
    {"token", 0, DataType::kUint8},
    {"opaque", 0, DataType::kUint8},
    {"tuple", 0, DataType::kUint8},
}};

const TypeRow* row_of(std::string_view type) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.name == type; });
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<int> element_bits(std::string_view type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? std::nullopt : std::optional<int>(row->bits);
}

DataType data_type_of(std::string_view type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? DataType::kUint8 : row->like;
}

}  // namespace stowage::hlo
