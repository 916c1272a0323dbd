#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/io/format.h"
#include "core/networks/network.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/graph_view.h"
#include "ui/pipeline_panel.h"
#include "ui/replay.h"
#include "ui/state.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// LeNet-5's training, and two gradients of weights that are sent at once: every transform finds something to do.
std::string training_with_collective() {
  const Graph graph = generate_network(*find_network("lenet5"), {{"training", "yes"}, {"batch", "4"}}).value();
  GraphInput input = graph.input();
  input.outputs.assign(graph.outputs().begin(), graph.outputs().end());
  Op reduce;
  reduce.id = "reduce";
  reduce.type = "AllReduce";
  reduce.backward = true;
  for (TensorIndex t = 0; t < graph.tensors().size() && reduce.in.size() < 2; ++t) {
    if (graph.tensor(t).kind != TensorKind::kWeightGradient) continue;
    Tensor sum;
    sum.id = graph.tensor(t).id + ".sum";
    sum.bytes = graph.tensor(t).bytes;
    reduce.in.push_back(t);
    reduce.out.push_back(input.add(std::move(sum)));
    input.outputs.push_back(reduce.out.back());
  }
  input.add(std::move(reduce));
  Document document;
  document.graph = std::make_shared<const Graph>(make_graph(std::move(input)).value());
  return find_format("graph-json")->write(document, {}).value();
}

struct StageBench {
  testing::TemporaryFolder folder;
  UiDriver ui{1600, 2400};  // every stage is in sight

  StageBench() {
    REQUIRE(ui.open(folder.write("lenet5.graph.json", training_with_collective())));
    REQUIRE(ui.settle());
  }
  Workbench::State& state() { return ui.state(); }
  Replay& replay() { return state().part<Replay>(); }
  GraphView& view() { return state().part<GraphView>(); }

  void use(const std::vector<PipelineStage>& pipeline) {
    GraphRecipe recipe = state().document.recipe;
    recipe.pipeline = pipeline;
    state().later([recipe](Workbench::State& s) { change_recipe(s, "Another pipeline", recipe); });
    REQUIRE(ui.until([&] { return state().document.recipe.pipeline == pipeline; }));
    REQUIRE(ui.settle());
  }
  /// The panel with its numbers: rows move when they come.
  void show_panel() {
    state().push(action::ShowPanel{"pipeline"});
    ui.frames(3);
    const auto& panel = state().part<PipelinePanel>();
    REQUIRE(ui.until([&] { return panel.measured.has_value() && panel.recipe == state().document.recipe; }));
    REQUIRE(ui.settle());
  }
  /// The button of a stage in the pipeline panel.
  void play(std::size_t stage) {
    show_panel();
    ui.click("pipeline." + std::to_string(stage) + ".steps");
    REQUIRE_MESSAGE(ui.until([&] { return replay().ready(); }), replay().failure);
    go(0);
  }
  void go(std::size_t position) {
    state().later([position](Workbench::State& s) {
      s.part<Replay>().playing = false;
      go_to_step(s, position);
    });
    ui.frames(3);
  }
};

}  // namespace

TEST_CASE("player: every registered transform is played from the pipeline panel, each step with words and marks") {
  StageBench bench;
  for (const Transform& transform : transforms()) {
    INFO(transform.id);
    bench.use({PipelineStage{transform.id, true, {}}});
    bench.play(0);
    const Recording& recording = *bench.replay().recording;
    REQUIRE(recording.stage.has_value());
    CHECK(bench.replay().title == transform.title);
    CHECK(recording.code != nullptr);
    CHECK_FALSE(recording.index.all(StepKind::kPhase).empty());
    bool marked = false;
    for (std::size_t position = 0; position <= recording.size(); ++position) {
      INFO(position);
      bench.go(position);
      CHECK(bench.ui.has("player.caption"));
      CHECK_FALSE(caption_at(bench.replay(), position).empty());
      CHECK(bench.state().ui.words.find("graph.caption")->second == caption_at(bench.replay(), position));
      marked = marked || !bench.view().told.empty();
    }
    CHECK(marked);
    CHECK(bench.ui.has("steps.body"));
    CHECK(bench.ui.has("decision"));
    bench.go(recording.size());
    bench.ui.click("player.step_back");
    CHECK(bench.replay().position == recording.size() - 1);
    bench.ui.click("player.phase_back");
    CHECK(bench.replay().position < recording.size() - 1);
    bench.ui.click(bench.ui.point("player.scrub", 0.999F, 0.8F));
    CHECK(bench.replay().position == recording.size());
    // The plan is drawn all the while.
    CHECK(bench.state().drawn_instead == nullptr);
  }
}

TEST_CASE("player: a stage is played on what the stages before it make, also when it is off") {
  StageBench bench;
  bench.use({PipelineStage{"optimizer", true, {}}, PipelineStage{"in-place", false, {}}});
  bench.play(1);
  const Graph& before = bench.replay().recording->stage->before->graph;
  CHECK(before.ops().size() > bench.state().document.graph->ops().size());
  CHECK(bench.view().layout.nodes.size() == before.ops().size());
  bench.play(0);
  CHECK(bench.replay().recording->stage->before->graph.ops().size() == bench.state().document.graph->ops().size());
}

TEST_CASE("player: another plan leaves the steps of a transform, another pipeline ends them") {
  StageBench bench;
  bench.use({PipelineStage{"in-place", true, {}}});
  bench.play(0);
  bench.state().push(action::RunAllocator{"first-fit-start"});
  REQUIRE(bench.ui.until([&] { return bench.state().shown_plan == "first-fit-start"; }));
  CHECK(bench.replay().ready());
  bench.use({PipelineStage{"sharing", true, {}}});
  CHECK_FALSE(bench.replay().ready());
  CHECK(bench.view().played == nullptr);
}

TEST_CASE("player: a transform that cannot be applied says why") {
  StageBench bench;
  bench.use({PipelineStage{"in-place", true, {}}, PipelineStage{"recompute", false, {}}});
  bench.show_panel();
  bench.ui.click("pipeline.1.steps");
  REQUIRE(bench.ui.until([&] { return !bench.replay().failure.empty(); }));
  CHECK_FALSE(bench.replay().ready());
  CHECK(bench.ui.has("player.record"));
}
