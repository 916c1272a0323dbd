#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/chart/canvas.h"
#include "ui/chart/side_gestures.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/icons.h"
#include "ui/painter.h"
#include "ui/pipeline_results.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostColumns = 4;
constexpr std::size_t kMostEntries = 8;  // of the history, in the list of a column
constexpr std::size_t kMostOutlines = 2'000;
constexpr float kHead = 34;

/// The keys of the columns: the shown plan, the other one, and further ones that still exist or are made again.
std::vector<std::string> columns_of(State& state) {
  std::vector<std::string> keys = {state.shown_plan};
  Comparing& comparing = state.part<Comparing>();
  const auto other = compared_side(state);
  const bool awaited = awaits_other(state);
  if ((!other && !awaited) || comparing.overlay) return keys;
  keys.push_back(awaited ? comparing.other : other->key);
  std::erase_if(comparing.further,
                [&](const std::string& key) { return !side_of_key(state, key) && !is_on_its_way(state, key); });
  keys.insert(keys.end(), comparing.further.begin(), comparing.further.end());
  keys.resize(std::min(keys.size(), kMostColumns));
  return keys;
}

/// Puts another plan into a column.
void change_column(State& state, std::size_t column, const std::string& key) {
  if (column == 0) {
    show_plan(state, key, true);
  } else if (column == 1) {
    compare_with(state, key);
  } else if (column - 2 < state.part<Comparing>().further.size()) {
    state.part<Comparing>().further[column - 2] = key;
  }
  ++state.look_revision;
}

void add_column(State& state) {
  const std::vector<std::string> now = columns_of(state);
  for (const std::string& key : comparable_keys(state)) {
    if (std::find(now.begin(), now.end(), key) != now.end()) continue;
    state.part<Comparing>().further.push_back(key);
    return;
  }
}

void column_choice(State& state, std::size_t column, const std::string& key, bool chosen, const std::string& name) {
  ImGui::PushID(name.c_str());
  if (ImGui::Selectable(title_of_side(state, key).c_str(), chosen)) {
    state.later([column, key](State& s) { change_column(s, column, key); });
  }
  ImGui::PopID();
  record(state.ui, fmt::format("side.plan.{}.{}", column, name));
}

/// The plans, and beside the present the nearest entries of the history; the others are in its panel.
void column_choices(State& state, std::size_t column, const std::string& chosen) {
  const Ui& ui = state.ui;
  const std::vector<std::string> plans = state.ranked_plans();
  std::vector<std::string> entries;
  if (column > 0) entries = comparable_keys(state, kMostEntries);
  std::erase_if(entries, [](const std::string& key) { return entry_of_key(key) == 0; });
  if (!entries.empty()) text(ui.fonts.small, ui.theme->dim, "History");
  for (const std::string& key : entries) {
    column_choice(state, column, key, key == chosen, fmt::format("entry.{}", entry_of_key(key)));
  }
  const std::vector<std::string> points = column > 0 ? compared_points(state) : std::vector<std::string>();
  if (!points.empty()) text(ui.fonts.small, ui.theme->dim, "Pipeline");
  for (const std::string& key : points) {
    column_choice(state, column, key, key == chosen, "point." + title_of_side(state, key));
  }
  if (!entries.empty() || !points.empty()) text(ui.fonts.small, ui.theme->dim, "Plans");
  for (const std::string& key : plans) column_choice(state, column, key, key == chosen, key);
}

/// Which plan a column shows, with its figures; a click on the name offers the others.
void column_head(State& state, std::size_t column, const std::string& key, const PlanFacts* facts, ImVec2 at,
                 float width) {
  Ui& ui = state.ui;
  ImGui::PushID(static_cast<int>(column));
  ImGui::SetCursorScreenPos(at);
  const float wide = std::min(width * 0.55F, ui.px(220));
  ImGui::SetNextItemWidth(wide);
  const std::string title = fitted(ui.fonts.text, title_of_side(state, key), wide - ui.px(44));
  const bool open = ImGui::BeginCombo("##plan", title.c_str(), ImGuiComboFlags_HeightLarge);
  record(ui, fmt::format("side.plan.{}", column));
  const float after = ImGui::GetItemRectMax().x;
  if (open) {
    column_choices(state, column, key);
    ImGui::EndCombo();
  }
  if (column >= 2) {
    ImGui::SameLine(0, ui.px(4));
    if (button(ui, fmt::format("side.close.{}", column), icon::kClose, "", ButtonLook::kQuiet, "Close this column")) {
      state.later([column](State& s) {
        std::vector<std::string>& further = s.part<Comparing>().further;
        if (column - 2 < further.size()) further.erase(further.begin() + static_cast<std::ptrdiff_t>(column) - 2);
      });
    }
  }
  ImGui::PopID();
  if (facts != nullptr) {
    const std::string words =
        fmt::format("{}  +{}", state.bytes(facts->metrics.makespan), overhead_text(facts->metrics.overhead));
    const float room = at.x + width - after - ui.px(column >= 2 ? 44 : 12);
    draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + width - ui.px(6), at.y + ui.px(7)),
                    facts->report.valid() ? ui.theme->text : ui.theme->bad, fitted(ui.fonts.mono, words, room));
  }
}

/// The rectangle of a change in the other plan lies elsewhere or has another shape than here.
bool looks_other(const BufferChange& change) {
  const bool gone = change.kind == BufferChange::Kind::kRemoved;
  return change.before != kNoBuffer && change.offset_before != kNoOffset &&
         (gone || change.lifetime || change.size || change.offset_before != change.offset_after);
}

/// What has moved, where the other plan has it: an outline there.
void draw_outlines(State& state, const Canvas& canvas, const Viewport& view) {
  const auto side = compared_side(state);
  if (!side) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(canvas.device(view.area.left, view.area.top), canvas.device(view.area.right, view.area.bottom),
                    true);
  std::size_t drawn = 0;
  for (const BufferChange& change : differing_from(state, *side).found->changes.list) {
    if (!looks_other(change)) continue;
    const Buffer& b = (*side->problem)[change.before];
    const std::uint16_t space = space_of(*side->problem, *side->plan, change.before);
    if (space != state.space && !draws_all_spaces(state)) continue;
    const Viewport lane = view_of_space(state, space, view);
    const float left = lane.x_of_step(b.start);
    const float right = lane.x_of_step(b.end);
    const float top = lane.y_of_address(checked_add(change.offset_before, b.size).value_or(kMaxInt64));
    const float bottom = lane.y_of_address(change.offset_before);
    if (right < view.area.left || left > view.area.right || bottom < view.area.top || top > view.area.bottom) continue;
    if (++drawn > kMostOutlines) break;
    const Color color = change.kind == BufferChange::Kind::kRemoved ? state.ui.theme->bad : state.ui.theme->warn;
    list.AddRect(canvas.device(left, top), canvas.device(right, bottom), u32(with_alpha(color, 0.9)), state.ui.px(2), 0,
                 std::max(1.0F, state.ui.px(1.2F)));
  }
  list.PopClipRect();
}

/// Selection, filter and colours of the moment for the buffers of an entry of the history.
const PastLook& look_of(State& state, const ComparedSide& side, std::size_t column) {
  std::vector<PastLook>& looks = state.part<Comparing>().looks;
  if (looks.size() <= column) looks.resize(column + 1);
  PastLook& look = looks[column];
  const Differences& found = *differing_from(state, side).found;
  MapKey key = scene_key(state, 0, 0);
  key.view = Viewport{};
  key.unit += fmt::format("{} {}", side.key, found.made);
  if (look.key == key) return look;
  look = PastLook{};
  look.key = std::move(key);
  ColouringInput input;
  input.problem = side.problem.get();
  input.offsets = &side.plan->offsets;
  input.objects = side.plan->objects ? &*side.plan->objects : nullptr;
  input.unit = state.byte_unit();
  look.colouring = colour_by(chosen_colouring(state), input);
  for (const BufferIndex i : state.selection) {
    if (i < found.partner.size() && found.partner[i] != kNoBuffer) look.selected.push_back(found.partner[i]);
  }
  const auto& matches = state.rows.matches;
  if (matches == nullptr || matches->size() != found.partner.size()) return look;
  look.matches.assign(side.problem->size(), false);
  for (std::size_t k = 0; k < found.here.size(); ++k) {
    if (found.here[k] != kNoBuffer) look.matches[k] = (*matches)[found.here[k]];
  }
  return look;
}

void draw_column(State& state, std::size_t column, const std::string& id, ImVec2 low, ImVec2 room) {
  Ui& ui = state.ui;
  const auto side = side_of_key(state, id);
  column_head(state, column, id, side ? side->facts : nullptr, low, room.x);
  const ImVec2 origin(low.x, low.y + ui.px(kHead));
  if (!side || (column == 1 && awaits_other(state))) {
    const ImVec2 high(low.x + room.x, low.y + room.y);
    record(ui, fmt::format("side.awaited.{}", column), origin, high);
    return empty_message(ui, origin, high, icon::kPlay, "Planning again\u2026", "It is drawn as soon as it is made.");
  }
  const std::size_t spaces = side->analysis->indexes.size();
  if (state.space >= spaces || (draws_all_spaces(state) && spaces != state.problem().spaces().size())) {
    return empty_message(ui, origin, ImVec2(low.x + room.x, low.y + room.y), icon::kColumns, "Other spaces",
                         "This entry of the history has other memory spaces than the present.");
  }
  Canvas canvas;
  canvas.scale = ui.scale;
  canvas.origin = origin;
  canvas.width = room.x / ui.scale;
  canvas.height = (room.y - ui.px(kHead)) / ui.scale;
  const Margins margins = chart_margins();
  Viewport view = state.camera;
  view.area = Rect{margins.left, margins.top, std::max(margins.left + 10, canvas.width - margins.right),
                   std::max(margins.top + 10, canvas.height - margins.bottom)};
  ImGui::SetCursorScreenPos(origin);
  ImGui::PushID(static_cast<int>(column));
  ImGui::InvisibleButton("##column", ImVec2(room.x, std::max(1.0F, room.y - ui.px(kHead))));
  ImGui::PopID();
  record(ui, fmt::format("side.canvas.{}", column));
  canvas.hovered = ImGui::IsItemHovered() || ImGui::IsItemActive();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  canvas.mouse = Point{(mouse.x - origin.x) / ui.scale, (mouse.y - origin.y) / ui.scale};
  drive_column(state, canvas, view, *side);

  std::vector<CachedScene>& scenes = state.part<Comparing>().scenes;
  if (scenes.size() <= column) scenes.resize(column + 1);
  MapKey key = scene_key(state, canvas.width, canvas.height);
  key.view = view;
  key.unit += "/" + id;
  ChartedPlan charted{side->plan, side->facts, &offsets_of_side(*side, state.space)};
  if (side->past) {
    charted.problem = side->problem;
    charted.analysis = side->analysis;
    charted.look = &look_of(state, *side, column);
  }
  const std::string chart = fmt::format("side{}", column);
  CachedScene& cached = scenes[column];
  renew_scene(state, chart, cached, std::move(key), charted);
  paint_scene(*ImGui::GetWindowDrawList(), cached.scene, PaintTarget{origin, ui.scale, chart}, ui.fonts, state.host);
  if (state.part<Comparing>().overlay) draw_outlines(state, canvas, view);
  if (!state.cursor_time) return;
  const float x = view.x_of(*state.cursor_time);
  if (x < view.area.left || x > view.area.right) return;
  ImGui::GetWindowDrawList()->AddLine(canvas.device(x, view.area.top), canvas.device(x, view.area.bottom),
                                      u32(with_alpha(ui.theme->bad, 0.55)));
}

/// How much differs, in words.
std::string difference_words(State& state) {
  if (awaits_other(state)) return {};
  const Differences& found = differences(state);
  if (comparing_now(state)) return "Comparing\u2026";
  std::string words;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count == 0) return;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", format_count(static_cast<std::int64_t>(count)), what);
  };
  add(found.changes.edited, "edited");
  add(found.changes.added, "added");
  add(found.changes.removed, "removed");
  if (!words.empty()) {
    add(found.changes.moved, "moved");
    return words;
  }
  if (found.changes.none()) return "no buffer lies elsewhere";
  return fmt::format("{} of {} buffers lie elsewhere", format_count(static_cast<std::int64_t>(found.changes.moved)),
                     format_count(static_cast<std::int64_t>(state.problem().size())));
}

/// Asks for the path of a file with plans.
void draw_file_popup(State& state) {
  Ui& ui = state.ui;
  if (!ImGui::BeginPopup("##side.file")) return;
  std::string& path = state.part<Comparing>().path_text;
  text(ui.fonts.small, ui.theme->dim, "The file with the plans");
  ImGui::SetNextItemWidth(ui.px(360));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputText("##path", &path, ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, "side.file.path");
  const bool named = !trim(path).empty();
  ImGui::SameLine(0, ui.px(8));
  const bool add = button(ui, "side.file.add", nullptr, "Add", ButtonLook::kAccent, named ? "" : "Enter a path", named);
  if (named && (add || entered)) {
    state.later([file = std::string(trim(path))](State& s) { add_plans_of_file(s, file); });
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "side.file.cancel", nullptr, "Cancel", ButtonLook::kRaised)) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

/// What can be done with the columns.
void draw_tools(State& state, float right) {
  Ui& ui = state.ui;
  Comparing& comparing = state.part<Comparing>();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui, ui.fonts.semibold, ImVec2(at.x, at.y + ui.px(5)), ui.theme->text, "Side by side");
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(112), at.y));
  if (button(ui, "side.swap", icon::kSwap, "Swap", ButtonLook::kRaised,
             "Exchange the first two; an earlier entry becomes the present again")) {
    state.push(action::Invoke{CommandId::swap_plans});
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "side.overlay", icon::kCopy, "Overlay", comparing.overlay ? ButtonLook::kActive : ButtonLook::kRaised,
             "One chart; where the other plan has a buffer elsewhere, an outline")) {
    state.later([](State& s) { s.part<Comparing>().overlay = !s.part<Comparing>().overlay; });
  }
  ImGui::SameLine(0, ui.px(8));
  const bool more = !comparing.overlay &&
                    columns_of(state).size() < std::min(kMostColumns, comparable_keys(state, kMostColumns).size());
  if (button(ui, "side.add", icon::kPlus, "Plan", ButtonLook::kRaised, "Another column", more)) {
    state.later([](State& s) { add_column(s); });
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "side.file", icon::kFile, "From file", ButtonLook::kRaised,
             "Take the plans of another file; its buffers are matched by name, else by lifetime and size")) {
    ImGui::OpenPopup("##side.file");
  }
  draw_file_popup(state);
  const std::string words = difference_words(state);
  const float used = ImGui::GetItemRectMax().x + ui.px(12);
  draw_text_right(ui, ui.fonts.small, ImVec2(right, at.y + ui.px(7)), ui.theme->dim,
                  fitted(ui.fonts.small, words, std::max(0.0F, right - used)));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ui.px(38)));
}

}  // namespace

void draw_side_by_side(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  begin_card(ui, "side_by_side", at, size);
  const ImVec2 inside = ImGui::GetCursorScreenPos();
  const ImVec2 end(inside.x + ImGui::GetContentRegionAvail().x, inside.y + ImGui::GetContentRegionAvail().y);
  if (state.plan() == nullptr || (!compared_side(state) && !awaits_other(state))) {
    empty_message(ui, inside, end, icon::kColumns, "Nothing to compare yet",
                  "Two plans are needed. Run the allocators, or change something: what was before is a plan as well.");
    if (state.has_problem()) {
      const float width = button_width(ui, icon::kPlay, "Run allocators");
      ImGui::SetCursorScreenPos(ImVec2((inside.x + end.x - width) / 2, (inside.y + end.y) / 2 + ui.px(40)));
      if (button(ui, "side.run_all", icon::kPlay, "Run allocators", ButtonLook::kAccent)) {
        state.push(action::Invoke{CommandId::run_all});
      }
    }
    end_card();
    return;
  }
  draw_tools(state, end.x);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const std::vector<std::string> ids = columns_of(state);
  const float gap = ui.px(10);
  const float width = (end.x - low.x - gap * static_cast<float>(ids.size() - 1)) / static_cast<float>(ids.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    draw_column(state, k, ids[k], ImVec2(low.x + (width + gap) * static_cast<float>(k), low.y),
                ImVec2(width, end.y - low.y));
  }
  end_card();
}

}  // namespace stowage
