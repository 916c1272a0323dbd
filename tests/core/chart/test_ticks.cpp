#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/axis.h"
#include "core/chart/ticks.h"
#include "tests/core/chart/fixed_measure.h"

namespace stowage {
namespace {

TEST_CASE("ticks: times are whole, round, ascending, inside the range and not too many") {
  Random random(21);
  for (int round = 0; round < 3000; ++round) {
    const double low = (random.unit() - 0.5) * std::exp2(random.unit() * 45);
    const double high = low + std::exp2(random.unit() * 45 - 3);
    const int most = static_cast<int>(random.uniform(1, 30));
    const std::vector<Tick> ticks = time_ticks(low, high, most);
    CHECK(ticks.size() <= static_cast<std::size_t>(most) + 1);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      CHECK(ticks[i].value == std::floor(ticks[i].value));
      CHECK(ticks[i].value >= low - 1e-6 * (high - low));
      CHECK(ticks[i].value <= high + 1e-6 * (high - low));
      if (i > 0) CHECK(ticks[i].value > ticks[i - 1].value);
    }
  }
}

TEST_CASE("ticks: addresses are powers of two of one unit") {
  const std::vector<Tick> ticks = byte_ticks(0, 251.25 * 0x1p20, 17, AddressStyle::kUnits, ByteUnit::kAuto);
  REQUIRE(ticks.size() == 16);
  CHECK(ticks[0].label == "0");
  CHECK(ticks[1].label == "16 MiB");
  CHECK(ticks[15].label == "240 MiB");
}

TEST_CASE("ticks: labels of one axis share their unit and differ from each other") {
  Random random(22);
  for (int round = 0; round < 3000; ++round) {
    const double low = std::floor(random.unit() * std::exp2(random.unit() * 36));
    const double high = low + std::exp2(1 + random.unit() * 36);
    for (const AddressStyle style : {AddressStyle::kUnits, AddressStyle::kHex}) {
      const std::vector<Tick> ticks = byte_ticks(low, high, 12, style, ByteUnit::kAuto);
      std::set<std::string> labels;
      std::set<std::string> units;
      for (const Tick& tick : ticks) {
        labels.insert(tick.label);
        const std::size_t space = tick.label.find(' ');
        if (space != std::string::npos) units.insert(tick.label.substr(space));
      }
      CHECK(labels.size() == ticks.size());
      CHECK(units.size() <= 1);
    }
  }
}

TEST_CASE("ticks: hexadecimal and a wished unit") {
  CHECK(byte_ticks(0, 0x4000, 4, AddressStyle::kHex, ByteUnit::kAuto)[1].label == "0x1000");
  CHECK(byte_ticks(0, 0x1p21, 4, AddressStyle::kUnits, ByteUnit::kKiB)[1].label == "512 KiB");
  CHECK(byte_ticks(0, 0x1p21, 4, AddressStyle::kUnits, ByteUnit::kMiB)[1].label == "0.5 MiB");
  CHECK(byte_ticks(0, 10, 4, AddressStyle::kUnits, ByteUnit::kAuto)[1].label == "4 B");
}

TEST_CASE("ticks: senseless ranges have none") {
  CHECK(time_ticks(5, 5, 4).empty());
  CHECK(time_ticks(0, std::nan(""), 4).empty());
  CHECK(byte_ticks(9, 1, 4, AddressStyle::kUnits, ByteUnit::kAuto).empty());
  CHECK(time_ticks(0, 10, 0).empty());
}

TEST_CASE("axis: labels of times never touch and those of addresses fit into their room") {
  const testing::FixedMeasure measure;
  Random random(23);
  for (int round = 0; round < 1000; ++round) {
    Viewport view;
    view.area = Rect{80, 10, 80 + static_cast<float>(random.uniform(60, 1500)),
                     10 + static_cast<float>(random.uniform(40, 900))};
    view.time_low = std::floor(random.unit() * std::exp2(random.unit() * 61));
    view.time_high = view.time_low + std::exp2(random.unit() * 60);
    view.byte_low = std::floor(random.unit() * std::exp2(random.unit() * 61));
    view.byte_high = view.byte_low + std::exp2(random.unit() * 60);
    view.recentre();
    const Axis times = time_axis(view, "step", 1, measure);
    for (std::size_t i = 1; i < times.ticks.size(); ++i) {
      const float left = measure.width(times.ticks[i - 1].label, kTickSize, FontFace::kText);
      const float right = measure.width(times.ticks[i].label, kTickSize, FontFace::kText);
      CHECK(times.ticks[i].at - times.ticks[i - 1].at >= (left + right) / 2);
    }
    const Axis bytes = byte_axis(view, "address", AddressStyle::kUnits, ByteUnit::kAuto, 80, 1, measure);
    for (std::size_t i = 1; i < bytes.ticks.size(); ++i) {
      CHECK(bytes.ticks[i - 1].at - bytes.ticks[i].at >= 14);
    }
  }
}

TEST_CASE("axis: ticks lie where the edges of buffers lie") {
  const testing::FixedMeasure measure;
  const std::int64_t base = std::int64_t{1} << 36;
  for (const float scale : {1.0F, 1.5F, 2.0F}) {
    const Viewport view = frame(100, 140, base, base + 64, Rect{80, 10, 980, 610});
    const Axis times = time_axis(view, "step", scale, measure);
    REQUIRE(times.ticks.size() > 2);
    for (const AxisTick& tick : times.ticks) {
      const auto step = static_cast<std::int64_t>(std::stoll(tick.label));
      CHECK(std::abs(view.x_of_step(step) - tick.at) <= 0.5F / scale + 0.01F);
    }
  }
}

}  // namespace
}  // namespace stowage
