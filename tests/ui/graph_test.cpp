#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/graph_view.h"
#include "ui/panels.h"
#include "ui/pipeline_panel.h"
#include "ui/replay.h"
#include "ui/state.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// The graph of the lecture: A is an input, B, C and G could run in place.
std::string lecture() {
  return R"({"name":"lecture",
 "tensors":[{"id":"A","bytes":4,"kind":"input"},{"id":"B","bytes":4},{"id":"C","bytes":4},{"id":"F","bytes":4},
            {"id":"E","bytes":4},{"id":"G","bytes":4}],
 "ops":[{"id":"b","type":"Sigmoid","in":["A"],"out":["B"],"inplace":[[0,0]]},
        {"id":"c","type":"Sigmoid","in":["B"],"out":["C"],"inplace":[[0,0]]},
        {"id":"f","type":"Pool","in":["B"],"out":["F"]},
        {"id":"e","type":"Pool","in":["C"],"out":["E"]},
        {"id":"g","type":"Mul","in":["E","F"],"out":["G"],"inplace":[[0,0],[1,0]]}],
 "inputs":["A"],"outputs":["G"]})";
}

struct OpenedGraph {
  testing::TemporaryFolder folder;
  UiDriver ui;

  OpenedGraph() {
    REQUIRE(ui.open(folder.write("lecture.json", lecture())));
    REQUIRE(ui.settle());
  }
  Workbench::State& state() { return ui.state(); }
  GraphView& view() { return state().part<GraphView>(); }
  PipelinePanel& pipeline() { return state().part<PipelinePanel>(); }
  void show(const std::string& panel) {
    state().push(action::ShowPanel{panel});
    REQUIRE(ui.settle());
  }
  void go(std::size_t position) {
    state().later([position](Workbench::State& s) {
      s.part<Replay>().playing = false;
      go_to_step(s, position);
    });
    ui.frames(3);
  }
  /// To the step that says this.
  void go_to(const std::string& words) {
    const Replay& replay = state().part<Replay>();
    std::size_t position = 0;
    while (position < replay.recording->size() && caption_at(replay, position) != words) ++position;
    go(position);
    CHECK(state().ui.words.find("player.caption")->second == words);
  }
};

}  // namespace

TEST_CASE("a graph opens with its panels behind the chart; they go with it") {
  OpenedGraph opened;
  CHECK(place_of(opened.state(), "graph").has_value());
  CHECK(place_of(opened.state(), "pipeline").has_value());
  CHECK(opened.ui.has("chart.canvas"));
  CHECK(opened.state().problem().size() == 4);  // G takes over E
  REQUIRE(opened.ui.open(opened.folder.write("small.csv", testing::small_problem())));
  REQUIRE(opened.ui.settle());
  CHECK_FALSE(place_of(opened.state(), "graph").has_value());
}

TEST_CASE("graph panel: a click on an op selects what it makes, a selection marks its op") {
  OpenedGraph opened;
  opened.show("graph");
  REQUIRE(opened.ui.has("graph.canvas"));
  const OpIndex f = opened.view().staged->graph.find_op("f");
  const Rect rect = rect_of_op(opened.view().layout, f, opened.view().camera);
  const ImVec2 low = opened.ui.point("graph.canvas", 0, 0);
  opened.ui.click(ImVec2(low.x + (rect.left + rect.right) / 2, low.y + (rect.top + rect.bottom) / 2));
  REQUIRE(opened.ui.settle());
  REQUIRE(opened.state().selection.size() == 1);
  CHECK(opened.state().problem().id(opened.state().selection[0]) == "F");
  const std::uint64_t built = opened.view().built;
  opened.ui.frames(5);
  CHECK(opened.view().built == built);  // nothing changes, nothing is made again
}

TEST_CASE("graph panel: columns and colours switch") {
  OpenedGraph opened;
  opened.show("graph");
  const std::int32_t layers = opened.view().layout.columns;
  opened.ui.click("graph.columns.steps");
  REQUIRE(opened.ui.settle());
  CHECK(opened.view().layout.columns == 5);
  CHECK(layers < 5);
  opened.ui.click("graph.colour.storage");
  REQUIRE(opened.ui.settle());
  CHECK(opened.view().colour == GraphColour::kStorage);
}

TEST_CASE("graph panel: the player gives out tags step by step as on the lecture's slide") {
  OpenedGraph opened;
  opened.show("graph");
  opened.ui.click("graph.walk");
  const Replay& replay = opened.state().part<Replay>();
  REQUIRE_MESSAGE(opened.ui.until([&] { return replay.ready(); }), replay.failure);
  CHECK(replay.playing);
  opened.go(replay.recording->size());
  REQUIRE(opened.view().moment.has_value());
  const Graph& graph = replay.recording->stage->before->graph;
  const auto tag = [&](std::string_view id) {
    return opened.view().moment->tags[graph.find_tensor(id)];
  };
  // Three tags for five values: E takes B's, G runs in place on E.
  CHECK(tag("E") == tag("B"));
  CHECK(tag("G") == tag("E"));
  CHECK(tag("C") != tag("B"));
  CHECK(tag("F") != tag("B"));
  CHECK(tag("F") != tag("C"));

  opened.go(0);
  CHECK(opened.view().moment->done == 0);
  CHECK(opened.view().told.empty());
  opened.ui.click("player.step_on");  // the phase
  opened.ui.click("player.step_on");
  CHECK(replay.position == 2);
  opened.go_to("B takes tag 1: new: the box is empty");
  CHECK(opened.view().moment->done == 1);
  CHECK(opened.view().moment->counters[graph.find_tensor("B")] == 2);  // C and F will read it
  CHECK(opened.view().told == std::vector<OpIndex>{graph.find_op("b")});
  opened.go_to("tag 1 of B goes back into the box: f was the last to read B");
  CHECK(opened.view().moment->free_tags == std::vector<std::int32_t>{1});
  opened.go_to("E takes tag 1: out of the box, where B lay last");
  CHECK(opened.view().moment->free_tags.empty());
  opened.ui.click("player.step_back");
  opened.ui.frames(2);
  CHECK(opened.view().moment->free_tags == std::vector<std::int32_t>{1});

  opened.ui.click("graph.walk");
  opened.ui.frames(3);
  CHECK_FALSE(replay.ready());
  CHECK(opened.view().played == nullptr);
}

TEST_CASE("graph panel: what a step is about is marked, in the graph and in the chart") {
  OpenedGraph opened;
  opened.show("graph");
  opened.ui.click("graph.walk");
  const Replay& replay = opened.state().part<Replay>();
  REQUIRE(opened.ui.until([&] { return replay.ready(); }));
  const auto borders = [&](const Scene& scene, const Color& color) {
    return std::count_if(scene.items.begin(), scene.items.end(), [&](const DrawItem& item) {
      const auto* border = std::get_if<draw::Border>(&item);
      return border != nullptr && border->color == color && border->width >= 2;
    });
  };
  opened.go_to("C takes tag 2: new: the box is empty");
  CHECK(borders(opened.view().scene, opened.state().ui.theme->warn) == 1);
  opened.show("chart");
  CHECK(borders(opened.state().map.scene, opened.state().ui.theme->accent) == 1);
  CHECK(opened.state().drawn_offsets() == opened.state().offsets());  // the plan stays
  // G lies in E's buffer, which is named after the older of the two.
  opened.go_to("G takes tag 1: in place on E, which only g still reads");
  const BufferIndex buffer = replay.recording->stage->buffer_at(replay.position);
  REQUIRE(buffer < opened.state().problem().size());
  CHECK(opened.state().problem().id(buffer) == "E");
  opened.go(0);
  CHECK(borders(opened.state().map.scene, opened.state().ui.theme->accent) == 0);
}

TEST_CASE("pipeline panel: switching a transform re-runs what depends on it and is one entry of the history") {
  OpenedGraph opened;
  opened.show("pipeline");
  REQUIRE(opened.ui.until([&] { return opened.pipeline().measured.has_value(); }));
  CHECK(opened.pipeline().measured->numbers.size() == 2);
  const std::int64_t with = opened.state().analysis.facts.naive;
  opened.ui.click("pipeline.0.on");
  REQUIRE(opened.ui.until([&] { return opened.state().problem().size() == 5; }));
  CHECK(opened.state().analysis.facts.naive == with + 4);
  CHECK_FALSE(opened.state().document.recipe.pipeline[0].on);
  CHECK(opened.state().editing.history.can_undo());
  opened.ui.press("Ctrl+Z");
  REQUIRE(opened.ui.settle());
  CHECK(opened.state().problem().size() == 4);
  CHECK(opened.state().document.recipe.pipeline[0].on);
}

TEST_CASE("pipeline panel: makespans are those of the allocator whose plan is shown") {
  OpenedGraph opened;
  opened.show("pipeline");
  REQUIRE(opened.ui.until([&] { return opened.pipeline().measured.has_value(); }));
  start_run(opened.state(), "first-fit-start", true);
  REQUIRE(opened.ui.until([&] { return opened.pipeline().measured->allocator == "first-fit-start"; }));
  CHECK(opened.pipeline().measured->numbers.size() == 2);
}

TEST_CASE("pipeline panel: optimizer state has a box of its own") {
  OpenedGraph opened;
  opened.show("pipeline");
  CHECK_FALSE(opened.state().document.recipe.lowering.state);
  opened.ui.click("pipeline.state");
  REQUIRE(opened.ui.until([&] { return opened.state().document.recipe.lowering.state; }));
}

TEST_CASE("edits of buffers keep the graph they came from") {
  OpenedGraph opened;
  const auto graph = opened.state().document.graph;
  opened.state().push(action::EditProblem{EditRequest{"Size of F", {edit::Size{0, 100}}, false}});
  REQUIRE(opened.ui.settle());
  CHECK(opened.state().document.graph == graph);
}
