#include "tests/support/golden.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/hand.h"
#include "tests/ui/sample.h"
#include "ui/chart/minimap.h"
#include "ui/chart/spaces.h"
#include "ui/colours.h"
#include "ui/comparing.h"
#include "ui/filters.h"
#include "ui/guide.h"
#include "ui/op_panel.h"
#include "ui/pools_panel.h"
#include "ui/replay.h"
#include "ui/studies_panel.h"
#include "ui/views/view.h"

// Pictures of every panel and of what the chart can show, each compared with the one that somebody has looked at.
// STOWAGE_UPDATE_GOLDEN=1 writes them anew: look at each that has changed.

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr double kTolerance = 0.015;  // of the channels; letters differ a little between versions of FreeType
constexpr float kWidth = 640;
constexpr float kHeight = 460;

std::string sample(const std::string& name) {
  return std::string(STOWAGE_SOURCE_DIR) + "/samples/" + name;
}

Bitmap cut(const Bitmap& from, const Ui::Box& box) {
  const auto bound = [](float value, int most) {
    return std::clamp(static_cast<int>(value), 0, most);
  };
  const int left = bound(box.low.x, from.width);
  const int right = bound(box.high.x, from.width);
  const int top = bound(box.low.y, from.height);
  const int bottom = bound(box.high.y, from.height);
  Bitmap part{right - left, bottom - top, {}};
  for (int y = top; y < bottom; ++y) {
    const auto row = from.pixels.begin() + static_cast<std::ptrdiff_t>(y) * from.width;
    part.pixels.insert(part.pixels.end(), row + left, row + right);
  }
  return part;
}

/// A window with one problem in it, small enough for pictures.
class Studio {
 public:
  explicit Studio(float width = kWidth, float height = kHeight, float scale = 1) : ui(width, height, {}, scale) {}

  UiDriver ui;
  Workbench::State& state() { return ui.state(); }

  void open(const std::string& path) { REQUIRE(ui.open(path)); }
  void run(CommandId id) {
    state().push(action::Invoke{id});
    ui.frames(3);
  }
  void show_plan(const std::string& id) {
    if (state().document.find_plan(id) == nullptr) state().push(action::RunAllocator{id});
    REQUIRE(ui.settle());
    state().push(action::ShowPlan{id});
    REQUIRE(ui.settle());
  }
  void select(std::vector<BufferIndex> buffers) {
    state().push(action::Select{std::move(buffers), SelectMode::kReplace});
    ui.frames(3);
  }
  void edit(const std::string& label, Edit what) {
    EditRequest request;
    request.label = label;
    request.edits.push_back(std::move(what));
    state().push(action::EditProblem{std::move(request)});
    REQUIRE(ui.settle());
  }
  /// Nothing in the window but these panels, each where it is told: {"steps", "centre 1"}.
  void only(const std::vector<std::pair<std::string, std::string>>& panels) {
    Settings to = state().settings;
    for (const View& view : views()) {
      if (view.place == ViewPlace::kPanel) to.panels[std::string(view.name)] = "hidden";
    }
    for (const auto& [panel, place] : panels) to.panels[panel] = place;
    state().push(action::ChangeSettings{to});
    REQUIRE(ui.settle());
    ui.move(ImVec2(1, 1));
  }
  void alone(const std::string& panel) { only({{panel, "centre 1"}}); }
  /// How long allocators took is another time each time.
  void fix_times() {
    double seconds = 0.0007;
    for (auto& [id, facts] : state().plan_facts) {
      if (facts.seconds >= 0) facts.seconds = seconds *= 1.25;
    }
    ++state().plan_revision;
    ui.frames(3);
  }
  /// What lies in a widget, compared with tests/golden/NAME_THEME.png.
  void compare(const std::string& name, const std::string& widget, std::initializer_list<const char*> themes) {
    for (const char* theme : themes) {
      Settings to = state().settings;
      to.theme = theme;
      state().push(action::ChangeSettings{to});
      ui.frames(3);
      state().notices.clear();
      REQUIRE(ui.settle());
      const std::string full = name + "_" + theme;
      CAPTURE(full);
      const Bitmap whole = ui.screenshot();
      const auto box = state().ui.widgets.find(widget);
      REQUIRE(box != state().ui.widgets.end());
      const Bitmap shot = cut(whole, box->second);
      CHECK(shot.width <= 640);
      const std::string path = folder_.file(full + ".png");
      write_png(shot, path);
      std::ifstream file(path, std::ios::binary);
      const std::string png{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      CHECK(difference_from_golden(full, png) < kTolerance);
    }
  }
  void panel(const std::string& name, std::initializer_list<const char*> themes = {"dark", "light"}) {
    alone(name);
    compare("panel_" + name, name, themes);
  }

 private:
  TemporaryFolder folder_;
};

/// A network with three plans, a buffer selected, and some edits behind it.
void prepare_network(Studio& studio) {
  studio.open(sample("residual_net.json"));
  for (const char* id : {"naive", "first-fit-start", "skyline", "first-fit-size"}) studio.show_plan(id);
  studio.select({5});
}

}  // namespace

TEST_CASE("golden: panels of a network") {
  Studio studio;
  prepare_network(studio);
  studio.fix_times();
  for (const char* name : {"buffers", "chart", "load", "inspector"}) studio.panel(name);
  for (const char* name : {"allocators", "peaks", "why", "scatter"}) studio.panel(name, {"dark"});
  studio.state().part<Comparing>().other = "skyline";
  ++studio.state().look_revision;
  studio.state().later([](Workbench::State& s) { choose_pool(s, "bfc"); });
  studio.panel("pools", {"light"});
  studio.panel("side_by_side", {"dark"});
  studio.panel("differences", {"light"});
}

TEST_CASE("golden: what if, history and issues") {
  Studio studio;
  studio.open(sample("conv_net.csv"));
  studio.show_plan("first-fit-size");
  studio.panel("what_if");
  const Buffer b = studio.state().problem()[3];
  studio.edit("Twice as large", edit::Size{3, b.size * 2});
  studio.edit("Longer", edit::Lifetime{3, b.start, b.end + 2});
  studio.panel("history", {"dark"});
  studio.panel("history_curve", {"light"});

  Studio faulty;
  faulty.open(sample("faulty_plan.csv"));
  faulty.panel("issues", {"light"});
  faulty.panel("reading", {"dark"});
}

TEST_CASE("golden: the player and its panels at a step of the boxes") {
  Studio studio;
  studio.open(sample("conv_net.csv"));
  studio.show_plan("first-fit-size");
  studio.run(CommandId::record_steps);
  REQUIRE(studio.ui.settle());
  const auto go = [&](double share) {
    studio.state().later([share](Workbench::State& s) {
      const auto last = static_cast<double>(s.part<Replay>().recording->size());
      go_to_step(s, static_cast<std::size_t>(share * last));
    });
    REQUIRE(studio.ui.settle());
  };
  go(0.6);
  studio.panel("player", {"dark"});
  for (const char* name : {"steps", "decision"}) {
    studio.only({{name, "centre 1"}, {"player", "bottom 1"}});
    studio.compare(std::string("panel_") + name, name, {"light"});
  }
  studio.show_plan("idealloc");
  studio.only({{"boxes", "centre 1"}, {"player", "bottom 1"}});
  studio.run(CommandId::record_steps);
  REQUIRE(studio.ui.settle());
  studio.ui.click("boxes.force");
  REQUIRE(studio.ui.settle());
  go(1);
  studio.compare("panel_boxes", "boxes", {"dark"});
}

TEST_CASE("golden: an operator graph and what becomes of it") {
  Studio studio;
  const TemporaryFolder folder;
  // The lecture's graph on two streams.
  studio.open(folder.write("lecture.json", R"({"name":"lecture",
 "tensors":[{"id":"A","shape":[64,64],"kind":"input"},{"id":"B","shape":[64,64]},{"id":"C","shape":[64,64]},
            {"id":"F","shape":[32,32]},{"id":"E","shape":[32,32]},{"id":"G","shape":[32,32]}],
 "ops":[{"id":"b","type":"Sigmoid","in":["A"],"out":["B"],"inplace":[[0,0]]},
        {"id":"c","type":"Sigmoid","in":["B"],"out":["C"],"inplace":[[0,0]]},
        {"id":"f","type":"Pool","in":["B"],"out":["F"],"stream":1},{"id":"e","type":"Pool","in":["C"],"out":["E"]},
        {"id":"g","type":"Mul","in":["E","F"],"out":["G"],"inplace":[[0,0],[1,0]]}],
 "inputs":["A"],"outputs":["G"]})"));
  studio.panel("graph", {"dark"});
  studio.panel("pipeline", {"light"});
  studio.state().later([](Workbench::State& s) { look_at_op(s, "g"); });
  studio.panel("op", {"dark"});
  studio.panel("reuse", {"dark"});
  studio.state().later([](Workbench::State& s) { start_study(s, "batch", "lenet5"); });
  studio.panel("studies", {"dark"});
}

TEST_CASE("golden: what the chart can show") {
  Studio studio;
  studio.open(sample("scratchpad.json"));
  studio.alone("chart");
  studio.run(CommandId::stack_spaces);
  REQUIRE(studio.ui.settle());
  studio.compare("chart_spaces", "chart", {"dark", "light"});

  Studio far;
  const TemporaryFolder folder;
  far.open(
      folder.write("segments.csv",
                   "id,lower,upper,size,offset\nlow,0,6,65536,0\nlow too,4,9,65536,65536\n"
                   "high,1,5,65536,3298534883328\nhigh too,5,9,131072,3298534883328\nalone,2,8,65536,9895604649984\n"));
  far.alone("chart");
  far.compare("chart_gaps", "chart", {"dark"});

  Studio network;
  prepare_network(network);
  network.alone("chart");
  network.run(CommandId::minimap);
  for (int k = 0; k < 3; ++k) network.run(CommandId::zoom_in);
  network.ui.move(ImVec2(1, 1));
  network.compare("chart_minimap", "chart", {"dark"});
  network.run(CommandId::minimap);
  network.run(CommandId::frame_all);
  network.state().push(action::SetQuery{"kind:weight"});
  network.ui.frames(3);
  network.compare("chart_filtered", "chart", {"light"});
  network.state().push(action::SetQuery{""});
  network.state().later([](Workbench::State& s) {
    choose_colouring(s, ColourBy::kLifetime);
    choose_palette(s, palettes().back().id);
  });
  network.ui.frames(3);
  network.compare("chart_coloured", "chart", {"light"});
  network.state().centre = CentreView::kCompare;
  network.compare("chart_compare", "chart", {"dark"});
}

TEST_CASE("golden: editing, the empty board and the welcome") {
  Studio studio;
  studio.alone("chart");
  studio.ui.move(ImVec2(1, 1));
  studio.compare("chart_welcome", "chart", {"dark"});
  studio.run(CommandId::new_problem);
  studio.compare("chart_board", "chart", {"light"});
  studio.alone("buffers");
  studio.compare("panel_buffers_board", "buffers", {"dark"});
  studio.alone("allocators");
  studio.compare("panel_allocators_board", "allocators", {"light"});

  Studio edited;
  edited.open(sample("five.csv"));
  edited.show_plan("first-fit-size");
  edited.alone("chart");
  edited.run(CommandId::edit_mode);
  edited.select({1});
  const Hand hand{edited.ui};
  hand.press(hand.middle(1));
  const ImVec2 from = hand.middle(1);
  hand.move(ImVec2(from.x, from.y - 12));
  hand.move(ImVec2(from.x, from.y - 40));
  edited.compare("chart_edit", "chart", {"dark"});
  hand.release();
}

TEST_CASE("golden: two pixels for each logical one") {
  Studio studio(kWidth / 2, kHeight / 2, 2);
  prepare_network(studio);
  studio.fix_times();
  studio.alone("chart");
  studio.compare("twice_chart", "chart", {"dark", "light"});
  studio.alone("buffers");
  studio.compare("twice_buffers", "buffers", {"light"});
  studio.alone("inspector");
  studio.compare("twice_inspector", "inspector", {"dark"});
}

TEST_CASE("golden: presentation") {
  Studio studio;
  prepare_network(studio);
  studio.run(CommandId::presentation);
  studio.ui.move(ImVec2(1, 1));
  REQUIRE(studio.ui.settle());
  studio.compare("presentation", "chart", {"dark"});
}

TEST_CASE("golden: letters on what can be clicked") {
  Studio studio;
  prepare_network(studio);
  studio.fix_times();
  studio.alone("allocators");
  studio.run(CommandId::key_hints);
  studio.compare("hints", "allocators", {"dark", "light"});
}

TEST_CASE("golden: dialogs") {
  Studio studio;
  prepare_network(studio);
  const auto dialog = [&](CommandId id, const char* name, const char* theme) {
    studio.run(id);
    studio.compare(std::string("dialog_") + name, "dialog", {theme});
    studio.state().push(action::ShowPopup{Popup::kNone});
    studio.ui.frames(3);
  };
  dialog(CommandId::palette, "palette", "dark");
  studio.run(CommandId::export_picture);
  studio.state().export_form.path = "residual_net.png";  // not where this machine has it
  studio.compare("dialog_export", "dialog", {"dark"});
  studio.state().push(action::ShowPopup{Popup::kNone});
  studio.ui.frames(3);
  dialog(CommandId::settings, "settings", "light");
  dialog(CommandId::help, "keys", "dark");
  studio.ui.move(ImVec2(kWidth / 2, kHeight / 2));
  dialog(CommandId::guide, "guide", "light");
  studio.edit("Twice as large", edit::Size{3, 2 * studio.state().problem()[3].size});
  dialog(CommandId::new_problem, "question", "light");
}
