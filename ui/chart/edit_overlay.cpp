#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/chart/edit_gesture.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"

namespace stowage {
namespace {

using State = Workbench::State;

std::string words_of(const State& state, const EditDrag& drag) {
  const EditDrag::Wish& wish = *drag.wish;
  const std::string name =
      drag.members.empty() ? drag.name : printable_utf8(state.problem().id(drag.members.front().buffer));
  std::string words = name;
  if (drag.members.size() > 1) words += fmt::format(" and {} more", drag.members.size() - 1);
  const std::int64_t steps = checked_sub(wish.end, wish.start).value_or(kMaxInt64);
  const std::string live = fmt::format("live {} \u2013 {}  ({} {})", wish.start, wish.end, format_count(steps),
                                       printable_utf8(state.time_unit(steps)));
  switch (drag.grip) {
    case Grip::kBody:
      words += "\naddress " + state.address(wish.offset);
      if (drag.pinned) words += "  (fixed)";
      break;
    case Grip::kTop:
      words += fmt::format("\n{}  ({})", state.bytes(wish.size), format_exact_bytes(wish.size));
      break;
    case Grip::kNew:
      words += fmt::format("\n{}\n{}", state.bytes(wish.size), live);
      break;
    default:
      words += "\n" + live;
  }
  if (drag.collision.found()) words += "\n" + collision_words(state.problem(), drag.collision);
  if (!state.editing.impossible.empty()) words += "\n" + state.editing.impossible;
  return words;
}

constexpr std::size_t kMostCarried = 2'000;

struct Corners {
  ImVec2 low;
  ImVec2 high;
};

/// Of a rectangle on the screen, at least two pixels in both directions.
Corners corners_of(const Canvas& canvas, const Viewport& view, std::int64_t start, std::int64_t end,
                   std::int64_t low_byte, std::int64_t high_byte) {
  const ImVec2 low = canvas.device(view.x_of_step(start), view.y_of_address(high_byte));
  const ImVec2 high = canvas.device(view.x_of_step(end), view.y_of_address(low_byte));
  return Corners{low, ImVec2(std::max(high.x, low.x + 2), std::max(high.y, low.y + 2))};
}

/// Where the plan follows only after the release, the dragged buffers are drawn over it, and their places are faded.
void draw_carried(State& state, const Canvas& canvas, const Viewport& view, const EditDrag& drag) {
  if (drag.live || drag.grip != Grip::kBody) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<std::int64_t>& offsets = state.drawn_offsets();
  const std::size_t count = std::min(drag.places.size(), kMostCarried);
  const auto place_of = [&](BufferIndex i, std::int64_t offset) {
    const Buffer& b = state.problem()[i];
    return corners_of(canvas, view, b.start, b.end, offset, checked_add(offset, b.size).value_or(kMaxInt64));
  };
  for (std::size_t k = 0; k < count; ++k) {
    const BufferIndex i = drag.places[k].first;
    if (i >= offsets.size() || i >= state.problem().size() || offsets[i] == kNoOffset) continue;
    const Corners was = place_of(i, offsets[i]);
    list.AddRectFilled(was.low, was.high, u32(with_alpha(state.ui.theme->card, 0.6)));
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto& [i, offset] = drag.places[k];
    if (i >= state.problem().size()) continue;
    const Corners now = place_of(i, offset);
    const Color color = colour_of(state, i);
    list.AddRectFilled(now.low, now.high, u32(mix(state.ui.theme->card, color, 0.8)), state.ui.px(2));
    list.AddRect(now.low, now.high, u32(color), state.ui.px(2));
    if (k == 0) record(state.ui, "chart.carried", now.low, now.high);
  }
}

}  // namespace

void draw_edit(State& state, const Canvas& canvas) {
  const EditDrag& drag = state.part<EditDrag>();
  if (!drag.wish || state.gesture.kind() != GestureKind::kEdit) return;
  const Viewport view = chart_view(state);
  const Rect& area = view.area;
  const EditDrag::Wish& wish = *drag.wish;
  const bool wrong = drag.collision.found() || !state.editing.impossible.empty();
  const Color color = wrong ? state.ui.theme->bad : state.ui.theme->accent;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(canvas.device(area.left, area.top), canvas.device(area.right, area.bottom), true);
  if (drag.time_guide) {
    const float x = view.x_of_step(*drag.time_guide);
    list.AddLine(canvas.device(x, area.top), canvas.device(x, area.bottom), u32(with_alpha(color, 0.5)), canvas.scale);
  }
  if (drag.byte_guide) {
    const float y = view.y_of_address(*drag.byte_guide);
    list.AddLine(canvas.device(area.left, y), canvas.device(area.right, y), u32(with_alpha(color, 0.5)), canvas.scale);
  }
  const auto outline = [&](std::int64_t start, std::int64_t end, std::int64_t low_byte, std::int64_t high_byte) {
    const auto [low, high] = corners_of(canvas, view, start, end, low_byte, high_byte);
    list.AddRectFilled(low, high, u32(with_alpha(color, 0.16)), state.ui.px(3));
    list.AddRect(low, high, u32(color), state.ui.px(3), 0, 2 * canvas.scale);
  };
  draw_carried(state, canvas, view, drag);
  outline(wish.start, wish.end, wish.offset, wish.offset + wish.size);
  const bool another = drag.collision.found() && drag.collision.moved != drag.members.front().buffer;
  if (another && drag.collision.moved < state.problem().size()) {
    const Buffer& b = state.problem()[drag.collision.moved];
    outline(b.start, b.end, drag.collision.at, drag.collision.at + b.size);
  }
  list.PopClipRect();
  tooltip(state.ui, words_of(state, drag));
}

void draw_stale(State& state, const Canvas& canvas) {
  const PlanFacts* facts = state.shown_facts();
  if (facts == nullptr || !facts->stale) return;
  const Rect& area = state.camera.area;
  Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = canvas.device(area.left, area.top);
  const ImVec2 high = canvas.device(area.right, area.bottom);
  list.AddRectFilled(low, high, u32(with_alpha(ui.theme->card, 0.55)));
  record(ui, "chart.stale", low, high);
  const auto run = state.runs.find(state.shown_plan);
  const bool failed = run != state.runs.end() && run->second.stage == AllocatorRun::Stage::kFailed;
  std::string words = "Before the last change";
  if (failed) {
    words = State::title_of_plan(state.shown_plan) + " makes no plan: " + run->second.message;
  } else if (!state.tasks.idle() || state.editing.replan_at) {
    words = "Before the last change \u2022 planning again\xE2\x80\xA6";
    if (run != state.runs.end() && run->second.share > 0) words += fmt::format(" {:.0f} %", run->second.share * 100);
  }
  words = fitted(ui.fonts.small, words, high.x - low.x - ui.px(28));
  const float width = text_width(ui.fonts.small, words) + ui.px(16);
  const ImVec2 at(high.x - width - ui.px(6), low.y + ui.px(6));
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + ui.px(22)), u32(ui.theme->raised), ui.px(5));
  draw_text(ui, ui.fonts.small, ImVec2(at.x + ui.px(8), at.y + (ui.px(22) - font_height(ui.fonts.small)) / 2),
            failed ? ui.theme->bad : ui.theme->dim, words);
}

}  // namespace stowage
