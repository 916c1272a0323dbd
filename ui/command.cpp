#include "ui/command.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ui/board.h"
#include "ui/chart/spaces.h"
#include "ui/copying.h"
#include "ui/feature_commands.h"
#include "ui/key_hints.h"
#include "ui/open_lists.h"
#include "ui/panels.h"
#include "ui/plan_entries.h"
#include "ui/presentation.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

constexpr Command kCommands[] = {
#define STOWAGE_COMMAND(id, title, keys, group, help) {CommandId::id, #id, title, keys, group, help},
#include "ui/commands.def"
#undef STOWAGE_COMMAND
};

constexpr std::string_view kNoFile = "no file is open";
constexpr std::string_view kNoPlan = "there is no plan yet";

void take_settings(Workbench::State& state, const Settings& to) {
  apply(state, action::ChangeSettings{to});
}

void step_camera(Workbench::State& state, float right, float up) {
  Viewport to = state.camera;
  to.pan_pixels(-right * to.area.width() / 8, up * to.area.height() / 8);
  move_camera(state, to, true);
}

void zoom_camera(Workbench::State& state, double factor) {
  Viewport to = state.camera;
  to.zoom(Point{(to.area.left + to.area.right) / 2, (to.area.top + to.area.bottom) / 2}, factor, factor);
  move_camera(state, to, true);
}

void select_nearest(Workbench::State& state, Direction direction) {
  const auto next =
      nearest(state.problem(), *state.index(), state.drawn_offsets(), chart_view(state), state.chosen(), direction);
  if (next) apply(state, action::Select{{*next}, SelectMode::kReplace});
}

void show_other_plan(Workbench::State& state, int step) {
  const std::vector<std::string> plans = state.ranked_plans();
  const auto at = std::find(plans.begin(), plans.end(), state.shown_plan);
  const auto count = static_cast<int>(plans.size());
  const int now = at == plans.end() ? 0 : static_cast<int>(at - plans.begin());
  show_plan(state, plans[static_cast<std::size_t>((now + step + count) % count)], true);
}

void copy_selection(Workbench::State& state) {
  Result<std::string> csv = copied_csv(state);
  if (!csv) return state.complain("Not copied: " + csv.error().message);
  state.host.set_clipboard(*csv);
  const auto count = static_cast<std::int64_t>(state.selection.size());
  state.tell(fmt::format("Copied {} as CSV", count == 1 ? std::string("1 buffer") : format_count(count) + " buffers"));
}

/// Ends one thing, the innermost first: drag, open list, popup or find, presentation, selection.
void escape(Workbench::State& state) {
  if (state.gesture.dragging()) {
    if (state.gesture.kind() == GestureKind::kEdit) revoke_edit_drag(state);
    state.gesture.cancel();
  } else if (state.brush_part != 0) {
    state.brush_part = 0;
  } else if (close_list(state)) {
    return;
  } else if (state.popup != Popup::kNone) {
    state.popup = Popup::kNone;
  } else if (!state.query.empty() || !state.find_text.empty() || ImGui::GetIO().WantTextInput) {
    apply(state, action::SetQuery{""});
    state.find_text.clear();
  } else if (!end_presentation(state)) {
    const auto error =
        std::find_if(state.notices.rbegin(), state.notices.rend(), [](const Notice& n) { return n.error; });
    if (!state.selection.empty()) {
      apply(state, action::Select{{}, SelectMode::kReplace});
    } else if (error != state.notices.rend()) {
      apply(state, action::DismissNotice{error->id});
    }
  }
}

void cycle_unit(Workbench::State& state) {
  constexpr std::array<std::string_view, 5> units = {"auto", "B", "KiB", "MiB", "GiB"};
  const auto at = std::find(units.begin(), units.end(), state.settings.byte_unit);
  const std::size_t next = at == units.end() ? 0 : (static_cast<std::size_t>(at - units.begin()) + 1) % units.size();
  Settings to = state.settings;
  to.byte_unit = units[next];
  take_settings(state, to);
  state.tell(fmt::format("Bytes are shown in {}", next == 0 ? "the unit that fits" : units[next]));
}

void toggle_column(Workbench::State& state, const char* key) {
  Settings to = state.settings;
  double& hidden = to.layout[key];
  hidden = hidden != 0 ? 0 : 1;
  take_settings(state, to);
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command& command(CommandId id) {
  return kCommands[static_cast<std::size_t>(id)];
}

std::string_view why_disabled(const Workbench::State& state, CommandId id) {
  switch (id) {
    case CommandId::reload:
      return state.document.path.empty() ? kNoFile : "";
    case CommandId::save:
    case CommandId::save_as:
    case CommandId::export_picture:
    case CommandId::find:
    case CommandId::frame_all:
    case CommandId::zoom_in:
    case CommandId::zoom_out:
    case CommandId::pan_up:
    case CommandId::pan_left:
    case CommandId::pan_down:
    case CommandId::pan_right:
    case CommandId::run_all:
      return state.has_problem() ? "" : kNoFile;
    case CommandId::cancel_runs:
      return state.tasks.idle() ? "nothing is running" : "";
    case CommandId::best_plan:
    case CommandId::next_plan:
    case CommandId::previous_plan:
      return state.document.plans.empty() ? kNoPlan : "";
    case CommandId::undo:
      return state.editing.history.can_undo() ? "" : "nothing was changed";
    case CommandId::redo:
      return state.editing.history.can_redo() ? "" : "nothing was taken back";
    case CommandId::frame_selection:
    case CommandId::copy_selection:
      return state.selection.empty() ? "nothing is selected" : "";
    case CommandId::select_left:
    case CommandId::select_right:
    case CommandId::select_up:
    case CommandId::select_down:
      if (state.index() == nullptr) return kNoFile;
      return state.selection.empty() ? "nothing is selected" : "";
    case CommandId::view_back:
      return state.history.back.empty() ? "there is no view before" : "";
    case CommandId::view_forward:
      return state.history.forward.empty() ? "there is no view after" : "";
    case CommandId::find_next:
      return state.rows.matches == nullptr ? "nothing is searched for" : "";
    default:
      return why_feature_disabled(state, id);
  }
}

void run_command(Workbench::State& state, CommandId id) {
  if (!why_disabled(state, id).empty() || asks_first(state, id)) return;
  switch (id) {
    case CommandId::open:
      state.browser.show(state.document.path.empty() ? "." : folder_of(state.document.path));
      state.popup = Popup::kOpen;
      return;
    case CommandId::reload:
      return start_loading(state, state.document.path, true);
    case CommandId::save:
      if (state.document.facts.format == "stowage-json" && !state.document.path.empty()) {
        return save_document_to(state, state.document.path);
      }
      [[fallthrough]];
    case CommandId::save_as:
      return apply(state, action::ShowPopup{Popup::kSaveAs});
    case CommandId::export_picture:
      return apply(state, action::ShowPopup{Popup::kExport});
    case CommandId::undo:
      return go_to_entry(state, state.editing.history.position() - 1);
    case CommandId::redo:
      return go_to_entry(state, state.editing.history.position() + 1);
    case CommandId::edit_mode:
      if (!state.has_problem() && state.document.path.empty() && !state.editing.mode) return new_problem(state);
      state.editing.mode = !state.editing.mode;
      return;
    case CommandId::run_all:
      begin_request(state);
      for (const Allocator& allocator : allocators()) {
        if (!allocator.runs_unasked(state.problem())) continue;
        start_run(state, allocator.id, false);
        note_asked(state, allocator.id);
      }
      return;
    case CommandId::cancel_runs:
      state.tasks.cancel_all();
      for (auto& [name, run] : state.runs) {
        const bool active = run.stage == AllocatorRun::Stage::kWaiting || run.stage == AllocatorRun::Stage::kRunning;
        if (active) run = AllocatorRun{};
      }
      return;
    case CommandId::best_plan:
      return show_plan(state, state.ranked_plans().front(), true);
    case CommandId::next_plan:
      return show_other_plan(state, 1);
    case CommandId::previous_plan:
      return show_other_plan(state, -1);
    case CommandId::frame_selection:
      return apply(state, action::FrameBuffers{state.selection});
    case CommandId::frame_all:
      return show_everything(state, true);
    case CommandId::view_back:
      state.history.forward.push_back(state.camera);
      state.camera = state.history.back.back();
      state.history.back.pop_back();
      state.camera_home = false;
      return;
    case CommandId::view_forward:
      state.history.back.push_back(state.camera);
      state.camera = state.history.forward.back();
      state.history.forward.pop_back();
      state.camera_home = false;
      return;
    case CommandId::pan_up:
      return step_camera(state, 0, 1);
    case CommandId::pan_left:
      return step_camera(state, -1, 0);
    case CommandId::pan_down:
      return step_camera(state, 0, -1);
    case CommandId::pan_right:
      return step_camera(state, 1, 0);
    case CommandId::zoom_in:
      return zoom_camera(state, 1 / 1.25);
    case CommandId::zoom_out:
      return zoom_camera(state, 1.25);
    case CommandId::show_map:
    case CommandId::show_compare:
      state.centre = id == CommandId::show_map ? CentreView::kMap : CentreView::kCompare;
      return show_panel(state, "chart");
    case CommandId::select_left:
      return select_nearest(state, Direction::kLeft);
    case CommandId::select_right:
      return select_nearest(state, Direction::kRight);
    case CommandId::select_up:
      return select_nearest(state, Direction::kUp);
    case CommandId::select_down:
      return select_nearest(state, Direction::kDown);
    case CommandId::copy_selection:
      return copy_selection(state);
    case CommandId::find:
      state.focus_find = true;
      return;
    case CommandId::find_next:
      return go_to_match(state);
    case CommandId::escape:
      return escape(state);
    case CommandId::cycle_unit:
      return cycle_unit(state);
    case CommandId::cycle_hex: {
      Settings to = state.settings;
      to.hex_addresses = !to.hex_addresses;
      return take_settings(state, to);
    }
    case CommandId::toggle_theme: {
      Settings to = state.settings;
      to.theme = to.theme == "light" ? "dark" : "light";
      return take_settings(state, to);
    }
    case CommandId::toggle_left:
      return toggle_column(state, "left_hidden");
    case CommandId::toggle_right:
      return toggle_column(state, "right_hidden");
    case CommandId::layout_standard:
      return use_layout(state, "standard");
    case CommandId::layout_teach:
      return use_layout(state, "teach");
    case CommandId::layout_debug:
      return use_layout(state, "debug");
    case CommandId::layout_compare:
      return use_layout(state, "compare");
    case CommandId::palette:
      return apply(state, action::ShowPopup{Popup::kPalette});
    case CommandId::key_hints:
      return ask_for_key_hints(state);
    case CommandId::settings:
      return apply(state, action::ShowPopup{Popup::kSettings});
    case CommandId::fullscreen:
      return state.host.set_fullscreen(!state.host.fullscreen());
    default:
      return run_feature_command(state, id);
  }
}

}  // namespace stowage
