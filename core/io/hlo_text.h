#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/data_type.h"

/// The text of an HLO module as XLA prints it, taken apart; views of the text. (Grammar: openxla/xla, hlo_lexer.cc,
/// hlo_parser.cc and HloInstruction's printing.)
namespace stowage::hlo {

/// Where a value is inside a tuple: {1,0}. Empty for one that is no tuple.
using Index = std::vector<std::uint32_t>;

/// An array inside the shape of an instruction. Tuples own nothing themselves.
struct Leaf {
  Index index;
  std::string_view type;  // "f32", "s4", "token"
  std::vector<std::int64_t> dimensions;
  std::optional<std::int64_t> bytes;  // none: a dimension without a bound, a type that is not known
  std::int64_t memory_space = 0;      // S(1) in the layout
};

/// Output `output` lies where the part `index` of operand `operand` lies.
struct Aliasing {
  Index output;
  std::uint32_t operand = 0;
  Index index;
};

struct Instruction {
  std::string_view name;
  std::string_view opcode;
  bool root = false;
  bool untyped = false;  // a tuple without a shape, which is that of its operands
  std::vector<Leaf> leaves;
  std::vector<std::string_view> operands;
  std::optional<std::uint32_t> number;   // of a parameter; index of get-tuple-element
  std::vector<std::string_view> called;  // computations
  std::vector<Aliasing> aliasing;
  std::string_view op_name;      // from its metadata
  std::string_view source_file;  // likewise
  std::string_view source_line;
  std::size_t at = 0;  // byte of the text
};

struct Computation {
  std::string_view name;
  bool entry = false;
  std::vector<Instruction> instructions;
};

struct Module {
  std::string_view name;
  bool scheduled = false;
  std::size_t donated = 0;  // outputs that lie in a parameter (input_output_alias)
  std::vector<Computation> computations;
};

/// The bits of one element; nothing for what is not known. Tokens and opaque values have none.
std::optional<int> element_bits(std::string_view type);
/// The element type nearest to it; for drawing.
DataType data_type_of(std::string_view type);

/// What cannot be read is told to `complain` with its byte, and left out. Errors: no module, no
/// computation.
Result<Module> read_module(std::string_view text, const std::function<void(std::size_t, std::string_view)>& complain);

}  // namespace stowage::hlo
