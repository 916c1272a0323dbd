#include <algorithm>

#include <doctest/doctest.h>

#include "core/chart/pool_figure.h"
#include "core/pools/pool.h"
#include "tests/core/chart/fixed_measure.h"
#include "tests/core/pools/traces.h"

namespace stowage {
namespace {

using testing::items_of;
using testing::kMiB;

struct Picture {
  Trace trace;
  PoolRun run;
  std::vector<std::int64_t> places;

  Scene draw(std::size_t crowd = 20'000) const {
    PoolSceneInput input;
    input.run = &run;
    input.trace = &trace;
    input.places = &places;
    input.crowd = crowd;
    Viewport view = frame(places.front(), places.back(), 0, shown_height(run), {100, 20, 900, 520});
    Scene scene;
    add_pool(scene, input, view, dark_theme(), testing::FixedMeasure());
    return scene;
  }
};

Picture picture(const char* pool, Trace trace, std::optional<std::int64_t> capacity = {}) {
  Picture picture;
  picture.run = testing::played(pool, trace, {}, capacity);
  picture.places = places_of(trace, TraceAxis::kEvent);
  picture.trace = std::move(trace);
  return picture;
}

bool has_text(const Scene& scene, std::string_view part) {
  const auto texts = items_of<draw::Text>(scene);
  return std::any_of(texts.begin(), texts.end(),
                     [&](const draw::Text& text) { return text.text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("pool picture: blocks carry the names of their allocations, segments those of their groups") {
  const Picture shown =
      picture("caching", testing::TraceWriter().alloc("weights", 9 * kMiB).alloc("acts", 6 * kMiB).free("acts").take());
  const Scene scene = shown.draw();
  CHECK(has_text(scene, "weights"));
  CHECK(has_text(scene, "acts"));
  CHECK(has_text(scene, "large · 20 MiB"));
}

TEST_CASE("pool picture: bytes that nobody asked for are hatched above the block's own") {
  const Picture exact = picture("caching", testing::TraceWriter().alloc("a", 12 * kMiB).take());
  CHECK(items_of<draw::Hatch>(exact.draw()).empty());
  const Picture wasted = picture("caching", testing::TraceWriter().alloc("a", 21 * kMiB).take());
  const auto hatches = items_of<draw::Hatch>(wasted.draw());
  REQUIRE(hatches.size() == 1);
  CHECK(hatches[0].rect.height() > 10);
  CHECK(hatches[0].rect.height() < 40);
}

TEST_CASE("pool picture: a request without memory is a red line with its name") {
  const Picture shown = picture(
      "bfc", testing::TraceWriter().alloc("a", kMiB).alloc("huge", 90 * kMiB).alloc("b", kMiB).take(), 8 * kMiB);
  const Scene scene = shown.draw();
  CHECK(has_text(scene, "no memory for huge"));
  const auto lines = items_of<draw::Line>(scene);
  CHECK(std::any_of(lines.begin(), lines.end(), [](const draw::Line& line) { return line.dash > 0; }));
}

TEST_CASE("pool picture: a crowd is painted into one image, and nothing is drawn outside the area") {
  const Picture shown = picture("bfc", testing::random_trace(1, {3000, 200, 1, false}));
  CHECK(items_of<draw::Image>(shown.draw()).empty());
  const Scene scene = shown.draw(100);
  CHECK(items_of<draw::Image>(scene).size() == 1);
  CHECK(items_of<draw::Fill>(scene).size() < 1000);
}

TEST_CASE("pool picture: one pool has its curves below, several have a chart each") {
  const Picture one = picture("caching", testing::random_trace(2, {200, 20, 1, true}));
  const Picture other = picture("buddy", testing::random_trace(2, {200, 20, 1, true}));
  PoolFigureInput input;
  input.trace = &one.trace;
  input.title = "a trace";
  input.runs = {&one.run};
  const Scene single = make_pool_figure(input, light_theme(), testing::FixedMeasure());
  CHECK(items_of<draw::Polyline>(single).size() == 3);
  CHECK(has_text(single, "reserved at most"));
  CHECK(has_text(single, "slack in a block"));
  input.runs = {&one.run, &other.run, &one.run};
  const Scene several = make_pool_figure(input, light_theme(), testing::FixedMeasure());
  CHECK(items_of<draw::Polyline>(several).empty());
  CHECK(has_text(several, "buddy"));
  for (const draw::Fill& fill : items_of<draw::Fill>(several)) {
    CHECK(fill.rect.left <= fill.rect.right);
    CHECK(fill.rect.top <= fill.rect.bottom);
  }
}

TEST_CASE("pool picture: a trace without events, or at the end of all numbers, is drawn as well") {
  for (const char* pool : {"caching", "double-ended", "buddy"}) {
    Picture empty = picture(pool, Trace());
    CHECK_NOTHROW(empty.draw());
    TraceBuilder builder;
    CHECK_FALSE(builder.alloc(kMinInt64, "a", kMaxInt64 / 8, 0, false));
    CHECK_FALSE(builder.free(kMaxInt64 - 1, "a", {}));
    Picture wide = picture(pool, builder.take());
    wide.places = places_of(wide.trace, TraceAxis::kTime);
    CHECK_NOTHROW(wide.draw());
  }
}

}  // namespace stowage
