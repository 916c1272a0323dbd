#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/board.h"
#include "ui/colours.h"
#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

struct Column {
  SortColumn id;
  const char* key;  // for tests: "buffers.sort.size"
  const char* title;
  float width = 0;  // device pixels
  bool right = true;
};

std::string cell(const State& state, SortColumn column, BufferIndex i) {
  const Buffer& b = state.problem()[i];
  switch (column) {
    case SortColumn::kSize:
      return state.bytes(b.size);
    case SortColumn::kStart:
      return fmt::format("{}\u2013{}", b.start, b.end);
    case SortColumn::kAddress:
      return state.address(i < state.offsets().size() ? state.offsets()[i] : kNoOffset);
    case SortColumn::kLifetime:
      return format_count(b.lifetime());
    case SortColumn::kKind:
      return printable_utf8(state.problem().kind(i));
    case SortColumn::kAlignment:
      return state.bytes(b.alignment);
    case SortColumn::kRow:
      return format_count(static_cast<std::int64_t>(i));
    case SortColumn::kName:
      break;
  }
  return printable_utf8(state.problem().id(i));
}

/// What the longest name needs, as far as one can look quickly; known again after each edit.
struct NameWidth {
  static constexpr std::size_t kLooked = 2'000;
  std::uint64_t problem_revision = 0;
  std::uint64_t font_revision = 0;
  float width = 0;
};

float name_width(const State& state) {
  NameWidth& known = state.parts.get<NameWidth>();
  const bool fresh = known.problem_revision == state.problem_revision && known.font_revision == state.font_revision;
  if (fresh) return known.width;
  known = NameWidth{state.problem_revision, state.font_revision, 0};
  std::string_view longest;
  const auto end = static_cast<BufferIndex>(std::min(state.problem().size(), NameWidth::kLooked));
  for (BufferIndex i = 0; i < end; ++i) {
    if (state.problem().id(i).size() > longest.size()) longest = state.problem().id(i);
  }
  known.width = text_width(state.ui.fonts.text, printable_utf8(longest));
  return known.width;
}

/// The columns that fit, in the order of their importance; the name takes what is left. Where it is long the less
/// important ones make room for it.
std::vector<Column> columns_for(const State& state, float width) {
  const Ui& ui = state.ui;
  const float letter = text_width(ui.fonts.mono, "0");
  const auto wide = [&](std::size_t letters) {
    return letter * static_cast<float>(letters) + ui.px(10);
  };
  const ProblemMetrics& facts = state.analysis.facts;
  const PlanFacts* shown = state.shown_facts();
  const std::int64_t top = shown != nullptr ? shown->metrics.makespan : facts.load;
  const std::size_t times =
      2 * std::max(std::to_string(facts.horizon_low).size(), std::to_string(facts.horizon_high).size()) + 1;
  constexpr std::size_t kLongest = 11;  // "1023.94 KiB"
  const std::size_t address =
      state.settings.hex_addresses ? std::max<std::size_t>(state.address(top).size(), 7) : kLongest;
  std::vector<Column> wanted = {
      {SortColumn::kSize, "size", "Size", wide(kLongest)},
      {SortColumn::kStart, "start", "Live", wide(std::max<std::size_t>(times, 5))},
      {SortColumn::kAddress, "address", "Address", wide(address)},
      {SortColumn::kLifetime, "lifetime", "Steps", wide(std::max<std::size_t>(times / 2, 6))},
      {SortColumn::kKind, "kind", "Kind", ui.px(96), false},
      {SortColumn::kAlignment, "alignment", "Align", wide(7)},
      {SortColumn::kRow, "row", "Row", wide(8)},
  };
  if (state.problem().kinds().size() <= 1) {
    std::erase_if(wanted, [](const Column& c) { return c.id == SortColumn::kKind; });
  }
  std::vector<Column> columns = {{SortColumn::kName, "name", "Name", 0, false}};
  constexpr std::size_t kImportant = 4;  // with the name
  const float least = ui.px(58);
  const float whole_name = std::max(least, name_width(state) + ui.px(44));  // and its dot, a pin, some air
  float left = width;
  for (const Column& column : wanted) {
    if (left - column.width < (columns.size() < kImportant ? least : whole_name)) break;
    left -= column.width;
    columns.push_back(column);
  }
  columns.front().width = left;
  return columns;
}

void header(State& state, const std::vector<Column>& columns, ImVec2 at) {
  Ui& ui = state.ui;
  float x = at.x;
  const float high = ui.px(22);
  for (const Column& column : columns) {
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    ImGui::PushID(column.key);
    if (ImGui::InvisibleButton("##sort", ImVec2(column.width, high))) state.push(action::SortBy{column.id});
    ImGui::PopID();
    record(ui, std::string("buffers.sort.") + column.key);
    const bool on = state.sort_column == column.id;
    const Color color = on || ImGui::IsItemHovered() ? ui.theme->text : ui.theme->dim;
    const char* arrow = state.sort_descending ? icon::kSortDown : icon::kSortUp;
    const float y = at.y + (high - font_height(ui.fonts.small)) / 2;
    const float pad = ui.px(4);
    if (column.right) {
      draw_text_right(ui, ui.fonts.small, ImVec2(x + column.width - pad, y), color, column.title);
      if (on) {
        const float before = text_width(ui.fonts.small, column.title) + pad + ui.px(4);
        draw_text_right(ui, ui.fonts.small, ImVec2(x + column.width - before, y), ui.theme->accent, arrow);
      }
    } else {
      draw_text(ui, ui.fonts.small, ImVec2(x + pad, y), color, column.title);
      if (on) {
        draw_text(ui, ui.fonts.small, ImVec2(x + pad + text_width(ui.fonts.small, column.title) + ui.px(5), y),
                  ui.theme->accent, arrow);
      }
    }
    x += column.width;
  }
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y + high), ImVec2(x, at.y + high), u32(ui.theme->line));
}

void draw_row(State& state, const std::vector<Column>& columns, BufferIndex i, ImVec2 at, float high) {
  const Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float x = at.x;
  for (const Column& column : columns) {
    const std::string words = cell(state, column.id, i);
    const float pad = ui.px(4);
    if (column.id == SortColumn::kName) {
      const float dot = ui.px(8);
      const float y = at.y + (high - dot) / 2;
      list.AddRectFilled(ImVec2(x + pad, y), ImVec2(x + pad + dot, y + dot), u32(colour_of(state, i)), ui.px(2));
      const float left = pad + dot + ui.px(7);
      const bool pinned = state.problem()[i].is_fixed();
      const float room = column.width - left - ui.px(4) - (pinned ? ui.px(14) : 0);
      draw_text(ui, ui.fonts.text, ImVec2(x + left, at.y + (high - font_height(ui.fonts.text)) / 2), ui.theme->text,
                fitted(ui.fonts.text, words, room));
      if (pinned) {
        draw_text_right(ui, ui.fonts.small,
                        ImVec2(x + column.width - ui.px(2), at.y + (high - font_height(ui.fonts.small)) / 2),
                        ui.theme->dim, icon::kPin);
      }
    } else if (column.right) {
      draw_text_right(ui, ui.fonts.mono, ImVec2(x + column.width - pad, at.y + (high - font_height(ui.fonts.mono)) / 2),
                      column.id == SortColumn::kSize ? ui.theme->text : ui.theme->dim,
                      fitted(ui.fonts.mono, words, column.width - pad));
    } else {
      draw_text(ui, ui.fonts.small, ImVec2(x + pad, at.y + (high - font_height(ui.fonts.small)) / 2), ui.theme->dim,
                fitted(ui.fonts.small, words, column.width - 2 * pad));
    }
    x += column.width;
  }
}

void click_row(State& state, std::size_t row, BufferIndex i) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) {
    state.push(action::Select{{i}, SelectMode::kReplace});
    state.push(action::FrameBuffers{{i}});
    return;
  }
  if (io.KeyShift && state.chosen() != kNoBuffer) {
    const auto& order = state.rows.order;
    const auto from = std::find(order.begin(), order.end(), state.chosen());
    if (from != order.end()) {
      const auto a = static_cast<std::size_t>(from - order.begin());
      std::vector<BufferIndex> range(order.begin() + static_cast<std::ptrdiff_t>(std::min(a, row)),
                                     order.begin() + static_cast<std::ptrdiff_t>(std::max(a, row) + 1));
      state.push(action::Select{std::move(range), SelectMode::kAdd});
      return;
    }
  }
  state.push(action::Select{{i}, io.KeyCtrl ? SelectMode::kToggle : SelectMode::kReplace});
}

/// A scrollbar that counts whole rows: with a million of them, float pixels would jitter.
void scrollbar(State& state, ImVec2 at, ImVec2 size, std::size_t visible) {
  Ui& ui = state.ui;
  const std::size_t count = state.rows.order.size();
  if (count <= visible) return;
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("##rows", size);
  record(ui, "buffers.scrollbar");
  const float thumb = std::max(ui.px(24), size.y * static_cast<float>(visible) / static_cast<float>(count));
  const auto most = static_cast<double>(count - visible);
  if (ImGui::IsItemActive()) {
    const double share = static_cast<double>((ImGui::GetIO().MousePos.y - at.y - thumb / 2) / (size.y - thumb));
    state.first_row = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * most + 0.5);
  }
  const auto share = static_cast<float>(static_cast<double>(state.first_row) / most);
  const float y = at.y + share * (size.y - thumb);
  const double strength = ImGui::IsItemActive() ? 0.34 : ImGui::IsItemHovered() ? 0.26 : 0.16;
  const float inset = ui.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + inset, y), ImVec2(at.x + size.x - inset, y + thumb),
                                            u32(mix(ui.theme->card, ui.theme->text, strength)), size.x / 2);
}

void scroll_rows(State& state, std::size_t visible, bool hovered) {
  const std::size_t count = state.rows.order.size();
  const std::size_t most = count > visible ? count - visible : 0;
  if (state.scroll_to_selection) {
    state.scroll_to_selection = false;
    const auto& order = state.rows.order;
    const auto found = std::find(order.begin(), order.end(), state.chosen());
    if (found != order.end()) {
      const auto row = static_cast<std::size_t>(found - order.begin());
      const bool seen = row >= state.first_row && row < state.first_row + visible;
      if (!seen) state.first_row = row > visible / 2 ? row - visible / 2 : 0;
    }
  }
  const float wheel = ImGui::GetIO().MouseWheel;
  if (hovered && wheel != 0) {
    const auto step = static_cast<std::size_t>(std::max(1.0F, std::round(std::abs(wheel) * 3)));
    if (wheel > 0) {
      state.first_row = state.first_row > step ? state.first_row - step : 0;
    } else {
      state.first_row += step;
    }
  }
  state.first_row = std::min(state.first_row, most);
}

std::string count_words(const State& state) {
  const auto all = static_cast<std::int64_t>(state.problem().size());
  const auto shown = static_cast<std::int64_t>(state.rows.order.size());
  if (state.rows.matches == nullptr) return format_count(all) + (all == 1 ? " buffer" : " buffers");
  return format_count(shown) + " of " + format_count(all);
}

}  // namespace

void draw_buffers(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "buffers", at, size);
  card_title(ui, "Buffers", state.has_problem() ? count_words(state) : std::string());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 high(low.x + room.x, low.y + room.y);
  if (!state.has_problem()) {
    empty_message(ui, low, high, icon::kBox, "No buffers",
                  shows_board(state) ? "Draw the first buffer on the board: drag a rectangle there. It appears here."
                                     : "Open a file to see its buffers here.");
    end_card();
    return;
  }
  const float bar = ui.px(10);
  const std::vector<Column> columns = columns_for(state, room.x - bar);
  header(state, columns, low);
  const float row_height = ui.px(22);
  const float top = low.y + ui.px(24);
  const auto visible = static_cast<std::size_t>(std::max(1.0F, std::floor((high.y - top) / row_height)));
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(ImVec2(low.x, top), high);
  scroll_rows(state, visible, hovered);
  record(ui, "buffers.body", ImVec2(low.x, top), high);

  const std::size_t end = std::min(state.rows.order.size(), state.first_row + visible);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t row = state.first_row; row < end; ++row) {
    const BufferIndex i = state.rows.order[row];
    const ImVec2 from(low.x, top + static_cast<float>(row - state.first_row) * row_height);
    const ImVec2 to(from.x + room.x - bar, from.y + row_height);
    ImGui::SetCursorScreenPos(from);
    ImGui::PushID(static_cast<int>(i));
    ImGui::InvisibleButton("##row", ImVec2(to.x - from.x, row_height));
    ImGui::PopID();
    record(ui, fmt::format("buffers.row.{}", i));
    const bool over = ImGui::IsItemHovered();
    if (over && ImGui::IsMouseClicked(0)) click_row(state, row, i);
    const bool chosen = state.is_selected(i);
    if (chosen || over) {
      list.AddRectFilled(from, to, u32(with_alpha(ui.theme->accent, chosen ? 0.22 : 0.10)), ui.px(4));
    } else if (row % 2 == 1) {
      list.AddRectFilled(from, to, u32(with_alpha(ui.theme->raised, 0.5)), ui.px(4));
    }
    draw_row(state, columns, i, from, row_height);
    if (over && name_width(state) + ui.px(24) > columns.front().width)
      tooltip(ui, printable_utf8(state.problem().id(i)));
  }
  if (state.rows.order.empty() && !state.sorting.running()) {
    empty_message(ui, ImVec2(low.x, top), high, icon::kSearch, "Nothing matches",
                  "No buffer fits the words in the find box. Esc clears it.");
  }
  scrollbar(state, ImVec2(high.x - bar, top), ImVec2(bar, high.y - top), visible);
  end_card();
}

}  // namespace stowage
