#include "core/transforms/encodings.h"

#include <array>
#include <cmath>
#include <utility>

#include "core/base/integers.h"

namespace stowage {
namespace {

constexpr std::array<std::pair<std::string_view, Encoding>, 5> kNames = {{{"binarize", Encoding::kBinarize},
                                                                          {"sparse", Encoding::kSparse},
                                                                          {"fp16", Encoding::kFloat16},
                                                                          {"fp10", Encoding::kFloat10},
                                                                          {"fp8", Encoding::kFloat8}}};

std::int64_t clamped(Int128 value) {
  return value > kMaxInt64 ? kMaxInt64 : static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<Encoding> encoding(std::string_view name) {
  for (const auto& [known, encoding] : kNames) {
    if (known == name) return encoding;
  }
  return std::nullopt;
}

std::string_view name_of(Encoding encoding) {
  return kNames[static_cast<std::size_t>(encoding)].first;
}

std::int64_t packed_bits_bytes(std::int64_t values, std::int64_t bits) {
  return clamped((static_cast<Int128>(values) * bits + 7) / 8);
}

std::int64_t pool_map_bytes(std::int64_t results) {
  return packed_bits_bytes(results, 4);
}

std::int64_t sparse_bytes(std::int64_t values, std::int64_t value_bytes, double sparsity, std::int64_t index_bytes) {
  const auto zeros = static_cast<std::int64_t>(std::floor(sparsity * static_cast<double>(values) + 1e-6));
  return clamped(static_cast<Int128>(values - zeros) * (value_bytes + index_bytes));
}

double sparse_ratio(std::int64_t value_bytes, double sparsity, std::int64_t index_bytes) {
  return static_cast<double>(value_bytes) / ((1 - sparsity) * static_cast<double>(value_bytes + index_bytes));
}

double break_even_sparsity(std::int64_t value_bytes, std::int64_t index_bytes) {
  return static_cast<double>(index_bytes) / static_cast<double>(value_bytes + index_bytes);
}

std::int64_t reduced_bytes(std::int64_t values, Encoding encoding) {
  const std::int64_t in_word = encoding == Encoding::kFloat16 ? 2 : encoding == Encoding::kFloat10 ? 3 : 4;
  const std::int64_t words = values / in_word + (values % in_word == 0 ? 0 : 1);
  return clamped(static_cast<Int128>(words) * 4);
}

}  // namespace stowage
