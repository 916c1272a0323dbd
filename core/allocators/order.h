#pragma once

#include <string_view>
#include <vector>

#include "core/allocators/allocator.h"
#include "core/base/integers.h"
#include "core/base/result.h"
#include "core/model/problem.h"
#include "core/run/params.h"

namespace stowage {

/// One number a buffer; the larger goes first.
using OrderLetter = std::vector<Int128>;
/// The numbers of one letter of make_order.
OrderLetter order_letter(const Problem& problem, char letter);
/// At least one letter, and no other than those of make_order.
bool are_order_letters(std::string_view letters);

/// All buffers in the order in which a greedy allocator takes them. Names: given; size, area, lifetime, conflicts
/// (falling, then row); start (start rising, size falling, row). Else letters that are compared in turn, larger first,
/// last tie by row (google/minimalloc's preordering heuristics): A area, C sections spanned, L start, O conflicts,
/// T the largest load during the lifetime, U end, W lifetime, Z size. Error: usage, for any other text.
Result<std::vector<BufferIndex>> make_order(const Problem& problem, std::string_view order);

/// The parameter `order` with this default.
ParamSpec order_param(std::string_view value);

/// An allocator that takes buffers in an order, as a table: itself with the order as given, and a ready preset for each
/// named order ("first-fit-size", ...). `base` has everything but the parameter.
std::vector<Allocator> in_every_order(const Allocator& base);

}  // namespace stowage
