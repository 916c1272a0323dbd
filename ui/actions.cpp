#include <algorithm>
#include <cmath>
#include <utility>

#include "core/allocators/allocator.h"
#include "ui/chart/spaces.h"
#include "ui/panels.h"
#include "ui/plan_entries.h"
#include "ui/replay.h"
#include "ui/saving.h"
#include "ui/state.h"
#include "ui/unsaved.h"

namespace stowage {
namespace {

using State = Workbench::State;

/// Moves within this many seconds are one step of the view history.
constexpr double kOneMove = 0.5;
constexpr std::size_t kMostSelected = 10'000;

void select(State& state, const action::Select& what) {
  std::vector<BufferIndex> chosen;
  if (what.mode != SelectMode::kReplace) chosen = state.selection;
  if (what.mode == SelectMode::kReplace || what.buffers.size() > 1) {
    chosen.insert(chosen.end(), what.buffers.begin(), what.buffers.end());
    if (what.mode != SelectMode::kReplace) {
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
  } else {
    for (const BufferIndex i : what.buffers) {
      const auto at = std::find(chosen.begin(), chosen.end(), i);
      if (at == chosen.end()) {
        chosen.push_back(i);
      } else if (what.mode == SelectMode::kToggle) {
        chosen.erase(at);
      }
    }
  }
  // What was chosen while another file came in means nothing in it.
  std::erase_if(chosen, [&](BufferIndex i) { return !state.has_problem() || i >= state.problem().size(); });
  if (chosen.size() > kMostSelected) {
    chosen.resize(kMostSelected);
    state.tell("Selected the first " + format_count(static_cast<std::int64_t>(kMostSelected)) + " buffers of the box");
  }
  if (chosen == state.selection) return;
  state.selection = std::move(chosen);
  ++state.selection_revision;
  state.scroll_to_selection = !state.selection.empty();
}

void frame_range(State& state, std::uint16_t space, const Hull& range) {
  state.centre = CentreView::kMap;
  move_camera(state, view_of_range(state, space, range), true);
  state.history.last_move = -1e9;  // the next move is one of its own
}

void change_settings(State& state, Settings to) {
  to.ui_scale = std::clamp(to.ui_scale, 0.75, 3.0);
  state.settings = std::move(to);
}

void show_popup(State& state, Popup popup) {
  state.popup = popup;
  state.palette_text.clear();
  state.palette_row = 0;
  if (popup == Popup::kSaveAs) {
    const std::string& path = state.document.path;
    state.browser.show(path.empty() ? "." : folder_of(path));
    state.browser.path_text = joined(state.browser.folder, stem_of(state.document) + ".json");
    state.part<SaveSubject>() = SaveSubject{};
  }
  if (popup == Popup::kExport) {
    ExportForm& form = state.export_form;
    const std::string folder = state.document.path.empty() ? home_folder() : folder_of(state.document.path);
    constexpr const char* endings[] = {".png", ".svg", ".pdf"};
    form.path = joined(folder, stem_of(state.document) + endings[form.format]);
    form.theme = state.settings.theme == "light" ? 1 : 0;
  }
}

struct Applier {
  State& state;

  void operator()(const action::Invoke& what) const { run_command(state, what.id); }
  void operator()(const action::OpenPath& what) const {
    state.popup = Popup::kNone;
    when_saved(state, "opening another file", [path = what.path](State& s) { start_loading(s, path, false); });
  }
  void operator()(const action::Select& what) const { select(state, what); }
  void operator()(const action::MoveCamera& what) const { move_camera(state, what.to, true); }
  void operator()(const action::FrameBuffers& what) const {
    if (const auto hull = hull_of(state.problem(), state.offsets(), what.buffers)) {
      frame_range(state, space_of_buffer(state, what.buffers.front()), *hull);
    }
  }
  void operator()(const action::FrameRange& what) const {
    frame_range(state, what.space.value_or(state.space), Hull{what.start, what.end, what.low, what.high});
  }
  void operator()(const action::ShowPlan& what) const { show_plan(state, what.id, true); }
  void operator()(const action::RunAllocator& what) const {
    begin_request(state);
    start_run(state, what.id, true);
    note_asked(state, what.id);
  }
  void operator()(const action::CancelRun& what) const {
    state.tasks.cancel(what.id);
    state.runs[what.id] = AllocatorRun{};
  }
  void operator()(const action::SortBy& what) const {
    const bool numbers_fall = what.column == SortColumn::kSize || what.column == SortColumn::kLifetime ||
                              what.column == SortColumn::kAlignment;
    state.sort_descending = state.sort_column == what.column ? !state.sort_descending : numbers_fall;
    state.sort_column = what.column;
    state.first_row = 0;
  }
  void operator()(const action::SetQuery& what) const {
    if (state.query == what.text) return;
    state.query = what.text;
    state.find_text = what.text;
    state.first_row = 0;
  }
  void operator()(const action::ShowPopup& what) const { show_popup(state, what.popup); }
  void operator()(const action::ChangeSettings& what) const { change_settings(state, what.to); }
  void operator()(const action::SetSpace& what) const {
    state.space = what.space;
    if (!draws_all_spaces(state)) show_everything(state, false);
  }
  void operator()(const action::SaveTo& what) const {
    state.popup = Popup::kNone;
    save_as_asked(state, what);
  }
  void operator()(const action::ExportTo& what) const {
    state.popup = Popup::kNone;
    export_to(state, what);
  }
  void operator()(const action::EditProblem& what) const { edit_problem(state, what.request); }
  void operator()(const action::PlaceByHand& what) const { place_by_hand(state, what.offsets, what.drag); }
  void operator()(const action::GoToEntry& what) const { go_to_entry(state, what.entry); }
  void operator()(const action::RemovePlan& what) const { remove_plan(state, what.id); }
  void operator()(const action::MovePanel& what) const { move_panel(state, what.panel, what.place); }
  void operator()(const action::ShowPanel& what) const {
    show_panel(state, what.panel);
    if (what.panel == "player") state.part<Replay>().focused = true;  // as if it were clicked: the arrows are its own
  }
  void operator()(const action::UseLayout& what) const { use_layout(state, what.name); }
  void operator()(const action::Change& what) const { what.make(state); }
  void operator()(const action::DismissNotice& what) const {
    std::erase_if(state.notices, [&](const Notice& notice) { return notice.id == what.id; });
  }
};

}  // namespace

void apply(State& state, const Action& what) {
  std::visit(Applier{state}, what);
  state.settle_frames = 3;
}

void move_camera(State& state, const Viewport& to, bool remember) {
  if (to == state.camera) return;
  if (remember) {
    const double now = state.host.now();
    if (now - state.history.last_move > kOneMove) {
      state.history.back.push_back(state.camera);
      if (state.history.back.size() > ViewHistory::kMost) state.history.back.erase(state.history.back.begin());
      state.history.forward.clear();
    }
    state.history.last_move = now;
  }
  state.camera = to;
  state.camera_home = false;
}

void show_everything(State& state, bool remember) {
  const Viewport all = view_of_everything(state);
  if (remember) state.history.last_move = -1e9;
  move_camera(state, all, remember);
  state.history.last_move = -1e9;
  state.camera_home = true;
}

void show_plan(State& state, const std::string& id, bool by_user) {
  if (state.document.find_plan(id) == nullptr) return;
  state.user_chose_plan = state.user_chose_plan || by_user;
  if (state.shown_plan == id) return;
  state.shown_plan = id;
  ++state.plan_revision;
  state.hovered = kNoBuffer;
  describe_present(state);
  if (state.camera_home) show_everything(state, false);
}

void go_to_match(State& state) {
  const std::vector<BufferIndex>& order = state.rows.order;
  if (order.empty()) return;
  const auto at = std::find(order.begin(), order.end(), state.chosen());
  const std::size_t next = at == order.end() ? 0 : (static_cast<std::size_t>(at - order.begin()) + 1) % order.size();
  apply(state, action::Select{{order[next]}, SelectMode::kReplace});
  apply(state, action::FrameBuffers{{order[next]}});
}

}  // namespace stowage
