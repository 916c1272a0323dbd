#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage {

// Sizes of stashed forward values in the encodings of Jain et al., "Gist: Efficient Data Encoding for Deep Neural
// Network Training" (ISCA 2018).

enum class Encoding {
  kBinarize,  // one bit a value: the way back of a ReLU needs only the sign
  kSparse,    // compressed sparse rows of 256 values: the values above 0, each with its column
  kFloat16,   // of 32-bit values: two, three or four in a word of 32 bits
  kFloat10,
  kFloat8,
};
std::optional<Encoding> encoding(std::string_view name);
std::string_view name_of(Encoding encoding);

/// `bits` for each value, in whole bytes.
std::int64_t packed_bits_bytes(std::int64_t values, std::int64_t bits);
/// Where the maximum lay in each window of a pooling of at most 3 x 3 (4 bits reach that far), by results.
std::int64_t pool_map_bytes(std::int64_t results);
/// Values other than 0, each with an index of 1 or 4 bytes; row pointers are not counted.
std::int64_t sparse_bytes(std::int64_t values, std::int64_t value_bytes, double sparsity, std::int64_t index_bytes);
/// How many times smaller that is.
double sparse_ratio(std::int64_t value_bytes, double sparsity, std::int64_t index_bytes);
/// From this share of zeros on sparse rows are smaller than the values themselves.
double break_even_sparsity(std::int64_t value_bytes, std::int64_t index_bytes);
/// 2, 3 or 4 values in each word of 32 bits.
std::int64_t reduced_bytes(std::int64_t values, Encoding encoding);

}  // namespace stowage
