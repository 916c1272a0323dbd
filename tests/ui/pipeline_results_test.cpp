#include "ui/pipeline_results.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "core/document/losses.h"
#include "core/io/format.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/comparing.h"
#include "ui/key_hints.h"
#include "ui/pipeline_panel.h"
#include "ui/saving.h"
#include "ui/unsaved.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// Two results can lie over what their ops read; the memory of A serves again later on.
struct OpenedPipeline {
  TemporaryFolder folder;
  UiDriver ui{1600, 2400};  // every stage is in sight

  OpenedPipeline() {
    REQUIRE(ui.open(folder.write("net.graph.json", R"({"name":"net",
 "pipeline":[{"transform":"in-place"},{"transform":"sharing"}],
 "tensors":[{"id":"X","bytes":64,"kind":"input"},{"id":"A","bytes":64},{"id":"B","bytes":64},{"id":"C","bytes":32},
            {"id":"D","bytes":32},{"id":"E","bytes":32},{"id":"Y","bytes":32}],
 "ops":[{"id":"conv1","type":"Conv","in":["X"],"out":["A"]},
        {"id":"relu1","type":"Relu","in":["A"],"out":["B"],"inplace":[[0,0]]},
        {"id":"pool","type":"Pool","in":["B"],"out":["C"]},
        {"id":"conv2","type":"Conv","in":["C"],"out":["D"]},
        {"id":"relu2","type":"Relu","in":["D"],"out":["E"],"inplace":[[0,0]]},
        {"id":"last","type":"Conv","in":["E"],"out":["Y"]}],
 "inputs":["X"],"outputs":["Y"]})")));
    REQUIRE(ui.settle());
    state().push(action::ShowPanel{"pipeline"});
    REQUIRE(ui.until([&] { return state().part<PipelinePanel>().measured.has_value(); }));
    REQUIRE(ui.settle());
    begun = state().document;
  }
  Workbench::State& state() { return ui.state(); }
  /// The document with only the first stages of its pipeline.
  Document with_stages(std::size_t stages) const {
    GraphRecipe recipe = begun.recipe;
    recipe.pipeline.resize(stages);
    RunContext context;
    auto document = remade(begun, *begun.graph, recipe, context);
    REQUIRE_MESSAGE(document.has_value(), document.error().message);
    return std::move(*document);
  }
  void open(const std::string& widget) {
    const std::uint64_t opened = state().editing.opened;
    ui.click(widget);
    REQUIRE(ui.until([&] { return state().editing.opened != opened; }));
    REQUIRE(ui.settle());
  }
  /// What a file that was written opens as.
  Document written(const std::string& path) {
    REQUIRE(ui.settle());
    const auto document = open_document(path, ReadOptions{});
    REQUIRE_MESSAGE(document.has_value(), document.error().message);
    return *document;
  }
  Document begun;
};

}  // namespace

TEST_CASE("pipeline results: the graph after a stage opens as a document of its own with a plan") {
  OpenedPipeline o;
  const Document expected = o.with_stages(1);
  o.open("pipeline.0.open");
  const Document& now = o.state().document;
  CHECK(title_of(now) == "net after in-place");
  CHECK(now.path.empty());
  CHECK(now.recipe.pipeline == expected.recipe.pipeline);
  CHECK(losses(expected, now).empty());
  CHECK(now.problem->size() == expected.problem->size());
  CHECK(now.problem->size() < o.with_stages(0).problem->size());
  REQUIRE(now.plans.size() == 1);
  CHECK(o.state().shown_plan == now.plans[0].id);
  REQUIRE(o.state().shown_facts() != nullptr);
  CHECK(o.state().shown_facts()->report.valid());
  CHECK(now.facts.warnings.empty());
  CHECK(is_dirty(o.state()));  // no file has it
}

TEST_CASE("pipeline results: the graph as given opens without stages, buffers without a graph") {
  OpenedPipeline given;
  const Document bare = given.with_stages(0);
  given.open("pipeline.given.open");
  CHECK(title_of(given.state().document) == "net as given");
  CHECK(given.state().document.recipe.pipeline.empty());
  CHECK(losses(bare, given.state().document).empty());

  OpenedPipeline buffers;
  const std::size_t count = buffers.state().problem().size();
  buffers.open("pipeline.buffers.open");
  CHECK(title_of(buffers.state().document) == "net buffers");
  CHECK(buffers.state().document.graph == nullptr);
  CHECK(buffers.state().problem().size() == count);
  CHECK(buffers.state().document.plans.size() == 1);
}

TEST_CASE("pipeline results: what a graph cannot hold is a warning") {
  OpenedPipeline o;
  REQUIRE_FALSE(o.state().document.staged->storages.empty());
  o.open("pipeline.1.open");
  CHECK(title_of(o.state().document) == "net after sharing");
  CHECK(o.state().document.facts.warnings.size() == 1);
}

TEST_CASE("pipeline results: changes that would be lost are asked about before a stage opens") {
  OpenedPipeline o;
  o.state().push(action::EditProblem{EditRequest{"Another size", {edit::Size{0, 100}}, false}});
  REQUIRE(o.ui.settle());
  const std::uint64_t opened = o.state().editing.opened;
  o.ui.click("pipeline.0.open");
  REQUIRE(o.ui.until([&] { return o.state().popup == Popup::kQuestion; }));
  CHECK(o.state().editing.opened == opened);
  o.ui.frames(3);
  o.ui.click("question.discard");
  REQUIRE(o.ui.settle());
  CHECK(title_of(o.state().document) == "net after in-place");
}

TEST_CASE("pipeline results: a stage lies beside the present, and goes with its graph") {
  OpenedPipeline o;
  const Document bare = o.with_stages(0);
  o.ui.click("pipeline.given.compare");
  REQUIRE(o.ui.until([&] { return o.ui.has("side.canvas.1"); }));
  REQUIRE(o.ui.settle());
  auto side = compared_side(o.state());
  REQUIRE(side.has_value());
  CHECK(side->past);
  CHECK(title_of_side(o.state(), side->key) == "As given");
  CHECK(side->problem->size() == bare.problem->size());
  REQUIRE(side->facts != nullptr);
  CHECK(side->facts->report.valid());
  const Differences& found = differences(o.state());
  CHECK(found.changes.removed > 0);  // what lies over another buffer now
  CHECK(bare.problem->size() - found.changes.removed + found.changes.added == o.state().problem().size());
  // A second one joins the list; the first stays in it.
  o.state().push(action::ShowPanel{"pipeline"});
  o.ui.frames(3);
  const std::string first = side->key;
  o.ui.click("pipeline.0.compare");
  REQUIRE(o.ui.until([&] { return o.state().part<Comparing>().other != first; }));
  CHECK(title_of_side(o.state(), o.state().part<Comparing>().other).starts_with("After "));
  CHECK(compared_points(o.state()).size() == 2);
  CHECK(compared_point(o.state(), first) != nullptr);
  // Nothing is exchanged: a point is no state of the document.
  const std::string shown = o.state().shown_plan;
  swap_plans(o.state());
  CHECK(o.state().shown_plan == shown);
  // With another pipeline they are none of its points.
  GraphRecipe recipe = o.state().document.recipe;
  recipe.pipeline.clear();
  change_recipe(o.state(), "No stages", recipe);
  REQUIRE(o.ui.settle());
  CHECK(compared_points(o.state()).empty());
  side = compared_side(o.state());
  CHECK((!side || compared_point(o.state(), side->key) == nullptr));
}

TEST_CASE("pipeline results: a stage is exported as a graph, as native JSON and as CSV, and reads back") {
  OpenedPipeline o;
  const Document expected = o.with_stages(1);
  o.ui.click("pipeline.0.export");
  o.ui.frames(3);
  REQUIRE(o.state().popup == Popup::kSaveAs);
  const std::string path = o.folder.file("net after in-place.graph.json");
  CHECK(o.state().browser.path_text == path);
  CHECK(o.ui.has("save_as.graph.settled"));
  o.ui.click("save_as.save");
  const Document graph = o.written(path);
  CHECK(losses(expected, graph).empty());
  CHECK(graph.recipe.pipeline == expected.recipe.pipeline);
  CHECK(graph.problem->size() == expected.problem->size());
  // The open document is the one that it was.
  CHECK(o.state().document.graph == o.begun.graph);
  CHECK(o.state().document.path == o.begun.path);

  const auto point = std::make_shared<const PipelinePoint>(pipeline_point(o.state(), 1, false));
  const auto whole_point = document_at(*point, {});
  REQUIRE(whole_point.has_value());
  for (const char* name : {"stage.json", "stage.csv"}) {
    CAPTURE(name);
    o.state().push(action::SaveTo{o.folder.file(name), false, point});
    o.ui.frames(2);
    const Document read = o.written(o.folder.file(name));
    CHECK(read.problem->size() == expected.problem->size());
    REQUIRE(read.plans.size() == 1);
    CHECK(read.plans[0].offsets == whole_point->plans[0].offsets);
  }
  const Document native = o.written(o.folder.file("stage.json"));
  CHECK(losses(*whole_point, native).empty());
  CHECK(native.recipe.pipeline == expected.recipe.pipeline);
}

TEST_CASE("pipeline results: the dialog writes buffers where there is no graph, and says what a graph loses") {
  OpenedPipeline o;
  o.ui.click("pipeline.buffers.export");
  o.ui.frames(3);
  REQUIRE(o.state().popup == Popup::kSaveAs);
  CHECK(o.state().browser.path_text == o.folder.file("net buffers.json"));
  CHECK_FALSE(o.ui.has("save_as.graph.settled"));
  o.ui.click("save_as.save");
  const Document buffers = o.written(o.folder.file("net buffers.json"));
  CHECK(buffers.graph == nullptr);
  CHECK(buffers.problem->size() == o.state().problem().size());

  const auto shared = std::make_shared<const PipelinePoint>(pipeline_point(o.state(), 2, false));
  o.state().push(action::SaveTo{o.folder.file("shared.graph.json"), true, shared});
  REQUIRE(o.ui.settle());
  REQUIRE_FALSE(o.state().notices.empty());
  CHECK(o.state().notices.back().error);
  CHECK(o.state().notices.back().text.find("not in it: ") != std::string::npos);
}

TEST_CASE("save as: a graph is written with its transforms, or as they leave it") {
  OpenedPipeline o;
  const auto save = [&](const std::string& name, const std::string& choice) {
    o.ui.press("Ctrl+Shift+S");
    o.ui.frames(2);
    o.ui.click("browser.path");
    o.ui.press("Ctrl+A");
    o.ui.type(o.folder.file(name));
    o.ui.frames(2);
    REQUIRE(o.ui.has(choice));
    o.ui.click(choice);
    o.ui.click("save_as.save");
    return o.written(o.folder.file(name));
  };
  const Document given = save("given.graph.json", "save_as.graph.given");
  CHECK(given.recipe.pipeline == o.begun.recipe.pipeline);
  CHECK(given.graph->op(given.graph->find_op("relu1")).inplace.size() == 1);
  CHECK(given.problem->size() == o.begun.problem->size());
  const Document settled = save("settled.graph.json", "save_as.graph.settled");
  CHECK(settled.recipe.pipeline.size() <= 1);  // sharing is not done again
  // The choice is the dialog's own: the next one begins with what was given.
  o.ui.press("Ctrl+Shift+S");
  o.ui.frames(2);
  CHECK_FALSE(o.state().part<SaveSubject>().settled);
}

TEST_CASE("pipeline results: the buttons of a stage are reached by keys") {
  OpenedPipeline o;
  o.ui.press("G");
  o.ui.frames(2);
  std::string letters;
  for (const KeyHints::Hint& hint : o.state().part<KeyHints>().hints) {
    if (hint.widget == "pipeline.1.export") letters = hint.letters;
  }
  REQUIRE_FALSE(letters.empty());
  for (char& letter : letters) letter = static_cast<char>(letter - 'A' + 'a');
  o.ui.type(letters);
  o.ui.frames(8);
  CHECK(o.state().popup == Popup::kSaveAs);
  REQUIRE(o.state().part<SaveSubject>().point != nullptr);
  CHECK(o.state().part<SaveSubject>().point->stages == 2);
}
