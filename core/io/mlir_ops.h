#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/mlir_text.h"

namespace stowage::mlir {

/// One op of a text of MLIR, in the form of its dialect or in the generic one:
///   %x, %t = gpu.alloc async [%s] (%n) : memref<?xf32>
///   %x, %t = "gpu.alloc"(%s, %n) <{...}> : (!gpu.async.token, index) -> (memref<?xf32>, !gpu.async.token)
struct Op {
  std::string_view result;  // the first of its results; empty when it has none
  std::string_view name;    // without quotes: "gpu.alloc"
  std::string_view rest;    // what stands behind the name
  bool generic = false;
};

/// The op that a line begins with. A line that goes on with another op, or is none, may give nonsense names.
std::optional<Op> op_of(std::string_view line);
/// The operands in the first parentheses behind the name.
std::vector<std::string_view> operands_of(const Op& op);
/// The first operand, with or without parentheses; empty when there is none.
std::string_view first_operand(const Op& op);
/// The last name before the types.
std::string_view last_operand(const Op& op);
/// The type of the first result, as "memref<...>" or "!alias"; empty while it has not come to its end.
std::string_view result_type(const Op& op);
/// The number behind "NAME = ", of an attribute.
std::optional<std::int64_t> number_attribute(std::string_view rest, std::string_view name);
/// The text in quotes behind "NAME = ", of an attribute.
std::optional<std::string_view> text_attribute(std::string_view rest, std::string_view name);

/// Where `what` stands outside all brackets and quoted texts; npos when it does not.
std::size_t find_outside(std::string_view text, std::string_view what, std::size_t from = 0);
/// The parts between commas outside all brackets, trimmed.
std::vector<std::string_view> parts_outside(std::string_view text);

/// What "memref<16x?xf32, strided<[1, 4]>, 3>" says, without the word and its brackets.
struct MemrefType {
  std::optional<std::int64_t> bytes;
  std::string_view space;                 // "3", "#gpu.address_space<workgroup>"; empty when none is named
  std::vector<std::string_view> unknown;  // operands that say a size, without a value
  std::string_view layout;                // a map that was not applied to the size
  bool strides_unknown = false;
};
MemrefType memref_type(std::string_view text, const std::vector<std::string_view>& operands,
                       const Constants& constants);

}  // namespace stowage::mlir
