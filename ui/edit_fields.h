#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/edit.h"
#include "ui/workbench.h"

namespace stowage {

/// What the inspector lets one type in edit mode.
enum class EditField { kName, kKind, kSize, kAlignment, kStart, kEnd, kFixed, kHint, kSpace };
inline constexpr std::size_t kEditFields = 9;

/// How a buffer's value is written in a field, so that reading it back gives the same: "1 MiB", "4097".
std::string field_text(EditField field, const Problem& problem, BufferIndex buffer);
/// The edits that give all of the buffers this value. Errors say what can be written instead.
Result<std::vector<Edit>> field_edits(EditField field, std::string_view text, const Problem& problem,
                                      std::span<const BufferIndex> buffers);

/// Texts of the fields while they are typed, and what was wrong with them.
struct EditFields {
  struct One {
    std::string shown;  // as the problem has it; empty when the selected buffers differ
    std::string text;
    std::string error;
    bool mixed = false;
    bool active = false;
  };
  std::array<One, kEditFields> fields;
  std::uint64_t problem_revision = 0;
  std::uint64_t selection_revision = 0;
};

/// The fields of the selected buffers and a button for each thing one can do with them; in the inspector's card.
void edit_fields(Workbench::State& state);
/// The buttons alone.
void edit_buttons(Workbench::State& state);

}  // namespace stowage
