#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/plan_scene.h"
#include "core/chart/scene.h"
#include "core/chart/theme.h"
#include "core/chart/viewport.h"
#include "core/tasks/background.h"
#include "core/tasks/plan_task.h"
#include "ui/action.h"
#include "ui/editing.h"
#include "ui/file_browser.h"
#include "ui/gesture.h"
#include "ui/loading.h"
#include "ui/parts.h"
#include "ui/relations.h"
#include "ui/rows.h"
#include "ui/widgets.h"

namespace stowage {

/// A line shown over the window: news for a few seconds, errors until they are dismissed.
struct Notice {
  static constexpr double kSeconds = 4;
  std::uint64_t id = 0;
  bool error = false;
  std::string text;
  double since = 0;
  std::string offer;                            // on a button that helps: "Leave bad rows out"; empty: none
  std::function<void(Workbench::State&)> help;  // what it does
};

/// How it stands with one allocator and the open problem.
struct AllocatorRun {
  enum class Stage { kIdle, kWaiting, kRunning, kDone, kFailed };
  Stage stage = Stage::kIdle;
  double share = 0;
  std::string message;      // why it failed
  bool show_after = false;  // somebody clicked it
};

/// Everything that the scene of the chart depends on; the scene is made again only when this changes.
struct MapKey {
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::uint64_t selection_revision = 0;
  std::uint64_t rows_revision = 0;
  std::uint64_t font_revision = 0;
  std::uint64_t look_revision = 0;
  std::uint16_t space = 0;
  Viewport view;
  float width = 0;
  float height = 0;
  float scale = 1;
  bool dark = true;
  std::string unit;
  bool hex = false;
  bool operator==(const MapKey&) const = default;
};

/// A scene with the key it was made for.
struct CachedScene {
  MapKey key;
  Scene scene;
  SceneStats stats;
  std::uint64_t built = 0;  // how often; tests count it
};

/// Views before and after the shown one.
struct ViewHistory {
  static constexpr std::size_t kMost = 200;
  std::vector<Viewport> back;
  std::vector<Viewport> forward;
  double last_move = -1e9;
};

struct ExportForm {
  std::string path;
  int format = 0;  // PictureFormat
  int width = 1600;
  int height = 1000;
  float scale = 2;
  int theme = 0;  // 0 dark, 1 light
  bool labels = true;
  bool visible_part = false;
};

/// Answer of a save or an export in the background.
struct WrittenFile {
  Result<void> result;
  std::string path;
  bool is_document = false;
  std::uint64_t present = 0;  // of the history, when the document was handed over
  std::uint64_t opened = 0;   // Editing::opened at that time
  std::string note = {};      // what a reader should know of the file; empty: nothing
};

struct Workbench::State {
  State(Host& host, std::string config_folder);

  Host& host;
  std::string config_folder;
  Settings settings;
  Settings stored_settings;
  bool keep_settings = true;  // false when the file could not be read: it is not overwritten

  Ui ui;
  std::vector<Action> pending;
  template <typename What>
  void push(What what) {
    pending.emplace_back(std::move(what));
  }

  /// Changes the state after drawing, like an action that nobody else needs.
  void later(std::function<void(State&)> change) { push(action::Change{std::move(change)}); }

  /// State of a feature, see Parts.
  template <typename Part>
  Part& part() {
    return parts.get<Part>();
  }
  template <typename Part>
  const Part& part() const {
    return parts.get<Part>();
  }
  mutable Parts parts;

  // The open file. Revisions grow with each change and stand for the value in keys of caches.
  Document document;
  Analysis analysis;
  std::map<std::string, PlanFacts> plan_facts;
  std::string shown_plan;  // id; empty: none
  bool user_chose_plan = false;
  std::uint64_t problem_revision = 0;
  std::uint64_t plan_revision = 0;
  std::uint16_t space = 0;

  Background<Result<LoadedFile>> loading;
  std::string loading_path;
  bool loading_again = false;  // reload: selection, view and filter stay
  PlanTasks tasks;
  std::map<std::string, AllocatorRun> runs;
  Editing editing;
  Background<WrittenFile> writing;

  // Selection, filter, order of the table.
  std::vector<BufferIndex> selection;  // the last one is the one the inspector shows
  std::uint64_t selection_revision = 0;
  std::string query;
  std::string query_error;
  SortColumn sort_column = SortColumn::kSize;
  bool sort_descending = true;
  Rows rows;
  std::uint64_t rows_revision = 0;
  Background<Rows> sorting;
  RowsRequest sorting_for;
  std::size_t first_row = 0;
  bool scroll_to_selection = false;
  Relations relations;
  Background<Relations> relating;

  // The chart.
  /// Offsets that are drawn instead of the plan's: a step of a replay, rectangles on their way; null: the plan's.
  std::shared_ptr<const std::vector<std::int64_t>> drawn_instead;
  std::uint64_t look_revision = 0;  // grows when colours, marks or drawn_instead change
  CentreView centre = CentreView::kMap;
  Viewport camera;
  bool camera_home = true;  // shows everything, also after the next plan
  ViewHistory history;
  Gesture gesture;
  BufferIndex hovered = kNoBuffer;
  std::optional<double> cursor_time;
  std::optional<double> cursor_byte;
  CachedScene map;
  CachedScene load;
  CachedScene compare;
  int brush_part = 0;  // what of the brush is dragged: 0 nothing, 1 left, 2 right, 3 whole, 4 a new one
  double brush_anchor = 0;

  Popup popup = Popup::kNone;
  Popup popup_before = Popup::kNone;
  bool focus_find = false;
  std::string find_text;
  std::string palette_text;
  int palette_row = 0;
  FileBrowser browser;
  ExportForm export_form;

  std::vector<Notice> notices;
  std::uint64_t next_notice = 1;
  int settle_frames = 3;  // Dear ImGui needs a few after a change
  std::uint64_t font_revision = 0;
  void* known_font = nullptr;

  // Questions that many views ask.
  const Problem& problem() const { return *document.problem; }
  bool has_problem() const { return problem().size() > 0; }
  const Plan* plan() const { return shown_plan.empty() ? nullptr : document.find_plan(shown_plan); }
  const PlanFacts* facts_of(const std::string& plan_id) const;
  const PlanFacts* shown_facts() const { return facts_of(shown_plan); }
  /// The facts of the space that is shown: what the chart, the load curve and the inspector speak of.
  const ProblemMetrics& space_facts() const;
  const PlanMetrics& space_metrics(const PlanFacts& plan) const;
  const std::vector<std::int64_t>& offsets() const;
  /// The same with kNoOffset for whatever the plan puts into another space than the shown one.
  const std::vector<std::int64_t>& drawn_offsets() const;
  const ChartIndex* index() const;
  const std::vector<LoadPoint>& curve() const;
  BufferIndex chosen() const { return selection.empty() ? kNoBuffer : selection.back(); }
  bool is_selected(BufferIndex i) const;
  ByteUnit byte_unit() const;
  AddressStyle address_style() const { return settings.hex_addresses ? AddressStyle::kHex : AddressStyle::kUnits; }
  std::string bytes(std::int64_t count) const;
  std::string address(std::int64_t byte) const;
  std::string time_unit(std::int64_t count) const;
  /// Ids of plans that can be shown, smallest makespan first.
  std::vector<std::string> ranked_plans() const;
  /// The title of an allocator or plan for people.
  static std::string title_of_plan(const std::string& id);

  void tell(std::string text);
  void complain(std::string text);
};

/// Starts reading; the open document stays until the new one is there.
void start_loading(Workbench::State& state, const std::string& path, bool again);
/// Everything shown again; remembers the view before when it was another one.
void show_everything(Workbench::State& state, bool remember);
void move_camera(Workbench::State& state, const Viewport& to, bool remember);
void show_plan(Workbench::State& state, const std::string& id, bool by_user);
/// The allocator that plans what has no plan yet.
inline constexpr const char* kFirstAllocator = "first-fit-size";
void start_run(Workbench::State& state, const std::string& allocator, bool show_after);
/// Starts what the state now needs: rows, relations.
void refresh_derived(Workbench::State& state);
void go_to_match(Workbench::State& state);
void save_document_to(Workbench::State& state, const std::string& path);
void export_to(Workbench::State& state, const action::ExportTo& request);
void remember_recent(Workbench::State& state, const std::string& path);
void store_settings(Workbench::State& state);

}  // namespace stowage
