#include "ui/chart/side_gestures.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/chart/spaces.h"
#include "ui/comparing.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// The buffer of the open problem that one of the column is; kNoBuffer when it is gone or not known yet.
BufferIndex here_of(State& state, const ComparedSide& side, BufferIndex buffer) {
  if (!side.past || buffer == kNoBuffer) return buffer;
  const std::vector<BufferIndex>& here = differing_from(state, side).found->here;
  return buffer < here.size() ? here[buffer] : kNoBuffer;
}

/// The camera is everybody's; only the area that it is drawn in is the column's own.
void move_all(State& state, Viewport to) {
  to.area = state.camera.area;
  state.push(action::MoveCamera{to});
}

}  // namespace

void drive_column(State& state, const Canvas& canvas, const Viewport& view, const ComparedSide& side) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!canvas.hovered) return;
  if (const auto to = zoomed_by_wheel(view, canvas)) move_all(state, *to);
  if (ImGui::IsMouseDragging(0, 3) && ImGui::IsItemActive()) {
    Viewport to = view;
    to.pan_pixels(io.MouseDelta.x / canvas.scale, io.MouseDelta.y / canvas.scale);
    move_all(state, to);
  }
  if (!view.area.contains(canvas.mouse)) return;
  state.cursor_time = view.time_at(canvas.mouse.x);
  const std::uint16_t space = space_at(state, view, canvas.mouse);
  const Viewport lane = view_of_space(state, space, view);
  state.cursor_byte = lane.byte_at(canvas.mouse.y);
  const std::vector<std::int64_t>& offsets = offsets_of_side(side, space);
  const BufferIndex hit =
      pick(*side.problem, *side.analysis->indexes[space], offsets, lane, canvas.mouse, kPickTolerance);
  if (hit != kNoBuffer && !ImGui::IsMouseDown(0)) {
    tooltip(state.ui, fmt::format("{}\n{}\naddress {}", printable_utf8(side.problem->id(hit)),
                                  state.bytes((*side.problem)[hit].size), state.address(offsets[hit])));
  }
  if (ImGui::IsMouseDoubleClicked(0)) {
    const auto place = hit != kNoBuffer ? hull_of(*side.problem, offsets, {hit}) : std::nullopt;
    frame_clicked(state, here_of(state, side, hit), space, place);
  }
  const ImVec2 dragged = ImGui::GetMouseDragDelta(0, 3);
  if (ImGui::IsMouseReleased(0) && !ends_double_click() && dragged.x == 0 && dragged.y == 0) {
    const BufferIndex here = here_of(state, side, hit);
    const std::vector<BufferIndex> chosen =
        here == kNoBuffer ? std::vector<BufferIndex>{} : std::vector<BufferIndex>{here};
    state.push(action::Select{chosen, io.KeyCtrl ? SelectMode::kToggle : SelectMode::kReplace});
  }
}

}  // namespace stowage
