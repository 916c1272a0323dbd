#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/ui/hand.h"
#include "tests/ui/sample.h"
#include "ui/chart/crowd_pictures.h"

using namespace stowage;
using namespace stowage::testing;

namespace {

/// More buffers than a frame paints.
struct OpenedCrowd {
  TemporaryFolder folder;
  UiDriver ui;
  OpenedCrowd() {
    REQUIRE(ui.open(folder.write("crowd.csv", csv_of(synthetic_family(120'000, 1)))));
    REQUIRE(ui.state().plan() != nullptr);
    ui.state().editing.mode = true;
  }
  bool coarse() { return shows_coarse_picture(ui.state()); }
  std::size_t repainted() { return ui.state().part<CrowdPictures>().repainted; }
  std::vector<std::uint32_t> shown() {
    for (const DrawItem& item : ui.state().map.scene.items) {
      if (const auto* image = std::get_if<draw::Image>(&item)) return *image->pixels;
    }
    return {};
  }
  /// What a picture shows that is made from nothing.
  std::vector<std::uint32_t> anew() {
    ui.state().part<CrowdPictures>().charts.clear();
    ++ui.state().look_revision;
    REQUIRE(ui.settle());
    return shown();
  }
  BufferIndex longest() {
    const Problem& problem = ui.state().problem();
    BufferIndex found = 0;
    for (BufferIndex i = 0; i < problem.size(); ++i) {
      if (problem[i].size > 100'000 && problem[i].lifetime() > problem[found].lifetime()) found = i;
    }
    return found;
  }
};

}  // namespace

TEST_CASE("crowd: while a hand moves the view no frame looks at all buffers; then the exact picture comes") {
  OpenedCrowd o;
  CHECK_FALSE(o.coarse());
  CHECK(o.ui.state().map.stats.raster > CrowdPictures::kAtOnce);
  const ImVec2 at = o.ui.point("chart.area", 0.5F, 0.5F);
  for (int k = 0; k < 12; ++k) {
    o.ui.move(at);
    ImGui::GetIO().MouseWheel = k % 2 == 0 ? 0.3F : -0.2F;
    o.ui.frame();
    CHECK(o.ui.state().map.stats.visited <= CrowdPictures::kAtOnce);
  }
  CHECK(o.coarse());
  CHECK_FALSE(o.shown().empty());  // that of the view before
  REQUIRE(o.ui.settle());
  CHECK_FALSE(o.coarse());
  const std::vector<std::uint32_t> shown = o.shown();
  CHECK(shown == o.anew());
  // A small part is painted in its frame, without any detour.
  o.ui.state().push(action::FrameBuffers{{o.longest()}});
  o.ui.frames(2);
  CHECK_FALSE(o.coarse());
  CHECK(o.ui.state().map.stats.visited > 0);
  CHECK(o.ui.state().map.stats.visited <= CrowdPictures::kAtOnce);
}

TEST_CASE("crowd: selecting paints nothing, and what is put elsewhere is painted in the same frame") {
  OpenedCrowd o;
  const auto before = o.shown();
  o.ui.state().push(action::Select{{7}, SelectMode::kReplace});
  o.ui.frames(2);
  CHECK_FALSE(o.coarse());
  CHECK(o.shown() == before);
  const std::size_t repainted = o.repainted();
  const BufferIndex moved = o.longest();
  o.ui.state().push(action::PlaceByHand{{{moved, o.ui.state().offsets()[moved] + 4'000'000}}, false});
  o.ui.frame();  // it is applied at the end of this one
  o.ui.frame();
  CHECK_FALSE(o.coarse());
  CHECK(o.repainted() == repainted + 2);  // and in the minimap
  CHECK(o.ui.state().map.stats.visited == 0);
  const std::vector<std::uint32_t> after = o.shown();
  CHECK(after != before);
  CHECK(after == o.anew());
}

TEST_CASE("crowd: a dragged body is drawn where the hand holds it before the plan follows") {
  OpenedCrowd o;
  const BufferIndex i = o.longest();
  o.ui.state().push(action::Select{{i}, SelectMode::kReplace});
  o.ui.state().push(action::FrameBuffers{{i}});
  REQUIRE(o.ui.settle());
  const Hand hand{o.ui};
  const std::int64_t was = o.ui.state().offsets()[i];
  const ImVec2 from = hand.middle(i);
  hand.press(from);
  hand.move(ImVec2(from.x, from.y - 60));
  REQUIRE(o.ui.has("chart.carried"));
  CHECK(o.ui.centre("chart.carried").y < from.y - 30);
  CHECK(o.ui.state().offsets()[i] == was);
  hand.release();
  CHECK_FALSE(o.ui.has("chart.carried"));
  CHECK(o.ui.state().offsets()[i] > was);
}
