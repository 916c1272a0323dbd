#include "ui/adding.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/document/snap.h"
#include "core/io/csv_scanner.h"
#include "core/io/format.h"
#include "ui/board.h"
#include "ui/neighbours.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Of a new buffer where nothing says better.
constexpr std::int64_t kSize = 4096;

/// A spreadsheet copies its cells with tabs between them, and in quotes only where there are line ends or quotes
/// inside.
std::string with_commas(const std::string& text) {
  const std::string_view head = std::string_view(text).substr(0, text.find_first_of("\r\n"));
  const bool is_json = trim(head).starts_with('{') || trim(head).starts_with('[');
  if (is_json || head.find('\t') == std::string_view::npos || head.find(',') != std::string_view::npos) return text;
  std::string csv;
  std::string cell;
  bool quoted = false;
  bool verbatim = false;  // there were quotes around the cell
  const auto end_cell = [&] {
    csv::append_cell(csv, verbatim ? std::string_view(cell) : trim(cell));
    cell.clear();
    verbatim = false;
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' && (quoted || cell.empty())) {
      const bool doubled = quoted && k + 1 < text.size() && text[k + 1] == '"';
      if (doubled) {
        cell += c;
        ++k;
      } else {
        quoted = !quoted;
        verbatim = true;
      }
    } else if (!quoted && (c == '\t' || c == '\n' || c == '\r')) {
      end_cell();
      csv += c == '\t' ? ',' : c;
    } else {
      cell += c;
    }
  }
  end_cell();
  return csv;
}

}  // namespace

void add_buffers(State& state, EditRequest request) {
  const bool remade = state.shown_plan.empty() || find_allocator(state.shown_plan) != nullptr;
  const std::size_t before = state.problem().size();
  if (remade || before > Editing::kAtOnce) return edit_problem(state, std::move(request));
  begin_edit_drag(state);
  request.drag = true;  // what follows belongs to the same entry
  const std::string label = request.label;
  edit_problem(state, std::move(request));
  if (!state.editing.impossible.empty()) state.complain(state.editing.impossible);
  std::vector<std::int64_t> offsets = state.offsets();
  std::vector<std::pair<BufferIndex, std::int64_t>> places;
  for (auto i = static_cast<BufferIndex>(before); i < state.problem().size(); ++i) {
    offsets[i] = state.problem()[i].is_fixed() ? state.problem()[i].fixed
                                               : lowest_free_offset(state.problem(), offsets, i,
                                                                    conflicts_near(state.problem(), state.analysis, i));
    places.emplace_back(i, offsets[i]);
  }
  place_by_hand(state, places, true);
  state.editing.drag_entry = 0;
}

void add_buffer(State& state) {
  if (state.index() == nullptr) new_problem(state);
  const BufferIndex chosen = state.chosen();
  edit::Add add;
  add.name = new_name(state.problem());
  if (chosen != kNoBuffer) {
    const Buffer& like = state.problem()[chosen];
    add.buffer = like;
    add.buffer.fixed = kNoOffset;
    add.buffer.start = like.end;
    add.buffer.end = checked_add(like.end, std::max<std::int64_t>(1, like.lifetime())).value_or(kMaxInt64);
    add.kind = state.problem().kind(chosen);
  } else {
    const Viewport& view = state.camera;
    const double middle = (view.time_at(view.area.left) + view.time_at(view.area.right)) / 2;
    const double quarter = (view.time_at(view.area.right) - view.time_at(view.area.left)) / 4;
    add.buffer.start = static_cast<std::int64_t>(std::floor(middle - quarter / 2));
    add.buffer.end = add.buffer.start + std::max<std::int64_t>(1, std::llround(quarter));
    add.buffer.size = kSize;
    add.buffer.space = state.space;
  }
  const std::string label = "Added " + add.name;
  add_buffers(state, EditRequest{label, {std::move(add)}, false});
}

void paste_buffers(State& state, const std::string& text) {
  if (trim(text).empty()) return state.complain("The clipboard holds no text");
  const auto document = read_document(with_commas(text), "clipboard", ReadOptions{});
  if (!document) return state.complain(document.error().message);
  const Problem& from = *document->problem;
  if (from.size() == 0) return state.complain("The text on the clipboard has no buffers");
  if (state.index() == nullptr) new_problem(state);
  const std::string label =
      from.size() == 1 ? "Pasted " + printable_utf8(from.id(0)) : fmt::format("Pasted {} buffers", from.size());
  add_buffers(state, EditRequest{label, additions(state.problem(), from, state.space), false});
}

}  // namespace stowage
