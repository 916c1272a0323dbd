#include "core/chart/axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/chart/plan_scene.h"
#include "core/chart/ticks.h"

namespace stowage {

namespace {

constexpr float kTimeLabelSpace = 22;  // between two labels
constexpr float kByteLabelSpace = 38;  // between two lines
constexpr float kTitleSize = 11.5F;
constexpr float kTitleRoom = 22;  // of the vertical title

float widest(const std::vector<Tick>& ticks, const TextMeasure& measure) {
  float width = 0;
  for (const Tick& tick : ticks) width = std::max(width, measure.width(tick.label, kTickSize, FontFace::kText));
  return width;
}

/// Round times between two bounds relative to a base, as many as fit.
std::vector<Tick> fitting_times(double low, double high, float pixels, const TextMeasure& measure) {
  std::vector<Tick> ticks;
  float label = 24;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const int most = std::clamp(static_cast<int>(pixels / (label + kTimeLabelSpace)), 1, 40);
    ticks = time_ticks(low, high, most);
    const float width = widest(ticks, measure);
    if (width <= label) break;
    label = width;
  }
  return ticks;
}

std::int64_t base_near(double low, std::int64_t origin) {
  const Int128 base = static_cast<Int128>(std::ceil(low)) + origin;
  return static_cast<std::int64_t>(std::clamp(base, static_cast<Int128>(kMinInt64), static_cast<Int128>(kMaxInt64)));
}

void count_from_base(std::vector<Tick>& ticks) {
  for (Tick& tick : ticks) {
    if (tick.value >= 0) tick.label = fmt::format("+{}", tick.label);
  }
}

}  // namespace

float snapped(float value, float scale) {
  return std::round(value * scale) / scale;
}

Axis time_axis(const Viewport& view, const std::string& unit, float scale, const TextMeasure& measure) {
  Axis axis;
  axis.title = "time (" + unit + ")";
  std::int64_t base = 0;
  const double span = view.time_high - view.time_low;
  std::vector<Tick> ticks;
  if (view.time_origin == 0) {
    ticks = fitting_times(view.time_low, view.time_high, view.area.width(), measure);
  }
  if (view.time_origin != 0 || (ticks.size() < 2 && span > 3)) {
    base = base_near(view.time_low, view.time_origin);
    const double low = view.time_low - static_cast<double>(static_cast<Int128>(base) - view.time_origin);
    ticks = fitting_times(low, low + span, view.area.width(), measure);
    count_from_base(ticks);
    axis.title += ", from " + format_count(base);
  }
  const double shift = static_cast<double>(static_cast<Int128>(base) - view.time_origin) - view.time_low;
  for (const Tick& tick : ticks) {
    const double x = static_cast<double>(view.area.left) + (tick.value + shift) * view.pixels_per_time();
    axis.ticks.push_back(AxisTick{snapped(static_cast<float>(x), scale), tick.label});
  }
  return axis;
}

Axis byte_axis(const Viewport& view, const std::string& title, AddressStyle style, ByteUnit unit, float room,
               float scale, const TextMeasure& measure) {
  Axis axis;
  axis.title = title;
  const int most = std::clamp(static_cast<int>(view.area.height() / kByteLabelSpace), 2, 24);
  const double span = view.byte_high - view.byte_low;
  std::int64_t base = 0;
  std::vector<Tick> ticks;
  if (view.byte_origin == 0) ticks = byte_ticks(view.byte_low, view.byte_high, most, style, unit);
  if (view.byte_origin == 0 && widest(ticks, measure) > room) {
    ticks = byte_ticks(view.byte_low, view.byte_high, most, style, ByteUnit::kAuto);
  }
  if (view.byte_origin != 0 || widest(ticks, measure) > room) {
    base = base_near(view.byte_low, view.byte_origin);
    const double low = view.byte_low - static_cast<double>(static_cast<Int128>(base) - view.byte_origin);
    ticks = byte_ticks(low, low + span, most, style, unit);
    if (widest(ticks, measure) > room) ticks = byte_ticks(low, low + span, most, style, ByteUnit::kAuto);
    count_from_base(ticks);
    axis.title +=
        style == AddressStyle::kHex ? ", from " + format_address(base, style) : ", from " + format_exact_bytes(base);
  }
  const double shift = static_cast<double>(static_cast<Int128>(base) - view.byte_origin) - view.byte_low;
  for (const Tick& tick : ticks) {
    const double y = static_cast<double>(view.area.bottom) - (tick.value + shift) * view.pixels_per_byte();
    axis.ticks.push_back(AxisTick{snapped(static_cast<float>(y), scale), tick.label});
  }
  return axis;
}

float byte_label_room() {
  return chart_margins().left - kTitleRoom - 8;
}

void add_grid(Scene& scene, const Axis& times, const Axis& bytes, const Rect& area, float scale, const Theme& theme) {
  const float half = 0.5F / scale;
  for (const AxisTick& tick : times.ticks) {
    scene.add(draw::Line{{tick.at + half, area.top}, {tick.at + half, area.bottom}, theme.grid, 1 / scale, 0});
  }
  for (const AxisTick& tick : bytes.ticks) {
    scene.add(draw::Line{{area.left, tick.at - half}, {area.right, tick.at - half}, theme.grid, 1 / scale, 0});
  }
}

void add_axes(Scene& scene, const Axis& times, const Axis& bytes, const Rect& area, const Theme& theme,
              const TextMeasure& measure) {
  const Margins margins = chart_margins();
  for (const AxisTick& tick : times.ticks) {
    const float half = measure.width(tick.label, kTickSize, FontFace::kText) / 2;
    if (tick.at + half > area.right + margins.right - 2) continue;
    scene.add(draw::Text{
        {tick.at, area.bottom + 6}, tick.label, theme.dim, kTickSize, FontFace::kText, TextAlign::kCenter, {}, false});
  }
  for (const AxisTick& tick : bytes.ticks) {
    scene.add(draw::Text{
        {area.left - 8, tick.at - 7}, tick.label, theme.dim, kTickSize, FontFace::kText, TextAlign::kRight, {}, false});
  }
  const auto title_fits = [&](const std::string& title, float room) {
    return measure.width(title, kTitleSize, FontFace::kText) <= room;
  };
  if (title_fits(times.title, area.width())) {
    scene.add(draw::Text{{(area.left + area.right) / 2, area.bottom + 23},
                         times.title,
                         theme.dim,
                         kTitleSize,
                         FontFace::kText,
                         TextAlign::kCenter,
                         {},
                         false});
  }
  if (title_fits(bytes.title, area.height())) {
    const float width = measure.width(bytes.title, kTitleSize, FontFace::kText);
    scene.add(draw::Text{{area.left - margins.left + 4, (area.top + area.bottom + width) / 2},
                         bytes.title,
                         theme.dim,
                         kTitleSize,
                         FontFace::kText,
                         TextAlign::kLeft,
                         {},
                         true});
  }
}

}  // namespace stowage
