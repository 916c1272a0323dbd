#include "ui/filters.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include "core/chart/colouring.h"
#include "ui/comparing.h"
#include "ui/feature_commands.h"
#include "ui/icons.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr const char* kAtCursor = "at:cursor";

constexpr std::pair<const char*, const char*> kReady[] = {
    {kAtCursor, "Live at the step under the cursor"},
    {"is:moved", "Lies elsewhere in the compared plan"},
    {"is:selected", "In the selection"},
    {"is:pinned", "Has a fixed offset"},
    {"is:tied", "Is tied to others"},
    {"is:reusing", "Has an address that others have too"},
    {"is:empty", "Takes no memory"},
};

/// The words of a filter on the left, what they mean or are called on the right; true when it was chosen.
bool filter_line(State& state, const std::string& name, std::string_view left, std::string_view right, float width) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float high = ui.px(26);
  ImGui::PushID(name.c_str());
  const bool chosen = ImGui::Selectable("##filter", false, 0, ImVec2(width, high));
  ImGui::PopID();
  record(ui, name);
  const float gap = ui.px(12);
  const float taken = std::min(text_width(ui.fonts.text, left), width * 0.6F);
  const float y = at.y + (high - font_height(ui.fonts.text)) / 2;
  draw_text(ui, ui.fonts.text, ImVec2(at.x + ui.px(4), y), ui.theme->text, fitted(ui.fonts.text, left, taken + 1));
  draw_text_right(ui, ui.fonts.small, ImVec2(at.x + width - ui.px(4), y + ui.px(1)), ui.theme->dim,
                  fitted(ui.fonts.small, right, width - taken - gap - ui.px(8)));
  return chosen;
}

void set_query(State& state, const std::string& words) {
  state.push(action::SetQuery{words});
  ImGui::CloseCurrentPopup();
}

void saved_lines(State& state, float width) {
  Ui& ui = state.ui;
  text(ui.fonts.small, ui.theme->dim, "Saved filters");
  if (state.settings.filters.empty()) text(ui.fonts.small, ui.theme->dim, "None yet.");
  const float delete_width = ui.px(34);
  for (const auto& [name, words] : state.settings.filters) {
    const std::string widget = "filter.saved." + name;
    if (filter_line(state, widget, printable_utf8(name), printable_utf8(words), width - delete_width)) {
      set_query(state, words);
    }
    ImGui::SameLine(0, ui.px(4));
    ImGui::PushID(widget.c_str());
    if (button(ui, "filter.delete." + name, icon::kTrash, "", ButtonLook::kQuiet, "Delete this filter")) {
      state.later([gone = name](State& s) { delete_filter(s, gone); });
    }
    ImGui::PopID();
  }
}

void naming(State& state, Filters& filters, float width) {
  Ui& ui = state.ui;
  const bool nothing = state.query.empty() || !state.query_error.empty();
  text(ui.fonts.small, ui.theme->dim, nothing ? "Type words to find, then save them here" : "Save the filter as");
  if (filters.name_it) {
    ImGui::SetKeyboardFocusHere();
    filters.name_it = false;
  }
  ImGui::SetNextItemWidth(width - ui.px(78));
  const bool entered = ImGui::InputText("##name", &filters.name, ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, "filter.name");
  ImGui::SameLine(0, ui.px(8));
  const bool ready = !nothing && !trim(filters.name).empty();
  const bool pressed = button(ui, "filter.save", icon::kSave, "Save", ButtonLook::kAccent,
                              nothing ? "There are no words in the find box" : "", ready);
  if ((pressed || entered) && ready) {
    state.later([name = std::string(trim(filters.name))](State& s) { save_filter(s, name); });
    ImGui::CloseCurrentPopup();
  }
}

bool run(State& state, CommandId id) {
  if (id == CommandId::live_at_cursor) {
    apply(state, action::SetQuery{state.query == kAtCursor ? std::string() : std::string(kAtCursor)});
    return true;
  }
  if (id != CommandId::save_filter) return false;
  Filters& filters = state.part<Filters>();
  filters.open_menu = true;
  filters.name_it = true;
  return true;
}

const char* why_disabled(const State& state, CommandId id) {
  if (id == CommandId::live_at_cursor) return state.has_problem() ? "" : "no file is open";
  if (id != CommandId::save_filter) return nullptr;
  return state.query.empty() ? "nothing is searched for" : "";
}

}  // namespace

const BufferQuery& shown_query(State& state) {
  Filters& filters = state.part<Filters>();
  if (filters.parsed == state.query) return filters.query;
  auto query = BufferQuery::parse(state.query);
  state.query_error = query ? std::string() : query.error().message;
  filters.query = query ? std::move(*query) : BufferQuery();
  filters.parsed = state.query;
  return filters.query;
}

BufferQuery::Marks marks_for(State& state, const BufferQuery& query) {
  BufferQuery::Marks marks;
  const std::size_t count = state.problem().size();
  if (query.asks_moved()) marks.moved = differences(state).moved;
  if (query.asks_cursor()) marks.cursor = cursor_step(state);
  if (query.asks_selected()) {
    marks.selected.assign(count, false);
    for (const BufferIndex i : state.selection) {
      if (i < count) marks.selected[i] = true;
    }
  }
  return marks;
}

std::optional<std::int64_t> cursor_step(const State& state) {
  if (!state.cursor_time) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(*state.cursor_time));
}

void add_places(BufferQuery::Marks& marks, const BufferQuery& query, const Problem& problem,
                const std::vector<std::int64_t>& offsets, const Objects* objects) {
  if (query.asks_waste()) marks.waste = free_below(problem, offsets);
  if (query.asks_reusing()) marks.reusing = sharing_storage(problem.size(), offsets, objects);
}

void save_filter(State& state, const std::string& name) {
  Settings to = state.settings;
  to.filters[name] = state.query;
  apply(state, action::ChangeSettings{std::move(to)});
  state.part<Filters>().name.clear();
  state.tell("Saved the filter " + name);
}

void delete_filter(State& state, const std::string& name) {
  Settings to = state.settings;
  to.filters.erase(name);
  apply(state, action::ChangeSettings{std::move(to)});
}

void draw_filter_menu(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  Filters& filters = state.part<Filters>();
  ImGui::SetCursorScreenPos(at);
  const bool clicked = ImGui::InvisibleButton("##filters", size);
  record(ui, "filter.menu");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) tooltip(ui, "Saved and ready-made filters");
  const float wide = text_width(ui.fonts.text, icon::kSortDown);
  draw_text(ui, ui.fonts.text,
            ImVec2(at.x + (size.x - wide) / 2, at.y + (size.y - font_height(ui.fonts.text)) / 2 - ui.px(2)),
            hovered ? ui.theme->text : ui.theme->dim, icon::kSortDown);
  if (clicked || filters.open_menu) ImGui::OpenPopup("##filters.menu");
  filters.open_menu = false;
  const float width = ui.px(340);
  ImGui::SetNextWindowPos(ImVec2(at.x + size.x, at.y + size.y + ui.px(4)), ImGuiCond_Always, ImVec2(1, 0));
  if (!ImGui::BeginPopup("##filters.menu")) return;
  saved_lines(state, width);
  separator(ui);
  naming(state, filters, width);
  separator(ui);
  text(ui.fonts.small, ui.theme->dim, "Ready-made");
  if (const auto step = cursor_step(state)) {
    const std::string words = fmt::format("at:{}", *step);
    if (filter_line(state, "filter.ready.at", words, "Live at this step, wherever the cursor goes", width)) {
      set_query(state, words);
    }
  }
  for (const auto& [words, meaning] : kReady) {
    if (filter_line(state, fmt::format("filter.ready.{}", words), words, meaning, width)) set_query(state, words);
  }
  ImGui::EndPopup();
}

FeatureCommands filter_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
