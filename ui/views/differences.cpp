#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/comparing.h"
#include "ui/difference_table.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kDifferenceHeight = 24;
constexpr float kDifferenceHead = 22;
constexpr float kCurvesHeight = 74;

void filters(State& state, DifferenceTable& table) {
  const DifferenceSource& source = *table.source;
  const Differences& found = *source.found;
  const std::size_t only_there = found.only_there.size();
  const auto one = [&](DifferenceFilter filter, const char* name, std::string_view word, std::size_t count,
                       bool first = false) {
    const std::string words = fmt::format("{} {}", word, format_count(static_cast<std::int64_t>(count)));
    if (!first) {
      ImGui::SameLine(0, state.ui.px(4));
      if (ImGui::GetContentRegionAvail().x < button_width(state.ui, nullptr, words)) ImGui::NewLine();
    }
    const ButtonLook look = table.filter == filter ? ButtonLook::kActive : ButtonLook::kQuiet;
    if (!button(state.ui, fmt::format("differences.{}", name), nullptr, words, look)) return;
    table.filter = filter;
    table.scroll.first = 0;
  };
  one(DifferenceFilter::kDiffer, "differ", "differ", found.differing(), true);
  one(DifferenceFilter::kUp, "up", "up", found.up);
  one(DifferenceFilter::kDown, "down", "down", found.down);
  one(DifferenceFilter::kSame, "same", "same", found.same);
  if (found.only_here > 0) one(DifferenceFilter::kOnlyHere, "only_here", "only here", found.only_here);
  if (only_there > 0) one(DifferenceFilter::kOnlyThere, "only_there", "only there", only_there);
  const std::size_t unmatched = source.unmatched.size();
  if (unmatched > 0) one(DifferenceFilter::kUnmatched, "unmatched", "not matched", unmatched);
  one(DifferenceFilter::kAll, "all", "all", source.size());
}

std::string waste_at(const State& state, const std::vector<SectionTop>& tops, std::int64_t time) {
  const auto after = std::upper_bound(tops.begin(), tops.end(), time,
                                      [](std::int64_t t, const SectionTop& top) { return t < top.end; });
  const SectionTop& top = after != tops.end() ? *after : tops.back();
  return state.bytes(top.top - top.load);
}

/// The highest address in use over time, of both plans, above the load: what lies between is waste.
void draw_waste(State& state, const Differences& found, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, u32(ui.theme->background), ui.px(4));
  record(ui, "differences.waste", low, high);
  if (found.tops.empty() || found.tops_there.empty()) return;
  double most = 1;
  for (const SectionTop& one : found.tops) most = std::max(most, static_cast<double>(one.top));
  for (const SectionTop& one : found.tops_there) most = std::max(most, static_cast<double>(one.top));
  const double begin = static_cast<double>(std::min(found.tops.front().start, found.tops_there.front().start));
  const double end = static_cast<double>(std::max(found.tops.back().end, found.tops_there.back().end));
  const double span = std::max(1.0, end - begin);
  const auto x_of = [&](std::int64_t time) {
    return low.x + static_cast<float>((static_cast<double>(time) - begin) / span) * (high.x - low.x);
  };
  const auto y_of = [&](std::int64_t byte) {
    return high.y - static_cast<float>(static_cast<double>(byte) / most) * (high.y - low.y - ui.px(4));
  };
  // More sections than pixels: the highest of each pixel is what counts.
  const auto curve = [&](const std::vector<SectionTop>& tops, bool load, Color color) {
    std::vector<ImVec2> points;
    for (const SectionTop& top : tops) {
      const float y = y_of(load ? top.load : top.top);
      const float left = x_of(top.start);
      if (!points.empty() && left - points.back().x < 1 && points.size() > 1) {
        points.back().y = std::min(points.back().y, y);
        points[points.size() - 2].y = std::min(points[points.size() - 2].y, y);
        continue;
      }
      points.emplace_back(left, y);
      points.emplace_back(std::max(left, x_of(top.end)), y);
    }
    draw.AddPolyline(points.data(), static_cast<int>(points.size()), u32(color), 0, std::max(1.0F, ui.px(1.3F)));
  };
  curve(found.tops, true, with_alpha(ui.theme->good, 0.8));
  curve(found.tops_there, false, with_alpha(ui.theme->warn, 0.9));
  curve(found.tops, false, ui.theme->accent);
  if (!ImGui::IsMouseHoveringRect(low, high)) return;
  const float share = (ImGui::GetIO().MousePos.x - low.x) / std::max(1.0F, high.x - low.x);
  const auto time = static_cast<std::int64_t>(begin + static_cast<double>(share) * span);
  tooltip(ui, fmt::format("step {}\nwaste here {}\nwaste there {}", time, waste_at(state, found.tops, time),
                          waste_at(state, found.tops_there, time)));
}

struct DifferencesColumn {
  DifferenceColumn id;
  const char* key;  // for tests: "differences.sort.here"
  const char* title;
  float width = 0;  // device pixels
  bool right = true;
};

/// The name takes what the others leave. What does not fit goes, the words first: a sign beside the name says the same.
std::vector<DifferencesColumn> columns_for(const State& state, bool edited, float width) {
  const Ui& ui = state.ui;
  const float letter = text_width(ui.fonts.mono, "0");
  const auto wide = [&](std::size_t letters) {
    return letter * static_cast<float>(letters) + ui.px(10);
  };
  const PlanFacts* shown = state.shown_facts();
  const std::int64_t top = shown != nullptr ? shown->metrics.makespan : state.analysis.facts.load;
  constexpr std::size_t kLongest = 10;  // "1023.9 KiB"
  const std::size_t address =
      state.settings.hex_addresses ? std::max<std::size_t>(state.address(top).size(), 7) : kLongest;
  const float words = text_width(ui.fonts.small, edited ? "moved down, edited" : "moved down") + ui.px(12);
  std::vector<DifferencesColumn> columns = {{DifferenceColumn::kBuffer, "buffer", "Buffer", 0, false},
                                            {DifferenceColumn::kHere, "here", "Here", wide(address)},
                                            {DifferenceColumn::kThere, "there", "There", wide(address)},
                                            {DifferenceColumn::kDifference, "difference", "Difference", wide(11)},
                                            {DifferenceColumn::kState, "state", "State", words, false}};
  float left = width;
  for (const DifferencesColumn& column : columns) left -= column.width;
  for (const DifferenceColumn gone : {DifferenceColumn::kState, DifferenceColumn::kDifference}) {
    if (left >= ui.px(70)) break;
    std::erase_if(columns, [&](const DifferencesColumn& column) {
      if (column.id != gone) return false;
      left += column.width;
      return true;
    });
  }
  columns.front().width = left;
  return columns;
}

void header(State& state, const DifferenceTable& table, const std::vector<DifferencesColumn>& columns, ImVec2 at) {
  Ui& ui = state.ui;
  float x = at.x;
  const float high = ui.px(kDifferenceHead);
  const float pad = ui.px(4);
  for (const DifferencesColumn& column : columns) {
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    ImGui::PushID(column.key);
    if (ImGui::InvisibleButton("##sort", ImVec2(column.width, high))) {
      state.later([id = column.id](State& s) { sort_differences(s, id); });
    }
    ImGui::PopID();
    record(ui, fmt::format("differences.sort.{}", column.key));
    const bool on = table.column == column.id;
    const Color color = on || ImGui::IsItemHovered() ? ui.theme->text : ui.theme->dim;
    const char* arrow = table.descending ? icon::kSortDown : icon::kSortUp;
    const float y = at.y + (high - font_height(ui.fonts.small)) / 2;
    const float wide = text_width(ui.fonts.small, column.title);
    if (column.right) {
      draw_text_right(ui, ui.fonts.small, ImVec2(x + column.width - pad, y), color, column.title);
      if (on) {
        draw_text_right(ui, ui.fonts.small, ImVec2(x + column.width - 2 * pad - wide, y), ui.theme->accent, arrow);
      }
    } else {
      draw_text(ui, ui.fonts.small, ImVec2(x + pad, y), color, column.title);
      if (on) draw_text(ui, ui.fonts.small, ImVec2(x + 2 * pad + wide, y), ui.theme->accent, arrow);
    }
    x += column.width;
  }
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y + high), ImVec2(x, at.y + high), u32(ui.theme->line));
}

Color color_of(const Theme& theme, DifferenceState state) {
  if (state == DifferenceState::kUp) return theme.warn;
  if (state == DifferenceState::kDown) return theme.good;
  return theme.dim;
}

/// What a narrow table says instead of words.
const char* sign_of(DifferenceState state) {
  switch (state) {
    case DifferenceState::kUp:
      return icon::kSortUp;
    case DifferenceState::kDown:
      return icon::kSortDown;
    case DifferenceState::kOnlyHere:
      return "+";
    case DifferenceState::kOnlyThere:
      return "\u2212";
    case DifferenceState::kUnmatched:
      return "?";
    case DifferenceState::kNowhere:
    case DifferenceState::kSame:
      break;
  }
  return "";
}

std::string difference_text(const State& state, std::int64_t here, std::int64_t there) {
  if (here == kNoOffset || there == kNoOffset) return "\u2013";
  return signed_bytes(checked_sub(here, there).value_or(kMaxInt64), state.byte_unit());
}

void draw_row(State& state, const DifferenceTable& table, const std::vector<DifferencesColumn>& columns,
              std::size_t number) {
  Ui& ui = state.ui;
  const DifferenceSource& source = *table.source;
  const DifferenceRow& row = table.rows[number];
  const DifferenceState is = source.state(row);
  const bool chosen = row.here != kNoBuffer && state.is_selected(row.here);
  const std::string widget = fmt::format("differences.{}{}", is == DifferenceState::kUnmatched ? "unmatched." : "",
                                         is == DifferenceState::kUnmatched ? std::size_t{row.unmatched} : number);
  const ListRow line = list_row(ui, widget, static_cast<int>(number), kDifferenceHeight, chosen);
  const std::string name = printable_utf8(source.name(row));
  const std::int64_t here = source.offset_here(row);
  const std::int64_t there = source.offset_there(row);
  const Color color = color_of(*ui.theme, is);
  const std::string words = fmt::format("{}{}", words_of(is), source.edited(row) ? ", edited" : "");
  const float pad = ui.px(4);
  const bool narrow = columns.back().id != DifferenceColumn::kState;
  float x = line.at.x;
  for (const DifferencesColumn& column : columns) {
    const float room = column.width - 2 * pad;
    const auto number_cell = [&](const std::string& cell, Color shade) {
      draw_text_right(ui, ui.fonts.mono, ImVec2(x + column.width - pad, line.text_y(ui.fonts.mono)), shade,
                      fitted(ui.fonts.mono, cell, column.width - pad));
    };
    switch (column.id) {
      case DifferenceColumn::kBuffer:
        draw_text(ui, ui.fonts.text, ImVec2(x + pad, line.text_y(ui.fonts.text)),
                  row.here != kNoBuffer ? ui.theme->text : ui.theme->dim,
                  fitted(ui.fonts.text, name, room - (narrow ? ui.px(16) : 0)));
        if (narrow) {
          draw_text_right(ui, ui.fonts.text, ImVec2(x + column.width - pad, line.text_y(ui.fonts.text)), color,
                          sign_of(is));
        }
        break;
      case DifferenceColumn::kHere:
        number_cell(state.address(here), ui.theme->text);
        break;
      case DifferenceColumn::kThere:
        number_cell(state.address(there), ui.theme->dim);
        break;
      case DifferenceColumn::kDifference:
        number_cell(difference_text(state, here, there), color);
        break;
      case DifferenceColumn::kState:
        draw_text(ui, ui.fonts.small, ImVec2(x + pad, line.text_y(ui.fonts.small)), color,
                  fitted(ui.fonts.small, words, room));
        break;
    }
    x += column.width;
  }
  if (line.hovered) {
    const std::string size =
        row.here != kNoBuffer ? format_exact_bytes(state.problem()[row.here].size) + "\n" : std::string();
    tooltip(ui,
            fmt::format("{}\n{}{}\nhere {}\nthere {}", name, size, words, state.address(here), state.address(there)));
  }
  if (line.clicked) state.later([number](State& s) { go_to_difference(s, number); });
}

/// Why the list is empty.
void nothing_listed(State& state, const DifferenceTable& table, ImVec2 low, ImVec2 high) {
  if (table.work.running()) return empty_message(state.ui, low, high, icon::kSwap, "Sorting\u2026", "");
  const bool same = table.filter == DifferenceFilter::kSame;
  empty_message(state.ui, low, high, icon::kCheck, same ? "Nothing is the same" : "No difference",
                same ? "No buffer lies at the same address in both plans."
                     : "Every buffer of this list lies at the same address in both plans.");
}

}  // namespace

void draw_differences(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "differences", at, size);
  const auto other = state.plan() != nullptr ? compared_side(state) : std::nullopt;
  card_title(ui, "Differences", other ? "against " + title_of_side(state, other->key) : std::string());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 high(low.x + room.x, low.y + room.y);
  if (!other && awaits_other(state)) {
    empty_message(
        ui, low, high, icon::kSwap, "Planning again\u2026",
        fmt::format("{} is compared as soon as it is made.", title_of_side(state, state.part<Comparing>().other)));
    end_card();
    return;
  }
  if (!other) {
    empty_message(ui, low, high, icon::kSwap, "Nothing to compare yet",
                  "Two plans are needed: the shown one and another, or one of the history.");
    end_card();
    return;
  }
  DifferenceTable& table = difference_table(state);
  if (table.source == nullptr) {
    empty_message(ui, low, high, icon::kSwap, "Comparing\u2026", "The differences appear here in a moment.");
    record(ui, "differences.comparing", low, high);
    end_card();
    return;
  }
  filters(state, table);
  difference_table(state);  // a click may have chosen another list
  const ImVec2 curve = ImGui::GetCursorScreenPos();
  draw_waste(state, *table.source->found, curve, ImVec2(high.x, curve.y + ui.px(kCurvesHeight)));
  const float bar = ui.px(8);
  const std::vector<DifferencesColumn> columns = columns_for(state, !table.source->found->edited.empty(), room.x - bar);
  const float head = curve.y + ui.px(kCurvesHeight + 6);
  header(state, table, columns, ImVec2(low.x, head));
  const ImVec2 top(low.x, head + ui.px(kDifferenceHead + 2));
  const ImVec2 area(room.x, high.y - top.y);
  if (table.rows.empty()) {
    nothing_listed(state, table, top, high);
    end_card();
    return;
  }
  const auto visible = static_cast<std::size_t>(std::max(1.0F, area.y / ui.px(kDifferenceHeight)));
  table.scroll.update(table.rows.size(), visible, ImGui::IsMouseHoveringRect(top, high));
  ImGui::SetCursorScreenPos(top);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  ImGui::BeginChild("differences.list", ImVec2(area.x - bar, area.y), false, ImGuiWindowFlags_NoScrollWithMouse);
  const std::size_t end = std::min(table.rows.size(), table.scroll.first + visible);
  for (std::size_t k = table.scroll.first; k < end; ++k) draw_row(state, table, columns, k);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  table.scroll.draw_bar(ui, "differences.scroll", ImVec2(high.x - ui.px(6), top.y), ImVec2(ui.px(6), area.y),
                        table.rows.size(), visible);
  end_card();
}

}  // namespace stowage
