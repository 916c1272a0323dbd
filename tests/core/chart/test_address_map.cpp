#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/address_map.h"
#include "core/chart/axis.h"
#include "core/chart/breaks.h"
#include "core/chart/chart_index.h"
#include "core/chart/lanes.h"
#include "core/chart/plan_scene.h"
#include "core/chart/spaces_scene.h"
#include "tests/core/chart/examples.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

constexpr std::int64_t kTiB = std::int64_t{1} << 40;
constexpr Rect kMapArea{92, 14, 1092, 614};

/// Used stretches of up to 64 MiB, up to some TiB apart.
std::vector<AddressRange> random_stretches(Random& random) {
  std::vector<AddressRange> used;
  std::int64_t at = random.uniform(0, 1) * random.uniform(0, 8 * kTiB);
  const std::int64_t count = random.uniform(1, 90);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t size = random.uniform(1, 64 << 20);
    used.push_back(AddressRange{at, at + size});
    at += size + random.uniform(0, 3) / 3 * random.uniform(0, kTiB / 4);
  }
  // In any order, and with overlaps.
  for (std::size_t k = used.size(); k > 1; --k) {
    std::swap(used[k - 1], used[static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(k) - 1))]);
  }
  used.push_back(used.front());
  return used;
}

/// In a break or at its edge, where rounding may lead into it.
bool in_break(const AddressMap& map, std::int64_t address) {
  return std::any_of(map.breaks().begin(), map.breaks().end(), [&](const AddressMap::Break& one) {
    return one.skipped.low <= address && address <= one.skipped.high;
  });
}

TEST_CASE("address map: every address is drawn above every lower one, and comes back") {
  constexpr std::uint64_t kSeed = 7;
  CAPTURE(kSeed);
  Random random(kSeed);
  std::size_t broken = 0;
  for (int round = 0; round < 300; ++round) {
    const std::vector<AddressRange> used = random_stretches(random);
    AddressMap map = AddressMap::shortening(used);
    broken += map.breaks().size();
    if (round % 2 == 1) map = map.placed(random.unit() * 1e9, std::exp2(random.unit() * 20 - 10));
    std::vector<std::int64_t> addresses = {0, 1, kMaxInt64 / 2};
    for (const AddressRange& range : used) {
      for (const std::int64_t address : {range.low - 1, range.low, range.low + 1, range.high - 1, range.high}) {
        addresses.push_back(std::max<std::int64_t>(0, address));
      }
      addresses.push_back(random.uniform(0, 9 * kTiB));
    }
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    for (std::size_t k = 0; k < addresses.size(); ++k) {
      const double drawn = map.drawn(addresses[k]);
      CHECK(drawn == doctest::Approx(map.drawn_at(static_cast<double>(addresses[k]))).epsilon(1e-12));
      const bool skipped = in_break(map, addresses[k]);
      if (k > 0) CHECK(map.drawn(addresses[k - 1]) <= drawn);
      if (k > 0 && !skipped) CHECK(map.drawn(addresses[k - 1]) < drawn);
      // In a break a double cannot tell neighbours apart, but it comes back to where it was drawn.
      const double back = map.address(drawn);
      CHECK(map.drawn_at(back) == doctest::Approx(drawn).epsilon(1e-12));
      const double blur = 4e-16 * drawn / map.scale() + 4e-16 * static_cast<double>(addresses[k]);
      if (!skipped) CHECK(std::abs(back - static_cast<double>(addresses[k])) <= 1e-6 + 4 * blur);
    }
    for (int k = 0; k < 50; ++k) {
      const double drawn = map.drawn(0) + random.unit() * (map.drawn(9 * kTiB) - map.drawn(0));
      CHECK(map.drawn_at(map.address(drawn)) == doctest::Approx(drawn).epsilon(1e-9));
    }
  }
  CHECK(broken > 1000);
}

TEST_CASE("address map: no used byte is shortened, and a sparse plan is mostly its used bytes") {
  constexpr std::uint64_t kSeed = 8;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (int round = 0; round < 200; ++round) {
    const std::vector<AddressRange> used = random_stretches(random);
    const AddressMap map = AddressMap::shortening(used);
    for (const AddressRange& range : used) {
      CHECK(map.drawn(range.high) - map.drawn(range.low) == static_cast<double>(range.high - range.low));
    }
    CHECK(map.breaks().size() <= AddressMap::kMostBreaks);
  }
  const AddressMap two = AddressMap::shortening({{2 * kTiB, 2 * kTiB + (1 << 20)}, {9 * kTiB, 9 * kTiB + (1 << 20)}});
  REQUIRE(two.breaks().size() == 2);
  CHECK(two.breaks()[0].skipped == AddressRange{0, 2 * kTiB});
  CHECK(two.breaks()[1].skipped == AddressRange{2 * kTiB + (1 << 20), 9 * kTiB});
  CHECK(two.drawn(9 * kTiB + (1 << 20)) < 3 * (1 << 20));
}

TEST_CASE("address map: what is not sparse, or so small that nobody works with real addresses, stays as it is") {
  CHECK(AddressMap::shortening({}).is_identity());
  CHECK(AddressMap::shortening({{0, 100}, {1500, 1600}}).is_identity());
  CHECK(AddressMap::shortening({{10, 20}, {50'000, 50'010}}).is_identity());
  CHECK_FALSE(AddressMap::shortening({{0, 100}, {1'000'000, 1'000'100}}).is_identity());
  CHECK(AddressMap::shortening({{0, 1 << 20}, {16 << 20, 17 << 20}}).is_identity());
  // Ranges that take no bytes, lie below 0 or up to the end of what can be named do no harm.
  const AddressMap far = AddressMap::shortening({{5, 5}, {-100, -50}, {-4, 4}, {kMaxInt64 - 10, kMaxInt64}});
  CHECK(far.breaks().size() == 1);
  CHECK(far.drawn(kMaxInt64) > far.drawn(kMaxInt64 - 1));
}

/// Two bands of buffers, terabytes apart.
struct Sparse {
  Sparse() {
    ProblemInput input;
    for (int k = 0; k < 24; ++k) {
      input.add(k % 2 == 0 ? "low" : "high", testing::buffer(k, k + 6, 1 << 20));
      plan.offsets.push_back((k % 2 == 0 ? 3 * kTiB : 70 * kTiB) + (k / 2 % 3) * (1 << 20));
    }
    problem = make_problem(std::move(input)).value();
    index = ChartIndex(problem, 0);
    facts = measure(problem);
    makespan = makespan_of_space(problem, plan, 0);
    map = shortening_map(SpacePlan{&facts, &plan.offsets, &index, makespan});
    view = fit_all(facts, makespan, kMapArea, map);
  }
  Problem problem;
  Plan plan;
  ChartIndex index;
  ProblemMetrics facts;
  std::int64_t makespan = 0;
  std::shared_ptr<const AddressMap> map;
  Viewport view;
};

TEST_CASE("address map: a fitted view of a sparse plan shows every buffer, picks it, and names true addresses") {
  const Sparse sparse;
  REQUIRE(sparse.map != nullptr);
  for (BufferIndex i = 0; i < sparse.problem.size(); ++i) {
    const std::int64_t offset = sparse.plan.offsets[i];
    const float low = sparse.view.y_of_address(offset);
    const float high = sparse.view.y_of_address(offset + (1 << 20));
    CHECK(low - high > 60);
    const Point middle{sparse.view.x_of(static_cast<double>(i) + 0.5), (low + high) / 2};
    CHECK(kMapArea.contains(middle));
    CHECK(pick(sparse.problem, sparse.index, sparse.plan.offsets, sparse.view, middle, 3) == i);
    CHECK(sparse.view.byte_at((low + high) / 2) ==
          doctest::Approx(static_cast<double>(offset) + (1 << 19)).epsilon(1e-9));
  }
}

TEST_CASE("address map: zooming in a sparse plan comes down to single bytes that still are where they are") {
  const Sparse sparse;
  const std::int64_t offset = 70 * kTiB + 12'345;
  const Viewport close = frame(3, 4, offset, offset + 8, kMapArea, sparse.map);
  for (int byte = 0; byte < 8; ++byte) {
    const float height = close.y_of_address(offset + byte) - close.y_of_address(offset + byte + 1);
    CHECK(height == doctest::Approx(kMapArea.height() * 0.8 / 8).epsilon(0.01));
    CHECK(std::floor(close.byte_at(close.y_of_address(offset + byte) - height / 2)) ==
          static_cast<double>(offset + byte));
  }
  Viewport view = sparse.view;
  const double about = view.byte_at(200);
  view.zoom(Point{300, 200}, 0.01, 0.01);
  CHECK(view.byte_at(200) == doctest::Approx(about).epsilon(1e-12));
}

TEST_CASE("address map: a view keeps its addresses when the map changes") {
  const Sparse sparse;
  Viewport view = sparse.view;
  view.zoom(Point{300, 100}, 0.5, 0.1);
  const Viewport plain = remapped(view, nullptr);
  CHECK(plain.byte_at(kMapArea.top) == doctest::Approx(view.byte_at(kMapArea.top)).epsilon(1e-9));
  CHECK(plain.byte_at(kMapArea.bottom) == doctest::Approx(view.byte_at(kMapArea.bottom)).epsilon(1e-9));
  const Viewport back = remapped(plain, sparse.map);
  CHECK(back.y_of_address(70 * kTiB) == doctest::Approx(view.y_of_address(70 * kTiB)).epsilon(1e-3));
}

TEST_CASE("axis: ticks of a sparse plan lie at their addresses, stay in room, and none lies in a break") {
  const Sparse sparse;
  const testing::FixedMeasure measure;
  for (const AddressStyle style : {AddressStyle::kUnits, AddressStyle::kHex}) {
    const Axis axis = byte_axis(sparse.view, "address", style, ByteUnit::kAuto, byte_label_room(), 1, measure);
    CHECK(axis.ticks.size() >= 6);
    for (const AxisTick& tick : axis.ticks) {
      CHECK(measure.width(tick.label, kTickSize, FontFace::kText) <= byte_label_room());
      for (const AddressMap::Break& one : sparse.map->breaks()) {
        const bool inside = tick.at > sparse.view.y_of_address(one.skipped.high) + 1 &&
                            tick.at < sparse.view.y_of_address(one.skipped.low) - 1;
        CHECK_FALSE(inside);
      }
    }
  }
}

TEST_CASE("axis: labels of narrow stretches between breaks do not touch, and where a stretch begins is named first") {
  // Forty segments far apart: each is some pixels high.
  std::vector<AddressRange> used;
  for (std::int64_t k = 0; k < 40; ++k) used.push_back(AddressRange{k * kTiB, k * kTiB + (1 << 20)});
  const auto map = std::make_shared<const AddressMap>(AddressMap::shortening(used));
  REQUIRE(map->breaks().size() == 39);
  const Viewport view = frame(0, 10, 0, 39 * kTiB + (1 << 20), kMapArea, map);
  const testing::FixedMeasure measure;
  for (const AddressStyle style : {AddressStyle::kUnits, AddressStyle::kHex}) {
    const Axis axis = byte_axis(view, "address", style, ByteUnit::kAuto, byte_label_room(), 1, measure);
    std::vector<float> places;
    for (const AxisTick& tick : axis.ticks) {
      if (!tick.label.empty()) places.push_back(tick.at);
    }
    CHECK(places.size() > 5);
    std::sort(places.begin(), places.end());
    for (std::size_t k = 1; k < places.size(); ++k) CHECK(places[k] - places[k - 1] >= 14);
    CHECK(axis.ticks.size() > places.size());  // their lines stay
  }
  Scene scene;
  add_breaks(scene, view, 1, AddressStyle::kUnits, ByteUnit::kAuto, dark_theme(), measure);
  const auto words = testing::items_of<draw::Text>(scene);
  for (std::size_t k = 1; k < words.size(); ++k) CHECK(std::abs(words[k].at.y - words[k - 1].at.y) >= 15);
}

TEST_CASE("chart: breaks are zigzags that say how much they skip and where the picture goes on") {
  const Sparse sparse;
  const testing::FixedMeasure measure;
  PlanSceneInput input;
  input.problem = &sparse.problem;
  input.index = &sparse.index;
  input.facts = &sparse.facts;
  input.offsets = &sparse.plan.offsets;
  input.makespan = sparse.makespan;
  input.address_style = AddressStyle::kHex;
  Scene scene;
  add_plan(scene, input, sparse.view, dark_theme(), measure);
  CHECK(testing::items_of<draw::Polyline>(scene).size() >= 4);
  const auto texts = testing::items_of<draw::Text>(scene);
  const auto says = [&](std::string_view words) {
    return std::any_of(texts.begin(), texts.end(), [&](const draw::Text& t) { return t.text == words; });
  };
  CHECK(says("3 TiB skipped, on at 0x30000000000"));
  CHECK(says("67 TiB skipped, on at 0x460000000000"));
  CHECK(testing::items_of<draw::Fill>(scene).size() > 24);
}

/// Three spaces of very different heights, one of them with far-apart segments, and one that is empty.
struct Stacked {
  Stacked() {
    ProblemInput input;
    input.spaces.clear();
    for (const char* id : {"device", "scratch", "host", "spare"}) {
      Space space;
      space.id = id;
      input.spaces.push_back(std::move(space));
    }
    input.spaces[0].capacity = std::int64_t{20} << 30;
    input.spaces[1].capacity = 4096;
    for (int k = 0; k < 30; ++k) {
      Buffer one = testing::buffer(k, k + 4, k % 3 == 0 ? std::int64_t{4} << 30 : k % 3 == 1 ? 1024 : 1 << 20);
      one.space = static_cast<std::uint16_t>(k % 3);
      input.add("b", one);
      const std::int64_t row = k / 3 % 2;
      plan.offsets.push_back(k % 3 == 2 ? row * 5 * kTiB : row * one.size);
    }
    problem = make_problem(std::move(input)).value();
    facts = measure_spaces_of(problem);
    for (std::uint16_t k = 0; k < 4; ++k) indexes.emplace_back(problem, k);
    for (std::uint16_t k = 0; k < 4; ++k) {
      plans.push_back(SpacePlan{&facts[k], &plan.offsets, &indexes[k], makespan_of_space(problem, plan, k)});
    }
    lanes = stack_lanes(problem, plans, true);
    view = fit_lanes(measure(problem), lanes, kMapArea);
  }
  static std::vector<ProblemMetrics> measure_spaces_of(const Problem& problem) {
    std::vector<ProblemMetrics> all;
    for (std::uint16_t k = 0; k < problem.spaces().size(); ++k) all.push_back(measure(problem, k));
    return all;
  }
  Problem problem;
  Plan plan;
  std::vector<ProblemMetrics> facts;
  std::vector<ChartIndex> indexes;
  std::vector<SpacePlan> plans;
  std::vector<SpaceLane> lanes;
  Viewport view;
};

TEST_CASE("lanes: lie one above the other, the first on top, none too low to be read") {
  const Stacked stacked;
  REQUIRE(stacked.lanes.size() == 4);
  CHECK(stacked.view.y_of(stacked.lanes.front().high) == doctest::Approx(kMapArea.top));
  CHECK(stacked.view.y_of(stacked.lanes.back().low) == doctest::Approx(kMapArea.bottom));
  for (std::size_t k = 0; k < 4; ++k) {
    const SpaceLane& lane = stacked.lanes[k];
    CHECK(lane.low < lane.high);
    if (k > 0) CHECK(stacked.lanes[k - 1].low > lane.high);
    CHECK(stacked.view.y_of(lane.low) - stacked.view.y_of(lane.high) > 60);
  }
  CHECK_FALSE(stacked.lanes[2].map->breaks().empty());
}

TEST_CASE("lanes: each has a view of its own addresses in which its buffers are seen and picked, at any zoom") {
  const Stacked stacked;
  for (const bool closer : {false, true}) {
    Viewport camera = stacked.view;
    if (closer) camera.zoom(Point{300, 500}, 0.5, 0.3);
    std::size_t seen = 0;
    for (BufferIndex i = 0; i < stacked.problem.size(); ++i) {
      const std::uint16_t space = stacked.problem[i].space;
      const SpaceLane& lane = stacked.lanes[space];
      const Viewport view = lane_view(camera, lane);
      const std::int64_t offset = stacked.plan.offsets[i];
      const float y = (view.y_of_address(offset) + view.y_of_address(offset + stacked.problem[i].size)) / 2;
      const Point at{view.x_of(static_cast<double>(stacked.problem[i].start) + 0.5), y};
      if (!view.area.contains(at)) continue;
      ++seen;
      REQUIRE(lane_at(camera, stacked.lanes, y) != nullptr);
      CHECK(lane_at(camera, stacked.lanes, y)->space == space);
      const BufferIndex hit = pick(stacked.problem, stacked.indexes[space], stacked.plan.offsets, view, at, 1);
      REQUIRE(hit != kNoBuffer);
      CHECK(stacked.plan.offsets[hit] == offset);
      CHECK(view.byte_at(y) ==
            doctest::Approx(static_cast<double>(offset + stacked.problem[i].size / 2)).epsilon(0.01));
    }
    CHECK(seen >= (closer ? 5U : 30U));
  }
}

TEST_CASE("lanes: a scene names every space and its capacity, and writes the times once") {
  const Stacked stacked;
  const testing::FixedMeasure measure;
  std::vector<PlanSceneInput> inputs(4);
  for (std::size_t k = 0; k < 4; ++k) {
    inputs[k].problem = &stacked.problem;
    inputs[k].index = stacked.plans[k].index;
    inputs[k].facts = stacked.plans[k].facts;
    inputs[k].offsets = stacked.plans[k].offsets;
    inputs[k].makespan = stacked.plans[k].makespan;
  }
  Scene scene;
  SceneStats stats;
  add_spaces(scene, stacked.lanes, inputs, stacked.view, dark_theme(), measure, &stats);
  CHECK(stats.visited == 30);
  const auto texts = testing::items_of<draw::Text>(scene);
  const auto count = [&](std::string_view words) {
    return std::count_if(texts.begin(), texts.end(), [&](const draw::Text& t) { return t.text == words; });
  };
  for (const Space& space : stacked.problem.spaces()) CHECK(count(space.id) == 1);
  CHECK(count("time (step)") == 1);
  CHECK(count("makespan 8 GiB, capacity 20 GiB") == 1);
  CHECK(count("makespan 2 KiB, capacity 4 KiB") == 1);
  CHECK(count("nothing lies here") == 1);
}

}  // namespace
}  // namespace stowage
