#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/graph_view.h"
#include "ui/icons.h"
#include "ui/op_panel.h"
#include "ui/painter.h"
#include "ui/replay.h"
#include "ui/stage_replay.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kCaption = 28;   // logical pixels below the graph while steps are played
constexpr float kFreeTags = 26;  // below the caption

std::string scene_key_of(const State& state, const GraphView& view, float width, float height) {
  const Viewport& camera = view.camera;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", view.revision, state.selection_revision, state.hovered,
                     width, height, state.ui.scale, state.ui.theme->dark, camera.time_low, camera.time_high,
                     camera.byte_low, camera.byte_high, state.settings.byte_unit, state.font_revision);
}

GraphSceneInput input_of(const State& state, const GraphView& view) {
  GraphSceneInput input;
  input.staged = &shown_graph(view);
  input.layout = &view.layout;
  input.colour_of = view.colours;
  input.unit = state.byte_unit();
  input.most_edges = 1'200;
  if (view.moment) input.moment = &*view.moment;
  if (view.played != nullptr) {
    input.implied = view.played->stage->implied;
    input.told = view.told;
    input.told_tensor = view.played->stage->subject_at(view.played_position).tensor;
  }
  const auto op_of = [&](BufferIndex i) {
    return i < view.op_of.size() ? view.op_of[i] : kNoOp;
  };
  for (const BufferIndex i : state.selection) {
    if (op_of(i) != kNoOp) input.selected.push_back(op_of(i));
  }
  input.hovered = op_of(state.hovered);
  return input;
}

void rebuild(State& state, GraphView& view, float width, float height) {
  std::string key = scene_key_of(state, view, width, height);
  if (view.built > 0 && view.scene_key == key) return;
  Scene scene;
  scene.width = width;
  scene.height = height;
  add_graph(scene, input_of(state, view), view.camera, *state.ui.theme, UiTextMeasure(state.ui.fonts, state.ui.scale));
  view.scene = std::move(scene);
  view.scene_key = std::move(key);
  ++view.built;
}

std::string names_of(const Graph& graph, const std::vector<TensorIndex>& tensors) {
  std::string words;
  for (std::size_t k = 0; k < tensors.size() && k < 6; ++k) {
    words += (k == 0 ? "" : ", ") + printable_utf8(graph.tensor(tensors[k]).id);
  }
  if (tensors.size() > 6) words += fmt::format(", \u2026 ({})", tensors.size());
  return words;
}

std::string words_of(const State& state, const Staged& staged, OpIndex n) {
  const Op& op = staged.graph.op(n);
  std::string words = printable_utf8(op.id);
  if (!op.type.empty()) words += fmt::format("  ({})", printable_utf8(op.type));
  words += fmt::format("\nstep {}, stream {}", staged.schedule.steps()[n], op.stream);
  if (!op.in.empty()) words += "\nreads " + names_of(staged.graph, op.in);
  if (!op.out.empty()) words += "\nmakes " + names_of(staged.graph, op.out);
  std::int64_t bytes = 0;
  for (const TensorIndex t : op.out) bytes += staged.graph.is_view(t) ? 0 : staged.graph.tensor(t).bytes.value_or(0);
  words += "\n" + state.bytes(bytes);
  if (op.flops > 0) words += fmt::format(", {} operations", format_count(op.flops));
  return words;
}

/// Wheel, drag, click, double click: as on the map. A click selects what the op makes, with Alt what it reads.
void drive(State& state, GraphView& view, ImVec2 low, bool hovered, bool active) {
  const Point mouse = view.steer(state.ui, low, hovered, active);
  if (!hovered) return;
  const std::optional<OpIndex> under = op_at(input_of(state, view), view.camera, mouse);
  if (ImGui::IsMouseReleased(0)) {
    if (!view.dragged) {
      std::vector<BufferIndex> chosen;
      const ImGuiIO& io = ImGui::GetIO();
      if (under && *under < view.made.size()) chosen = io.KeyAlt ? view.read[*under] : view.made[*under];
      state.push(action::Select{std::move(chosen), io.KeyCtrl ? SelectMode::kToggle : SelectMode::kReplace});
      // After the selection, which would bring up the op that makes the first of the buffers.
      if (under) state.later([id = shown_graph(view).graph.op(*under).id](State& s) { look_at_op(s, id); });
    }
    view.dragged = false;
  }
  if (under && !active) tooltip(state.ui, words_of(state, shown_graph(view), *under));
}

void draw_canvas(State& state, GraphView& view, ImVec2 low, ImVec2 room) {
  const float width = room.x / state.ui.scale;
  const float height = room.y / state.ui.scale;
  if (width < 10 || height < 10) return;
  const Rect area{0, 0, width, height};
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("##graph", room);
  record(state.ui, "graph.canvas");
  drive(state, view, low, ImGui::IsItemHovered(), ImGui::IsItemActive());
  if (view.home || !(view.camera.area == area)) {
    if (view.home) view.camera = fit_graph(view.layout, area);
    view.camera.area = area;
  }
  rebuild(state, view, width, height);
  paint_scene(*ImGui::GetWindowDrawList(), view.scene, PaintTarget{low, state.ui.scale, "graph"}, state.ui.fonts,
              state.host);
}

/// Switches on the right of the title.
void switches(State& state, const GraphView& view, float left, float right, float y) {
  Ui& ui = state.ui;
  const bool plays = view.played != nullptr;
  const char* walk = plays ? "End the steps" : "Give out tags";
  float x = right - button_width(ui, icon::kPlay, walk);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  if (button(ui, "graph.walk", plays ? icon::kClose : icon::kPlay, walk, ButtonLook::kQuiet,
             plays ? "Show the graph at the end of the pipeline again"
                   : "Walk through the ops and give each value a tag from the box of free ones")) {
    state.later([plays](State& s) { plays ? end_replay(s) : record_tags(s); });
  }
  const auto choice = [&](const char* name, const char* label, bool on, auto&& chosen) {
    x -= text_width(ui.fonts.text, label) + ui.px(32);
    if (x < left) return;
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    if (segment(ui, name, label, on)) state.later(chosen);
  };
  x -= ui.px(10);
  choice("graph.colour.stream", "Stream", view.colour == GraphColour::kStream,
         [](State& s) { show_graph_colour(s, GraphColour::kStream); });
  choice("graph.colour.storage", "Storage", view.colour == GraphColour::kStorage,
         [](State& s) { show_graph_colour(s, GraphColour::kStorage); });
  choice("graph.colour.type", "Type", view.colour == GraphColour::kType,
         [](State& s) { show_graph_colour(s, GraphColour::kType); });
  x -= ui.px(10);
  choice("graph.columns.steps", "Steps", view.columns == GraphColumns::kSteps,
         [](State& s) { show_graph_columns(s, GraphColumns::kSteps); });
  choice("graph.columns.layers", "Layers", view.columns == GraphColumns::kLayers,
         [](State& s) { show_graph_columns(s, GraphColumns::kLayers); });
}

/// The box of free tags, as a row of small boxes.
void free_tags(const State& state, const GraphMoment& moment, ImVec2 at, float right) {
  const Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(ui, ui.fonts.small, ImVec2(at.x, at.y + ui.px(3)), ui.theme->dim, "Free tags");
  float x = at.x + text_width(ui.fonts.small, "Free tags") + ui.px(10);
  if (moment.free_tags.empty()) {
    draw_text(ui, ui.fonts.small, ImVec2(x, at.y + ui.px(3)), ui.theme->dim, "none");
    return;
  }
  for (const std::int32_t tag : moment.free_tags) {
    const std::string label = fmt::format("{}", tag);
    const float width = std::max(ui.px(22), text_width(ui.fonts.small, label) + ui.px(10));
    if (x + width > right) {
      draw_text(ui, ui.fonts.small, ImVec2(x, at.y + ui.px(3)), ui.theme->dim, "\u2026");
      return;
    }
    list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + width, at.y + ui.px(20)), u32(ui.theme->raised), ui.px(4));
    list.AddRect(ImVec2(x, at.y), ImVec2(x + width, at.y + ui.px(20)), u32(ui.theme->line), ui.px(4));
    draw_text(ui, ui.fonts.small, ImVec2(x + (width - text_width(ui.fonts.small, label)) / 2, at.y + ui.px(3)),
              ui.theme->text, label);
    x += width + ui.px(5);
  }
}

/// Below the graph: what the step says, and the box of free tags.
void step_part(State& state, const GraphView& view, ImVec2 low, float width) {
  Ui& ui = state.ui;
  const std::string words = stage_caption(*view.played, view.played_position);
  const ImVec2 at(low.x + ui.px(4), low.y + ui.px(6));
  draw_text(ui, ui.fonts.text, at, ui.theme->text, fitted(ui.fonts.text, words, width - ui.px(8)));
  record(ui, "graph.caption", low, ImVec2(low.x + width, low.y + ui.px(kCaption)));
  record_words(ui, "graph.caption", words);
  if (view.moment) free_tags(state, *view.moment, ImVec2(at.x, low.y + ui.px(kCaption + 2)), low.x + width);
}

}  // namespace

void draw_graph(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  follow_graph(state);
  auto& view = state.part<GraphView>();
  begin_card(ui, "graph", at, size);
  const ImVec2 title = ImGui::GetCursorScreenPos();
  const float right = title.x + ImGui::GetContentRegionAvail().x;
  card_title(ui, "Graph");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImVec2 room = ImGui::GetContentRegionAvail();
  if (view.staged == nullptr) {
    empty_message(ui, low, ImVec2(low.x + room.x, low.y + room.y), icon::kSwap, "No operator graph",
                  "This file holds buffers only. Open a graph, or make one: stowage generate resnet50 --out g.json");
    end_card();
    return;
  }
  float x = title.x + text_width(ui.fonts.semibold, "Graph") + ui.px(12);
  const Staged& staged = shown_graph(view);
  const std::string words =
      fmt::format("{} ops, {} tensors", format_count(static_cast<std::int64_t>(staged.graph.ops().size())),
                  format_count(static_cast<std::int64_t>(staged.graph.tensors().size())));
  const std::string shown = fitted(ui.fonts.text, words, (right - x) * 0.4F);
  draw_text(ui, ui.fonts.text, ImVec2(x, title.y), ui.theme->dim, shown);
  x += text_width(ui.fonts.text, shown) + ui.px(16);
  switches(state, view, x, right, title.y - ui.px(7));
  const float below = view.played == nullptr ? 0 : kCaption + (view.moment ? kFreeTags : 0);
  room.y = std::max(ui.px(20), room.y - ui.px(below));
  draw_canvas(state, view, low, room);
  if (view.played != nullptr) step_part(state, view, ImVec2(low.x, low.y + room.y), room.x);
  end_card();
}

}  // namespace stowage
