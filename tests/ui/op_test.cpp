#include <algorithm>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"
#include "ui/graph_view.h"
#include "ui/op_panel.h"
#include "ui/panels.h"
#include "ui/pipeline_panel.h"

using namespace stowage;
using stowage::testing::UiDriver;

namespace {

/// x -> a -> b -> d, x -> c -> d.
std::string diamond() {
  return R"({"name":"diamond",
 "tensors":[{"id":"x","shape":[8],"dtype":"float32","kind":"input"},{"id":"A","shape":[8],"dtype":"float32"},
            {"id":"B","shape":[8],"dtype":"float32"},{"id":"C","shape":[4],"dtype":"float32"},
            {"id":"D","shape":[2],"dtype":"float32"}],
 "ops":[{"id":"a","type":"Relu","in":["x"],"out":["A"]},{"id":"b","type":"Relu","in":["A"],"out":["B"]},
        {"id":"c","type":"Pool","in":["x"],"out":["C"]},{"id":"d","type":"Add","in":["B","C"],"out":["D"]}],
 "inputs":["x"],"outputs":["D"]})";
}

struct OpenedOp {
  testing::TemporaryFolder folder;
  UiDriver ui{1600, 1400};

  OpenedOp() {
    REQUIRE(ui.open(folder.write("diamond.json", diamond())));
    REQUIRE(ui.settle());
    state().push(action::ShowPanel{"op"});
    REQUIRE(ui.settle());
  }
  Workbench::State& state() { return ui.state(); }
  const Graph& graph() { return *state().document.graph; }
  BufferIndex buffer(std::string_view id) {
    for (BufferIndex i = 0; i < state().problem().size(); ++i) {
      if (state().problem().id(i) == id) return i;
    }
    return kNoBuffer;
  }
  void look_at(const std::string& id) {
    state().later([id](Workbench::State& s) { look_at_op(s, id); });
    REQUIRE(ui.settle());
  }
  void undo() {
    ui.press("Ctrl+Z");
    REQUIRE(ui.settle());
  }
};

}  // namespace

TEST_CASE("shapes are read as they are written, and wrong ones say how") {
  CHECK(*parse_shape("1x64x56x56") == std::vector<std::int64_t>{1, 64, 56, 56});
  CHECK(*parse_shape(" 2, 3 4") == std::vector<std::int64_t>{2, 3, 4});
  CHECK(parse_shape("scalar")->empty());
  for (const char* wrong : {"", "x", "1xax2", "-1x2", "1.5", "99999999999999999999"}) {
    CAPTURE(wrong);
    REQUIRE_FALSE(parse_shape(wrong));
    CHECK(parse_shape(wrong).error().message.find("1x64x56x56") != std::string::npos);
  }
  CHECK(shape_text(std::vector<std::int64_t>{2, 3}) == "2x3");
  CHECK(shape_text(std::nullopt) == "?");
}

TEST_CASE("operator panel: a selected buffer brings up the op that makes it") {
  OpenedOp o;
  o.state().push(action::Select{{o.buffer("C")}, SelectMode::kReplace});
  REQUIRE(o.ui.settle());
  CHECK(o.state().part<OpPanel>().op == "c");
  CHECK(o.ui.has("op.C.shape"));
}

TEST_CASE("operator panel: an op moves where it can run, and is refused elsewhere") {
  OpenedOp o;
  o.look_at("c");
  o.ui.click("op.earlier");
  REQUIRE(o.ui.settle());
  CHECK(o.graph().find_op("c") == 1);
  CHECK(o.state().editing.history.can_undo());
  o.undo();
  CHECK(o.graph().find_op("c") == 2);
  o.look_at("b");
  o.ui.click("op.earlier");
  REQUIRE(o.ui.settle());
  CHECK(o.graph().find_op("b") == 1);  // it reads what a makes
  REQUIRE_FALSE(o.state().notices.empty());
}

TEST_CASE("operator panel: type and shape change the size, live") {
  OpenedOp o;
  o.look_at("c");
  o.ui.click("op.C.type");
  o.ui.frames(2);
  o.ui.click("op.C.type.int8");
  REQUIRE(o.ui.settle());
  const auto bytes = [&] {
    return o.graph().tensor(o.graph().find_tensor("C")).bytes.value_or(-1);
  };
  CHECK(bytes() == 4);
  CHECK(o.state().problem()[o.buffer("C")].size == 4);
  o.undo();
  CHECK(bytes() == 16);
  o.look_at("c");
  o.ui.click("op.C.shape");
  o.ui.press("Ctrl+A");
  o.ui.type("3x5");
  o.ui.press("Enter");
  REQUIRE(o.ui.settle());
  CHECK(bytes() == 60);
}

TEST_CASE("operator panel: in-place pairs and events are switched, each one entry") {
  OpenedOp o;
  o.look_at("b");
  o.ui.click("op.inplace.0.0");
  REQUIRE(o.ui.settle());
  CHECK(o.graph().op(1).inplace.size() == 1);
  o.undo();
  CHECK(o.graph().op(1).inplace.empty());
  o.look_at("c");
  o.ui.click("op.event");
  o.ui.frames(2);
  o.ui.click("op.event.b");
  REQUIRE(o.ui.settle());
  REQUIRE(o.graph().events().size() == 1);
  CHECK(o.graph().events()[0] == Event{1, 2});
  o.look_at("c");
  o.ui.click("op.event.remove.b");
  REQUIRE(o.ui.settle());
  CHECK(o.graph().events().empty());
}

TEST_CASE("operator panel: ops are added and deleted with what they make") {
  OpenedOp o;
  o.look_at("d");
  o.ui.click("op.add");
  REQUIRE(o.ui.settle());
  REQUIRE(o.graph().ops().size() == 5);
  CHECK(o.graph().op(4).id == "d_next");
  CHECK(o.graph().tensor(o.graph().op(4).out[0]).bytes == 8);
  o.look_at("d_next");
  o.ui.click("op.remove");
  REQUIRE(o.ui.settle());
  CHECK(o.graph().ops().size() == 4);
  CHECK(o.graph().find_tensor("d_next_out") == kNoTensor);
  o.look_at("a");
  o.ui.click("op.remove");  // b reads what it makes
  REQUIRE(o.ui.settle());
  CHECK(o.graph().ops().size() == 4);
}

TEST_CASE("buffers glide to where a change of the pipeline puts them, matched by name") {
  OpenedOp opened;
  Workbench::State& state = opened.state();
  const std::int64_t was = state.offsets()[opened.buffer("B")];
  GraphRecipe recipe = state.document.recipe;
  recipe.lowering.inputs = true;  // x comes in below and takes an index of its own
  state.later([recipe](Workbench::State& s) { change_recipe(s, "Inputs become buffers", recipe); });
  REQUIRE(opened.ui.until([&] { return opened.buffer("x") != kNoBuffer; }));
  opened.ui.frame();
  const std::int64_t is = state.offsets()[opened.buffer("B")];
  REQUIRE(is != was);
  const std::int64_t drawn = state.drawn_offsets()[opened.buffer("B")];
  CHECK(drawn > std::min(was, is));
  CHECK(drawn < std::max(was, is));
  REQUIRE(opened.ui.settle());
  CHECK(state.drawn_offsets()[opened.buffer("B")] == is);
}
