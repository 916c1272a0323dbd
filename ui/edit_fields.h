#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/edit.h"
#include "ui/typed_field.h"
#include "ui/workbench.h"

namespace stowage {

/// What the inspector lets one type in edit mode.
enum class EditField { kName, kKind, kSize, kAlignment, kStart, kEnd, kGaps, kFixed, kHint, kSpace };
inline constexpr std::size_t kEditFields = 10;

/// How a buffer's value is written in a field, so that reading it back gives the same: "1 MiB", "4097", "4-6, 9-11".
std::string field_text(EditField field, const Problem& problem, BufferIndex buffer);
/// The edits that give all of the buffers this value. Errors say what can be written instead.
Result<std::vector<Edit>> field_edits(EditField field, std::string_view text, const Problem& problem,
                                      std::span<const BufferIndex> buffers);

/// Bytes as fields write them: with a unit when that says every byte, else all digits.
std::string bytes_as_typed(std::int64_t count);
/// Bytes as fields read them: "1 MiB", "4097", or hexadecimal "0x1000".
std::optional<std::int64_t> parse_address(std::string_view text);

/// The limit of a space as its field has it; empty: none.
std::string capacity_text(const Problem& problem, std::uint16_t space);
/// The edit that gives the space this limit, the whole problem where it is the only one.
Result<edit::Capacity> capacity_edit(std::string_view text, const Problem& problem, std::uint16_t space);

/// Texts of the fields while they are typed, and what was wrong with them.
struct EditFields {
  std::array<TypedField, kEditFields> fields;
  std::uint64_t problem_revision = 0;
  std::uint64_t selection_revision = 0;
  bool focus_first = false;
};

/// The fields of the selected buffers and a button for each thing one can do with them; in the inspector's card.
void edit_fields(Workbench::State& state);
/// The keys go to the first of the fields, out of whatever hides it.
void focus_first_field(Workbench::State& state);
/// The buttons alone.
void edit_buttons(Workbench::State& state);
/// The field of the limit of the shown space; in the card of the plan.
void edit_capacity(Workbench::State& state);

}  // namespace stowage
