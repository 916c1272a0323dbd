#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::mlir {

/// Values of SSA names, "%c64" -> 64: constants of the text, and what the user says of sizes known only at run time.
using Constants = std::map<std::string, std::int64_t, std::less<>>;

/// A line without the comment behind //.
std::string_view without_comment(std::string_view line);
/// Takes "%c64 = arith.constant 64 : index" (or constant, index.constant, in either form) into the constants.
void read_constant(std::string_view line, Constants& constants);
/// What a constant is called by the printer of MLIR, which makes names of values: 64 of "%c64", "%c64_0", "%c64_i64".
std::optional<std::int64_t> value_in_name(std::string_view name);
/// "%n=16,%m=4", names with or without the percent sign; nothing when it is not that.
std::optional<Constants> given_sizes(std::string_view text);
/// The bytes of one element: i1 takes one, complex<f32> two numbers, vector<4xf32> four. Nothing for other types.
std::optional<std::int64_t> element_bytes(std::string_view type);

}  // namespace stowage::mlir
