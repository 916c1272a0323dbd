#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/chart/figure.h"
#include "ui/board.h"
#include "ui/chart/canvas.h"
#include "ui/chart/edit_gesture.h"
#include "ui/chart/flash.h"
#include "ui/chart/minimap.h"
#include "ui/chart/spaces.h"
#include "ui/chart/why_overlay.h"
#include "ui/colours.h"
#include "ui/icons.h"
#include "ui/measuring.h"
#include "ui/painter.h"
#include "ui/reading.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

const char* const kSlot = "map";

Point mouse_in(const Canvas& canvas) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return Point{(mouse.x - canvas.origin.x) / canvas.scale, (mouse.y - canvas.origin.y) / canvas.scale};
}

void note_cursor(State& state, const Canvas& canvas) {
  const bool inside = canvas.hovered && state.camera.area.contains(canvas.mouse);
  if (!inside) {
    state.cursor_byte.reset();
    state.hovered = kNoBuffer;
    if (canvas.hovered) state.cursor_time.reset();
    return;
  }
  state.cursor_time = state.camera.time_at(canvas.mouse.x);
  const std::uint16_t space = space_at(state, state.camera, canvas.mouse);
  state.cursor_byte = view_of_space(state, space, state.camera).byte_at(canvas.mouse.y);
}

void space_switch(State& state, float x, float y) {
  Ui& ui = state.ui;
  const auto spaces = state.problem().spaces();
  if (spaces.size() < 2) return;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::SetNextItemWidth(ui.px(130));
  const bool all = switched_on(state, kStackSetting, false);
  const bool open = ImGui::BeginCombo("##space", all ? "All spaces" : printable_utf8(spaces[state.space].id).c_str());
  record(ui, "space");
  if (!open) return;
  if (ImGui::Selectable("All spaces", all) && !all) state.push(action::Invoke{CommandId::stack_spaces});
  record(ui, "space.all");
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::Selectable(printable_utf8(spaces[k].id).c_str(), !all && k == state.space)) {
      if (all) state.push(action::Invoke{CommandId::stack_spaces});
      state.push(action::SetSpace{static_cast<std::uint16_t>(k)});
    }
    ImGui::PopID();
    record(ui, fmt::format("space.{}", k));
  }
  ImGui::EndCombo();
}

/// What else the chart can show.
void options_menu(State& state, float x, float y) {
  Ui& ui = state.ui;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  if (button(ui, "chart.options", icon::kSliders, "", ButtonLook::kQuiet, "Options of the chart")) {
    ImGui::OpenPopup("##chart.options");
  }
  if (!ImGui::BeginPopup("##chart.options")) return;
  const auto option = [&](CommandId id, bool on) {
    const Command& one = command(id);
    const std::string title(one.title);
    if (ImGui::MenuItem(title.c_str(), nullptr, on, why_disabled(state, id).empty())) state.push(action::Invoke{id});
    record(ui, fmt::format("chart.options.{}", one.name));
    if (ImGui::IsItemHovered()) tooltip(ui, one.help);
  };
  option(CommandId::minimap, switched_on(state, kMinimapSetting, minimap_usual(state)));
  option(CommandId::shorten_gaps, switched_on(state, kShortenSetting, true));
  option(CommandId::stack_spaces, draws_all_spaces(state));
  ImGui::EndPopup();
}

/// What the colours say, and the palette.
void colour_switch(State& state, float x, float y) {
  Ui& ui = state.ui;
  const ColourBy now = chosen_colouring(state);
  std::string shown;
  for (const ColourChoice& choice : colour_choices()) {
    if (choice.by == now) shown = choice.title;
  }
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::SetNextItemWidth(ui.px(112));
  const bool open = ImGui::BeginCombo("##colour", shown.c_str());
  record(ui, "chart.colour");
  if (!open) {
    if (ImGui::IsItemHovered()) tooltip(ui, "What the colours say  (C)");
    return;
  }
  for (const ColourChoice& choice : colour_choices()) {
    const std::string title(choice.title);
    if (ImGui::Selectable(title.c_str(), choice.by == now)) {
      state.later([by = choice.by](State& s) { choose_colouring(s, by); });
    }
    record(ui, fmt::format("chart.colour.{}", choice.id));
  }
  ImGui::Separator();
  for (const Palette& palette : palettes()) {
    const std::string title(palette.title);
    if (ImGui::Selectable(title.c_str(), palette.id == chosen_palette(state).id)) {
      state.later([id = palette.id](State& s) { choose_palette(s, id); });
    }
    record(ui, fmt::format("chart.palette.{}", palette.id));
  }
  ImGui::EndCombo();
}

void heading(State& state, std::string_view title) {
  Ui& ui = state.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(ui, ui.fonts.semibold, at, ui.theme->text, title);
  float x = at.x + text_width(ui.fonts.semibold, title) + ui.px(12);
  const Plan* plan = state.plan();
  const std::string file = printable_utf8(title_of(state.document));
  const std::string shown_plan = plan != nullptr ? State::title_of_plan(plan->id) : file;
  const float right = at.x + width;
  const bool shares = state.problem().kinds().size() > 1 || state.problem().spaces().size() > 1 ||
                      chosen_colouring(state) != ColourBy::kKind;
  const float room = std::max(ui.px(60), (right - x - ui.px(156)) * (shares ? 0.55F : 1.0F));
  // The title of the window has the file's name as well.
  const std::string both = plan != nullptr ? file + "  \u2022  " + shown_plan : file;
  const bool roomy = text_width(ui.fonts.text, both) <= room;
  const std::string shown = fitted(ui.fonts.text, roomy ? both : shown_plan, room);
  draw_text(ui, ui.fonts.text, ImVec2(x, at.y), ui.theme->dim, shown);
  x += text_width(ui.fonts.text, shown) + ui.px(16);
  if (state.problem().spaces().size() > 1) {
    space_switch(state, x, at.y - ui.px(5));
    x += ui.px(146);
  }
  if (state.centre == CentreView::kMap && state.has_problem()) {
    colour_switch(state, x, at.y - ui.px(5));
    x += ui.px(118);
    options_menu(state, x, at.y - ui.px(7));
    x += ui.px(38);
  }
  if (state.centre == CentreView::kMap) draw_legend(state, x, right, at.y - ui.px(1));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(24)));
}

/// No file: what to do about it. A file is being read: which.
void draw_welcome(State& state, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  if (!state.loading_path.empty()) {
    empty_message(ui, low, high, icon::kHistory, loading_words(state), printable_utf8(state.loading_path));
    const float width = button_width(ui, icon::kClose, "Cancel");
    ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(40)));
    if (button(ui, "welcome.cancel", icon::kClose, "Cancel", ButtonLook::kRaised, "Do not open it after all")) {
      state.later([](State& s) { cancel_loading(s); });
    }
    return;
  }
  const bool opened = !state.document.path.empty();
  empty_message(ui, low, high, icon::kMap, opened ? "This file has no buffers" : "No file is open",
                opened ? "There is nothing to draw or to plan in it."
                       : "Open a CSV or JSON file with buffers and their lifetimes, or drop one on the window.");
  const float open_width = button_width(ui, icon::kOpen, "Open a file");
  const float width = open_width + ui.px(8) + button_width(ui, icon::kPencil, "New problem");
  ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(40)));
  if (button(ui, "welcome.open", icon::kOpen, "Open a file", ButtonLook::kAccent, "Ctrl+O")) {
    state.push(action::Invoke{CommandId::open});
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "welcome.new", icon::kPencil, "New problem", ButtonLook::kRaised, "An empty board  (Ctrl+N)")) {
    state.push(action::Invoke{CommandId::new_problem});
  }
  float y = (low.y + high.y) / 2 + ui.px(92);
  int shown = 0;
  for (const std::string& recent : state.settings.recents) {
    if (++shown > 5 || y + ui.px(22) > high.y) break;
    const std::string words = fitted(ui.fonts.small, printable_utf8(recent), high.x - low.x - ui.px(40));
    const float wide = text_width(ui.fonts.small, words);
    ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - wide) / 2, y));
    ImGui::PushID(shown);
    if (ImGui::InvisibleButton("##recent", ImVec2(wide, ui.px(20)))) state.push(action::OpenPath{recent});
    ImGui::PopID();
    record(ui, fmt::format("welcome.recent.{}", shown - 1));
    draw_text(ui, ui.fonts.small, ImVec2((low.x + high.x - wide) / 2, y),
              ImGui::IsItemHovered() ? ui.theme->accent : ui.theme->dim, words);
    y += ui.px(22);
  }
}

void draw_no_plan(State& state, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  if (!state.tasks.idle()) {
    empty_message(ui, low, high, icon::kPlay, "Planning\xE2\x80\xA6",
                  "The first plan appears here as soon as it is made.");
    return;
  }
  empty_message(ui, low, high, icon::kPlay, "No plan yet",
                "The buffers have no addresses. Run the allocators to place them.");
  const float width = button_width(ui, icon::kPlay, "Run allocators");
  ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(40)));
  if (button(ui, "empty.run_all", icon::kPlay, "Run allocators", ButtonLook::kAccent, "Ctrl+R")) {
    state.push(action::Invoke{CommandId::run_all});
  }
}

/// The buffer under the pointer; a press makes the space that it lies in the one that edits and panels speak of.
void find_hovered(State& state, const Canvas& canvas) {
  const std::uint16_t space = space_at(state, state.camera, canvas.mouse);
  if (space != state.space && ImGui::IsMouseClicked(0)) {
    state.space = space;
    ++state.look_revision;
  }
  if (space >= state.analysis.indexes.size()) return;
  state.hovered = pick(state.problem(), *state.analysis.indexes[space], offsets_in_space(state, space),
                       view_of_space(state, space, state.camera), canvas.mouse, kPickTolerance);
}

/// What to do with an empty board.
void draw_board_hint(State& state, const Canvas& canvas) {
  Ui& ui = state.ui;
  const Rect& area = state.camera.area;
  const char* const words = "Drag here to draw a buffer: to the right its steps, upwards its bytes";
  const ImVec2 middle = canvas.device((area.left + area.right) / 2, (area.top + area.bottom) / 2);
  const std::string shown = fitted(ui.fonts.text, words, area.width() * canvas.scale - ui.px(16));
  const float half = text_width(ui.fonts.text, shown) / 2;
  draw_text(ui, ui.fonts.text, ImVec2(middle.x - half, middle.y), ui.theme->dim, shown);
  record(ui, "chart.board.hint", ImVec2(middle.x - half, middle.y),
         ImVec2(middle.x + half, middle.y + font_height(ui.fonts.text)));
}

void draw_map(State& state, ImVec2 low, ImVec2 room) {
  Canvas canvas;
  canvas.scale = state.ui.scale;
  canvas.origin = low;
  canvas.width = room.x / canvas.scale;
  canvas.height = room.y / canvas.scale;
  const Margins margins = chart_margins();
  const Rect area{margins.left, margins.top, std::max(margins.left + 10, canvas.width - margins.right),
                  std::max(margins.top + 10, canvas.height - margins.bottom)};
  if (!(area == state.camera.area)) {
    state.camera.area = area;
    if (state.camera_home) show_everything(state, false);
  }
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("##canvas", room);
  record(state.ui, "chart.canvas");
  record(state.ui, "chart.area", canvas.device(area.left, area.top), canvas.device(area.right, area.bottom));
  canvas.hovered = ImGui::IsItemHovered();
  canvas.mouse = mouse_in(canvas);
  note_cursor(state, canvas);
  if (drive_minimap(state, canvas)) {
    state.hovered = kNoBuffer;
  } else {
    if (canvas.hovered && !state.gesture.dragging() && area.contains(canvas.mouse)) find_hovered(state, canvas);
    zoom_with_wheel(state, canvas);
    drive_gesture(state, canvas, state.hovered);
  }
  rebuild_map(state, canvas);
  paint_scene(*ImGui::GetWindowDrawList(), state.map.scene, PaintTarget{low, canvas.scale, kSlot}, state.ui.fonts,
              state.host);
  draw_stale(state, canvas);
  draw_cursor_line(state, canvas);
  draw_why_overlay(state, canvas);
  draw_flash(state, canvas);
  draw_minimap(state, canvas);
  draw_measuring(state, canvas);
  if (state.gesture.kind() == GestureKind::kEdit) {
    draw_edit(state, canvas);
  } else if (state.gesture.dragging()) {
    draw_drag(state, canvas);
  } else {
    draw_hover(state, canvas);
    if (!state.has_problem()) draw_board_hint(state, canvas);
  }
}

/// Every finished plan as a bar of makespan over load; more of them than have room are scrolled.
void draw_compare(State& state, ImVec2 low, ImVec2 room) {
  constexpr float kRow = 18;
  constexpr float kHead = 110;
  const float plans = static_cast<float>(state.document.plans.size());
  const float width = (room.x - state.ui.px(14)) / state.ui.scale;  // beside the scrollbar
  const float height = std::max(room.y / state.ui.scale, kHead + kRow * plans);
  MapKey key = scene_key(state, width, height);
  key.plan_revision = state.document.plans.size() + (state.plan_revision << 20U);
  if (state.compare.built == 0 || !(state.compare.key == key)) {
    BarsInput input;
    input.title = "Makespan / load";
    input.rows = {printable_utf8(title_of(state.document))};
    input.ratios.emplace_back();
    for (const std::string& id : state.ranked_plans()) {
      const PlanFacts* facts = state.facts_of(id);
      if (facts == nullptr) continue;
      input.columns.push_back(State::title_of_plan(id));
      const double load = static_cast<double>(std::max<std::int64_t>(1, state.analysis.facts.load));
      input.ratios.front().push_back(static_cast<double>(facts->metrics.makespan) / load);
    }
    input.width = width;
    input.height = height;
    Theme theme = *state.ui.theme;
    theme.background = theme.card;
    Scene scene = make_bars(input, theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
    state.compare = CachedScene{std::move(key), std::move(scene), {}, state.compare.built + 1};
  }
  ImGui::SetCursorScreenPos(low);
  ImGui::BeginChild("compare.scroll", room);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(width * state.ui.scale, height * state.ui.scale));
  record(state.ui, "compare.canvas");
  paint_scene(*ImGui::GetWindowDrawList(), state.compare.scene, PaintTarget{origin, state.ui.scale, "compare"},
              state.ui.fonts, state.host);
  ImGui::EndChild();
}

}  // namespace

void draw_chart(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "chart", at, size);
  const ImVec2 inside = ImGui::GetCursorScreenPos();
  const ImVec2 end(inside.x + ImGui::GetContentRegionAvail().x, inside.y + ImGui::GetContentRegionAvail().y);
  if (!state.has_problem() && !shows_board(state)) {
    draw_welcome(state, inside, end);
    end_card();
    return;
  }
  heading(state, state.centre == CentreView::kMap ? "Memory map" : "Compare");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room(end.x - low.x, end.y - low.y);
  if (state.plan() == nullptr && state.has_problem()) {
    draw_no_plan(state, low, end);
  } else if (state.centre == CentreView::kCompare) {
    draw_compare(state, low, room);
  } else {
    draw_map(state, low, room);
  }
  end_card();
}

}  // namespace stowage
