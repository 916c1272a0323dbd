#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/chart/canvas.h"
#include "ui/chart/spaces.h"
#include "ui/comparing.h"
#include "ui/icons.h"
#include "ui/painter.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::size_t kMostColumns = 4;
constexpr std::size_t kMostOutlines = 2'000;
constexpr float kHead = 34;

/// The plans of the columns: the shown one, the other one, and further ones that still exist.
std::vector<std::string> columns_of(State& state) {
  std::vector<std::string> ids = {state.shown_plan};
  Comparing& comparing = state.part<Comparing>();
  const Plan* other = compared_plan(state);
  if (other == nullptr || comparing.overlay) return ids;
  ids.push_back(other->id);
  std::erase_if(comparing.further, [&](const std::string& id) { return state.document.find_plan(id) == nullptr; });
  ids.insert(ids.end(), comparing.further.begin(), comparing.further.end());
  ids.resize(std::min(ids.size(), kMostColumns));
  return ids;
}

/// Puts another plan into a column.
void change_column(State& state, std::size_t column, const std::string& id) {
  Comparing& comparing = state.part<Comparing>();
  if (column == 0) {
    show_plan(state, id, true);
  } else if (column == 1) {
    comparing.other = id;
  } else {
    comparing.further[column - 2] = id;
  }
  ++state.look_revision;
}

void add_column(State& state) {
  Comparing& comparing = state.part<Comparing>();
  const std::vector<std::string> now = columns_of(state);
  for (const std::string& id : state.ranked_plans()) {
    if (std::find(now.begin(), now.end(), id) != now.end()) continue;
    comparing.further.push_back(id);
    return;
  }
}

/// Which plan a column shows, with its figures; a click on the name offers the others.
void column_head(State& state, std::size_t column, const std::string& id, ImVec2 at, float width) {
  Ui& ui = state.ui;
  ImGui::PushID(static_cast<int>(column));
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemWidth(std::min(width * 0.55F, ui.px(220)));
  const bool open = ImGui::BeginCombo("##plan", State::title_of_plan(id).c_str());
  record(ui, fmt::format("side.plan.{}", column));
  const float after = ImGui::GetItemRectMax().x;
  if (open) {
    for (const std::string& other : state.ranked_plans()) {
      if (ImGui::Selectable(State::title_of_plan(other).c_str(), other == id)) {
        state.later([column, other](State& s) { change_column(s, column, other); });
      }
      record(ui, fmt::format("side.plan.{}.{}", column, other));
    }
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
  if (const PlanFacts* facts = state.facts_of(id)) {
    const std::string words =
        fmt::format("{}  +{}", state.bytes(facts->metrics.makespan), overhead_text(facts->metrics.overhead));
    const float room = at.x + width - after - ui.px(column >= 2 ? 44 : 12);
    draw_text_right(ui, ui.fonts.mono, ImVec2(at.x + width - ui.px(6), at.y + ui.px(7)),
                    facts->report.valid() ? ui.theme->text : ui.theme->bad, fitted(ui.fonts.mono, words, room));
  }
}

const std::vector<std::int64_t>& offsets_of(const Plan& plan, const PlanFacts* facts, std::uint16_t space) {
  return facts != nullptr && space < facts->offsets.size() ? facts->offsets[space] : plan.offsets;
}

/// Wheel, drag and click of one column; the camera is everybody's.
void drive(State& state, const Canvas& canvas, const Viewport& view, const Plan& plan, const PlanFacts* facts) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto move = [&](Viewport to) {
    to.area = state.camera.area;
    state.push(action::MoveCamera{to});
  };
  if (!canvas.hovered) return;
  if (io.MouseWheel != 0) {
    Viewport to = view;
    const double factor = std::pow(1.18, -static_cast<double>(io.MouseWheel));
    to.zoom(Point{std::clamp(canvas.mouse.x, view.area.left, view.area.right),
                  std::clamp(canvas.mouse.y, view.area.top, view.area.bottom)},
            io.KeyShift ? 1 : factor, io.KeyCtrl ? 1 : factor);
    move(to);
  }
  if (ImGui::IsMouseDragging(0, 3) && ImGui::IsItemActive()) {
    Viewport to = view;
    to.pan_pixels(io.MouseDelta.x / canvas.scale, io.MouseDelta.y / canvas.scale);
    move(to);
  }
  if (!view.area.contains(canvas.mouse)) return;
  state.cursor_time = view.time_at(canvas.mouse.x);
  const std::uint16_t space = space_at(state, view, canvas.mouse);
  const Viewport lane = view_of_space(state, space, view);
  state.cursor_byte = lane.byte_at(canvas.mouse.y);
  const std::vector<std::int64_t>& offsets = offsets_of(plan, facts, space);
  const BufferIndex hit =
      pick(state.problem(), *state.analysis.indexes[space], offsets, lane, canvas.mouse, kPickTolerance);
  if (hit != kNoBuffer && !ImGui::IsMouseDown(0)) {
    tooltip(state.ui, fmt::format("{}\n{}\naddress {}", printable_utf8(state.problem().id(hit)),
                                  state.bytes(state.problem()[hit].size), state.address(offsets[hit])));
  }
  const ImVec2 dragged = ImGui::GetMouseDragDelta(0, 3);
  if (ImGui::IsMouseReleased(0) && dragged.x == 0 && dragged.y == 0) {
    const std::vector<BufferIndex> chosen =
        hit == kNoBuffer ? std::vector<BufferIndex>{} : std::vector<BufferIndex>{hit};
    state.push(action::Select{chosen, io.KeyCtrl ? SelectMode::kToggle : SelectMode::kReplace});
  }
}

/// What has moved, where the other plan has it: an outline there, and a line from it.
void draw_outlines(State& state, const Canvas& canvas, const Viewport& view) {
  const Plan* other = compared_plan(state);
  if (other == nullptr) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(canvas.device(view.area.left, view.area.top), canvas.device(view.area.right, view.area.bottom),
                    true);
  std::size_t drawn = 0;
  for (const BufferChange& change : differences(state).list) {
    if (change.kind != BufferChange::Kind::kMoved || change.offset_before == kNoOffset) continue;
    const Buffer& b = state.problem()[change.after];
    const Viewport lane = view_of_space(state, space_of_buffer(state, change.after), view);
    const float left = lane.x_of_step(b.start);
    const float right = lane.x_of_step(b.end);
    const float top = lane.y_of_address(change.offset_before + b.size);
    const float bottom = lane.y_of_address(change.offset_before);
    if (right < view.area.left || left > view.area.right || bottom < view.area.top || top > view.area.bottom) continue;
    if (++drawn > kMostOutlines) break;
    list.AddRect(canvas.device(left, top), canvas.device(right, bottom), u32(with_alpha(state.ui.theme->warn, 0.9)),
                 state.ui.px(2), 0, std::max(1.0F, state.ui.px(1.2F)));
  }
  list.PopClipRect();
}

void draw_column(State& state, std::size_t column, const std::string& id, ImVec2 low, ImVec2 room) {
  Ui& ui = state.ui;
  const Plan* plan = state.document.find_plan(id);
  if (plan == nullptr) return;
  column_head(state, column, id, low, room.x);
  const ImVec2 origin(low.x, low.y + ui.px(kHead));
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

  const PlanFacts* facts = state.facts_of(id);
  drive(state, canvas, view, *plan, facts);

  std::vector<CachedScene>& scenes = state.part<Comparing>().scenes;
  if (scenes.size() <= column) scenes.resize(column + 1);
  MapKey key = scene_key(state, canvas.width, canvas.height);
  key.view = view;
  key.unit += "/" + id;
  CachedScene& cached = scenes[column];
  if (cached.built == 0 || !(cached.key == key)) {
    SceneStats stats;
    const ChartedPlan charted{plan, facts, &offsets_of(*plan, facts, state.space)};
    Scene scene = make_map_scene(state, charted, view, canvas.width, canvas.height, stats);
    cached = CachedScene{std::move(key), std::move(scene), stats, cached.built + 1};
  }
  paint_scene(*ImGui::GetWindowDrawList(), cached.scene, PaintTarget{origin, ui.scale, fmt::format("side{}", column)},
              ui.fonts, state.host);
  if (state.part<Comparing>().overlay) draw_outlines(state, canvas, view);
  if (!state.cursor_time) return;
  const float x = view.x_of(*state.cursor_time);
  if (x < view.area.left || x > view.area.right) return;
  ImGui::GetWindowDrawList()->AddLine(canvas.device(x, view.area.top), canvas.device(x, view.area.bottom),
                                      u32(with_alpha(ui.theme->bad, 0.55)));
}

/// What can be done with the columns.
void draw_tools(State& state, float right) {
  Ui& ui = state.ui;
  Comparing& comparing = state.part<Comparing>();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ui, ui.fonts.semibold, ImVec2(at.x, at.y + ui.px(5)), ui.theme->text, "Side by side");
  ImGui::SetCursorScreenPos(ImVec2(at.x + ui.px(112), at.y));
  if (button(ui, "side.swap", icon::kSwap, "Swap", ButtonLook::kRaised, "Exchange the first two plans")) {
    state.push(action::Invoke{CommandId::swap_plans});
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "side.overlay", icon::kCopy, "Overlay", comparing.overlay ? ButtonLook::kActive : ButtonLook::kRaised,
             "One chart; where the other plan has a buffer elsewhere, an outline")) {
    state.later([](State& s) { s.part<Comparing>().overlay = !s.part<Comparing>().overlay; });
  }
  ImGui::SameLine(0, ui.px(8));
  const bool more =
      !comparing.overlay && columns_of(state).size() < std::min(kMostColumns, state.document.plans.size());
  if (button(ui, "side.add", icon::kPlus, "Plan", ButtonLook::kRaised, "Another column", more)) {
    state.later([](State& s) { add_column(s); });
  }
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, "side.file", icon::kFile, "From file", ButtonLook::kRaised,
             "Take the plan of another file; its buffers are matched by name, else by lifetime and size")) {
    ImGui::OpenPopup("##side.file");
  }
  if (ImGui::BeginPopup("##side.file")) {
    text(ui.fonts.small, ui.theme->dim, "The file with the plan");
    ImGui::SetNextItemWidth(ui.px(360));
    const bool entered = ImGui::InputText("##path", &comparing.path_text, ImGuiInputTextFlags_EnterReturnsTrue);
    record(ui, "side.file.path");
    ImGui::SameLine(0, ui.px(8));
    if (button(ui, "side.file.add", nullptr, "Add", ButtonLook::kAccent) || entered) {
      state.later([path = comparing.path_text](State& s) { add_plan_of_file(s, path); });
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  const Changes& changes = differences(state);
  const std::string words = changes.none()
                                ? std::string("no buffer lies elsewhere")
                                : fmt::format("{} of {} buffers lie elsewhere", changes.moved,
                                              format_count(static_cast<std::int64_t>(state.problem().size())));
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
  if (state.plan() == nullptr || compared_plan(state) == nullptr) {
    empty_message(ui, inside, end, icon::kColumns, "Nothing to compare yet",
                  "Two finished plans are needed. Run the allocators, or place buffers by hand.");
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
