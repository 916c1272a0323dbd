#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/chart/boxes_scene.h"
#include "ui/boxes_replay.h"
#include "ui/icons.h"
#include "ui/list_row.h"
#include "ui/painter.h"
#include "ui/replay.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The scene depends on these; as text, because it is compared once a frame.
std::string scene_key_of(const State& state, const BoxesReplay& boxes, float width, float height) {
  const Viewport& view = boxes.camera;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", boxes.revision, state.selection_revision, width, height,
                     state.ui.scale, state.ui.theme->dark, state.settings.byte_unit, view.time_low, view.time_high,
                     view.byte_low, view.byte_high, state.font_revision);
}

BoxesSceneInput input_of(const State& state, const BoxesReplay& boxes) {
  BoxesSceneInput input;
  input.problem = &state.problem();
  input.layout = boxes.layout.get();
  input.selected = state.selection;
  input.unit = state.byte_unit();
  input.scale = state.ui.scale;
  input.most = 4'000;
  return input;
}

void rebuild(State& state, BoxesReplay& boxes, float width, float height) {
  std::string key = scene_key_of(state, boxes, width, height);
  if (boxes.built > 0 && boxes.scene_key == key) return;
  Scene scene;
  scene.width = width;
  scene.height = height;
  add_boxes(scene, input_of(state, boxes), boxes.camera, *state.ui.theme,
            UiTextMeasure(state.ui.fonts, state.ui.scale));
  boxes.scene = std::move(scene);
  boxes.scene_key = std::move(key);
  ++boxes.built;
}

/// A job comes down from above into its box.
void draw_flight(const State& state, const BoxesReplay& boxes, ImVec2 low) {
  if (boxes.flying == kNoBuffer) return;
  const double share = (state.host.now() - boxes.flying_since) / BoxesReplay::kFlight;
  if (share >= 1) return;
  const BoxesSceneInput input = input_of(state, boxes);
  const std::optional<Rect> rect = rect_of(input, boxes.camera, BoxMember{boxes.flying, BoxMember::kNone});
  if (!rect) return;
  const float left = 1 - static_cast<float>(share);
  const float up = left * left * (rect->top - boxes.camera.area.top);
  const Theme& theme = *state.ui.theme;
  const std::size_t category = category_of(state.problem(), boxes.flying);
  const float scale = state.ui.scale;
  const ImVec2 from(low.x + rect->left * scale, low.y + (rect->top - up) * scale);
  const ImVec2 to(low.x + rect->right * scale, low.y + (rect->bottom - up) * scale);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, u32(theme.border(category)), state.ui.px(2));
  list.AddRect(from, to, u32(theme.text), state.ui.px(2));
}

std::string words_of(const State& state, const BoxesLayout& layout, const BoxShape& shape) {
  if (!shape.is_box()) {
    const BufferIndex i = shape.what.buffer;
    std::string words =
        fmt::format("{}\n{}", printable_utf8(state.problem().id(i)), state.bytes(state.problem()[i].size));
    const std::string path = path_words(layout, i);
    return path.empty() ? words : words + "\n" + path;
  }
  std::string words = fmt::format("box {}, level {}\nheight {}, of it {} full", shape.what.box, shape.level,
                                  state.bytes(shape.height), state.bytes(shape.high - shape.low));
  if (shape.origin) words += fmt::format("\nmade of: {}", name_of(*shape.origin));
  return words;
}

/// Wheel, drag, click, double click: as on the map.
void drive(State& state, BoxesReplay& boxes, ImVec2 low, bool hovered, bool active) {
  const Point mouse = boxes.steer(state.ui, low, hovered, active);
  if (!hovered) return;
  const BoxesSceneInput input = input_of(state, boxes);
  const std::optional<std::size_t> under = shape_at(input, boxes.camera, mouse);
  if (ImGui::IsMouseReleased(0)) {
    if (!boxes.dragged) {
      std::vector<BufferIndex> chosen;
      if (under && !boxes.layout->shapes[*under].is_box()) chosen.push_back(boxes.layout->shapes[*under].what.buffer);
      state.push(action::Select{std::move(chosen), SelectMode::kReplace});
    }
    boxes.dragged = false;
  }
  if (under && !active) tooltip(state.ui, words_of(state, *boxes.layout, boxes.layout->shapes[*under]));
}

void draw_canvas(State& state, BoxesReplay& boxes, ImVec2 low, ImVec2 room) {
  const float width = room.x / state.ui.scale;
  const float height = room.y / state.ui.scale;
  const Margins margins = chart_margins();
  const Rect area{margins.left, margins.top, std::max(margins.left + 10, width - margins.right),
                  std::max(margins.top + 10, height - margins.bottom)};
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("##boxes", room);
  record(state.ui, "boxes.canvas");
  drive(state, boxes, low, ImGui::IsItemHovered(), ImGui::IsItemActive());
  if (boxes.home || !(boxes.camera.area == area)) {
    if (boxes.home) boxes.camera = fit_boxes(*boxes.layout, area);
    boxes.camera.area = area;
  }
  rebuild(state, boxes, width, height);
  paint_scene(*ImGui::GetWindowDrawList(), boxes.scene, PaintTarget{low, state.ui.scale, "boxes"}, state.ui.fonts,
              state.host);
  draw_flight(state, boxes, low);
}

/// What the outlines mean, from the right.
void legend(const State& state, const BoxesReplay& boxes, float left, float right, float y) {
  const Ui& ui = state.ui;
  float x = right;
  for (const BoxesKey& key : keys_of(*boxes.layout, *ui.theme)) {
    x -= text_width(ui.fonts.small, key.name);
    if (x - ui.px(18) < left) return;
    draw_text(ui, ui.fonts.small, ImVec2(x, y), ui.theme->dim, key.name);
    x -= ui.px(14);
    const ImVec2 at(x, y + ui.px(3));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (key.dashed) {
      list.AddLine(ImVec2(x + ui.px(4), y), ImVec2(x + ui.px(4), y + ui.px(5)), u32(key.color), ui.px(1.5F));
      list.AddLine(ImVec2(x + ui.px(4), y + ui.px(9)), ImVec2(x + ui.px(4), y + ui.px(14)), u32(key.color),
                   ui.px(1.5F));
    } else {
      list.AddRect(at, ImVec2(at.x + ui.px(9), at.y + ui.px(9)), u32(key.color), ui.px(2), 0, ui.px(1.5F));
    }
    x -= ui.px(14);
  }
}

/// No boxes at this point: why, and what helps.
void draw_nothing(State& state, const Replay& replay, ImVec2 low, ImVec2 high) {
  Ui& ui = state.ui;
  const Plan* plan = state.plan();
  const Allocator* allocator = plan != nullptr ? find_allocator(plan->allocator) : nullptr;
  const bool builds = allocator != nullptr && (allocator->can.boxes || allocator->can.objects);
  const auto below = [&](const char* name, const char* icon, const char* label, const char* words) {
    const float width = button_width(ui, icon, label);
    ImGui::SetCursorScreenPos(ImVec2((low.x + high.x - width) / 2, (low.y + high.y) / 2 + ui.px(48)));
    return button(ui, name, icon, label, ButtonLook::kAccent, words);
  };
  if (replay.work.running()) {
    empty_message(ui, low, high, icon::kHistory, "Recording\u2026", "The boxes appear with the steps of the run.");
  } else if (replay.ready()) {
    empty_message(ui, low, high, icon::kBox, "This run made no boxes",
                  builds && allocator->can.boxes ? "Its first plan was as low as the load, or all sizes are equal. "
                                                   "Without that first plan it boxes all the same."
                                                 : "This allocator places buffers one by one. idealloc and planners of "
                                                   "shared objects pack them into boxes.");
    const bool forced = builds && allocator->can.boxes;
    if (forced && below("boxes.force", icon::kBox, "Record with boxes", "The run without its bootstrap plan")) {
      state.later([](State& s) { record_steps(s, {{"bootstrap", "false"}}, false); });
    }
  } else if (builds) {
    empty_message(ui, low, high, icon::kBox, "No steps are recorded",
                  "The nested boxes of the shown plan's allocator appear here, step by step.");
    if (below("boxes.record", icon::kPlay, "Record the steps", "Runs the allocator once more and keeps what it says")) {
      state.push(action::Invoke{CommandId::record_steps});
    }
  } else {
    empty_message(ui, low, high, icon::kBox, "No boxes to show",
                  "Show the plan of an allocator that packs buffers into boxes, idealloc for one.");
  }
}

}  // namespace

void draw_boxes(State& state, ImVec2 at, ImVec2 size) {
  Ui& ui = state.ui;
  const Replay& replay = state.part<Replay>();
  BoxesReplay& boxes = state.part<BoxesReplay>();
  boxes.wanted = true;
  begin_card(ui, "boxes", at, size);
  const ImVec2 title = ImGui::GetCursorScreenPos();
  const float right = title.x + ImGui::GetContentRegionAvail().x;
  card_title(ui, "Boxes");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool drawn = replay.ready() && boxes.layout != nullptr && !boxes.layout->shapes.empty();
  if (!drawn) {
    draw_nothing(state, replay, low, ImVec2(low.x + room.x, low.y + room.y));
    end_card();
    return;
  }
  float x = title.x + text_width(ui.fonts.semibold, "Boxes") + ui.px(12);
  std::string words = position_words(replay);
  if (state.chosen() != kNoBuffer) {
    const std::string path = path_words(*boxes.layout, state.chosen());
    words += "  \u2022  " + printable_utf8(state.problem().id(state.chosen())) + " " +
             (path.empty() ? std::string("is in no box") : path);
  }
  words = fitted(ui.fonts.text, words, (right - x) * 0.6F);
  draw_text(ui, ui.fonts.text, ImVec2(x, title.y), ui.theme->dim, words);
  record(ui, "boxes.path", ImVec2(x, title.y), ImVec2(x + text_width(ui.fonts.text, words), title.y + ui.px(16)));
  x += text_width(ui.fonts.text, words) + ui.px(16);
  legend(state, boxes, x, right, title.y + ui.px(2));
  draw_canvas(state, boxes, low, room);
  end_card();
}

}  // namespace stowage
