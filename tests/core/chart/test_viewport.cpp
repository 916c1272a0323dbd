#include <cmath>

#include <doctest/doctest.h>

#include "core/base/integers.h"
#include "core/base/random.h"
#include "core/chart/viewport.h"
#include "core/model/metrics.h"

namespace stowage {
namespace {

constexpr Rect kViewArea{80, 20, 1380, 670};

TEST_CASE("viewport: pixels go to the plane and back for random cameras") {
  constexpr std::uint64_t kSeed = 11;
  CAPTURE(kSeed);
  Random random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    Viewport view;
    view.area = kViewArea;
    view.time_low = (random.unit() - 0.5) * std::exp2(random.unit() * 36);
    view.time_high = view.time_low + std::exp2(random.unit() * 40 - 6);
    view.byte_low = (random.unit() - 0.5) * std::exp2(random.unit() * 36);
    view.byte_high = view.byte_low + std::exp2(random.unit() * 40 - 6);
    const float x = 80 + static_cast<float>(random.unit()) * 1300;
    const float y = 20 + static_cast<float>(random.unit()) * 650;
    CHECK(std::abs(view.x_of(view.time_at(x)) - x) < 0.05F);
    CHECK(std::abs(view.y_of(view.byte_at(y)) - y) < 0.05F);
  }
}

TEST_CASE("viewport: zooming keeps the point under the cursor, and zooming out again comes back") {
  Random random(12);
  for (int round = 0; round < 500; ++round) {
    Viewport view;
    view.area = kViewArea;
    view.time_high = 1e6;
    view.byte_high = 0x1p36;
    const Point about{80 + static_cast<float>(random.unit()) * 1300, 20 + static_cast<float>(random.unit()) * 650};
    const double time = view.time_at(about.x);
    const double byte = view.byte_at(about.y);
    const double factor = std::exp2(-random.unit() * 18);
    view.zoom(about, factor, factor);
    CHECK(std::abs(view.x_of(time) - about.x) < 0.1F);
    CHECK(std::abs(view.y_of(byte) - about.y) < 0.1F);
    view.zoom(about, 1 / factor, 1 / factor);
    CHECK(view.time_low == doctest::Approx(0).scale(1e6));
    CHECK(view.byte_high == doctest::Approx(0x1p36));
  }
}

TEST_CASE("viewport: zooming has a nearest and a farthest view") {
  Viewport view;
  view.area = kViewArea;
  for (int i = 0; i < 400; ++i) view.zoom(Point{700, 300}, 0.5, 0.5);
  CHECK(view.time_high - view.time_low == doctest::Approx(1.0 / 64));
  CHECK(view.byte_high - view.byte_low == doctest::Approx(1.0 / 64));
  for (int i = 0; i < 400; ++i) view.zoom(Point{700, 300}, 2, 2);
  CHECK(view.time_high - view.time_low == doctest::Approx(0x1p62));
  for (int i = 0; i < 400; ++i) view.pan_pixels(1e6F, -1e6F);
  CHECK(std::isfinite(view.x_of_step(0)));
  CHECK(view.time_low < view.time_high);
}

TEST_CASE("viewport: one byte and one step in 64 GiB and a million steps fill the area without jitter") {
  const std::int64_t time = 999'999;
  const std::int64_t byte = (std::int64_t{1} << 36) - 1;
  Viewport view = frame(time, time + 1, byte, byte + 1, kViewArea);
  for (int i = 0; i < 50; ++i) {
    const float width = view.x_of_step(time + 1) - view.x_of_step(time);
    const float height = view.y_of_address(byte) - view.y_of_address(byte + 1);
    CHECK(width == doctest::Approx(1300 * 0.8).epsilon(1e-4));
    CHECK(height == doctest::Approx(650 * 0.8).epsilon(1e-4));
    const float before = view.x_of_step(time);
    view.pan_pixels(1, 1);
    CHECK(view.x_of_step(time) - before == doctest::Approx(1).epsilon(1e-2));
  }
}

TEST_CASE("viewport: ten steps at 2^62 are seen as ten steps") {
  const std::int64_t start = std::int64_t{1} << 62;
  ProblemMetrics facts;
  facts.load = 10;
  facts.horizon_low = start;
  facts.horizon_high = start + 10;
  const Viewport view = fit_all(facts, 10, kViewArea);
  CHECK(view.x_of_step(start) == doctest::Approx(80));
  CHECK(view.x_of_step(start + 1) == doctest::Approx(210));
  CHECK(view.x_of_step(start + 10) == doctest::Approx(1380));
  const Viewport near_end = frame(kMaxInt64 - 8, kMaxInt64, kMaxInt64 - 8, kMaxInt64, kViewArea);
  CHECK(near_end.x_of_step(kMaxInt64) - near_end.x_of_step(kMaxInt64 - 8) == doctest::Approx(1040));
}

TEST_CASE("viewport: fitting shows everything, and an empty problem has a view too") {
  ProblemMetrics facts;
  facts.load = 100;
  facts.horizon_low = -5;
  facts.horizon_high = 95;
  const Viewport view = fit_all(facts, 120, kViewArea);
  CHECK(view.x_of_step(-5) == doctest::Approx(80));
  CHECK(view.x_of_step(95) == doctest::Approx(1380));
  CHECK(view.y_of_address(0) == doctest::Approx(670));
  CHECK(view.y_of_address(120) > 20);
  const Viewport empty = fit_all(ProblemMetrics{}, 0, kViewArea);
  CHECK(empty.time_low < empty.time_high);
  CHECK(empty.byte_low < empty.byte_high);
}

}  // namespace
}  // namespace stowage
