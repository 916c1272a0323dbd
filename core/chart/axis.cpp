#include "core/chart/axis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/chart/address_map.h"
#include "core/chart/plan_scene.h"
#include "core/chart/ticks.h"

namespace stowage {

namespace {

constexpr float kTimeLabelSpace = 22;  // between two labels
constexpr float kByteLabelSpace = 38;  // between two lines
constexpr float kTitleSize = 11.5F;
constexpr float kByteLabelHeight = 14;  // two byte labels nearer than this touch
constexpr float kPlusRoom = 8;          // for the sign of what is counted from a base
constexpr float kTitleRoom = 22;        // of the vertical title

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

/// Addresses of the view between two breaks, relative to an origin.
struct Stretch {
  double low = 0;
  double high = 0;
  std::int64_t origin = 0;
};

/// What the view shows between the breaks of its map; the whole view without one. A break is at most named where it
/// lies, for no address in it is worth a tick.
std::vector<Stretch> stretches_of(const Viewport& view) {
  if (view.map == nullptr) return {Stretch{view.byte_low, view.byte_high, view.byte_origin}};
  const double bottom = view.byte_at(view.area.bottom);
  const double top = view.byte_at(view.area.top);
  std::vector<Stretch> stretches;
  std::optional<std::int64_t> begin;  // of the next stretch; none: the lowest one goes down for ever
  const auto add = [&](double low, double high) {
    if (!(low < high)) return;
    const std::int64_t origin = begin.value_or(0);
    const auto far = static_cast<double>(origin);
    stretches.push_back(Stretch{low - far, high - far, origin});
  };
  for (const AddressMap::Break& one : view.map->breaks()) {
    add(std::max(bottom, static_cast<double>(begin.value_or(kMinInt64))),
        std::min(top, static_cast<double>(one.skipped.low)));
    begin = one.skipped.high;
  }
  add(std::max(bottom, static_cast<double>(begin.value_or(kMinInt64))), top);
  return stretches;
}

/// How the labels of a byte axis are written.
struct ByteLabels {
  AddressStyle style = AddressStyle::kUnits;
  ByteUnit unit = ByteUnit::kAuto;
  float room = 0;
};

/// Ticks of [low, high) in the wanted unit, or in one with shorter numbers where these are too long.
std::vector<Tick> fitting_bytes(double low, double high, int most, const ByteLabels& labels,
                                const TextMeasure& measure) {
  std::vector<Tick> ticks = byte_ticks(low, high, most, labels.style, labels.unit);
  if (widest(ticks, measure) > labels.room) ticks = byte_ticks(low, high, most, labels.style, ByteUnit::kAuto);
  return ticks;
}

/// The same with ever larger units, until the labels fit.
std::vector<Tick> short_bytes(double low, double high, int most, const ByteLabels& labels, const TextMeasure& measure) {
  std::vector<Tick> ticks = fitting_bytes(low, high, most, labels, measure);
  for (const ByteUnit unit : {ByteUnit::kKiB, ByteUnit::kMiB, ByteUnit::kGiB}) {
    if (widest(ticks, measure) + kPlusRoom <= labels.room) break;
    ticks = byte_ticks(low, high, most, labels.style, unit);
  }
  return ticks;
}

/// Takes the labels away that would touch another one: the first of each stretch stand before the others.
void part_labels(std::vector<AxisTick>& ticks, const std::vector<std::size_t>& firsts) {
  std::set<float> taken;
  const auto keep = [&](AxisTick& tick) {
    const auto above = taken.upper_bound(tick.at - kByteLabelHeight);
    const bool touches = above != taken.end() && *above < tick.at + kByteLabelHeight;
    if (touches) return tick.label.clear();
    taken.insert(tick.at);
  };
  std::size_t next = 0;
  for (const std::size_t first : firsts) keep(ticks[first]);
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    if (next < firsts.size() && firsts[next] == k) {
      ++next;
    } else {
      keep(ticks[k]);
    }
  }
}

/// The ticks of one stretch of several. Long addresses are counted from where it begins, which the break below says.
void add_stretch(Axis& axis, const Viewport& view, const Stretch& stretch, const ByteLabels& labels, float scale,
                 const TextMeasure& measure) {
  const float height = static_cast<float>((stretch.high - stretch.low) * view.pixels_per_byte());
  const int most = std::clamp(static_cast<int>(height / kByteLabelSpace), 1, 24);
  const double far = static_cast<double>(stretch.origin);
  double from = -far;
  std::vector<Tick> ticks = fitting_bytes(far + stretch.low, far + stretch.high, most, labels, measure);
  if (stretch.origin != 0 && (ticks.size() < 2 || widest(ticks, measure) > labels.room)) {
    from = 0;
    ticks = short_bytes(stretch.low, stretch.high, most, labels, measure);
    count_from_base(ticks);
  }
  if (widest(ticks, measure) > labels.room) return;
  for (const Tick& tick : ticks) {
    const Int128 address = static_cast<Int128>(tick.value + from) + stretch.origin;
    const auto within = static_cast<std::int64_t>(std::clamp(address, Int128{kMinInt64}, Int128{kMaxInt64}));
    axis.ticks.push_back(AxisTick{snapped(view.y_of_address(within), scale), tick.label});
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
  const ByteLabels labels{style, unit, room};
  const std::vector<Stretch> stretches = stretches_of(view);
  if (stretches.size() != 1) {
    std::vector<std::size_t> firsts;
    for (const Stretch& one : stretches) {
      const std::size_t first = axis.ticks.size();
      add_stretch(axis, view, one, labels, scale, measure);
      if (axis.ticks.size() > first) firsts.push_back(first);
    }
    part_labels(axis.ticks, firsts);
    return axis;
  }
  const Stretch shown = stretches.front();
  const int most = std::clamp(static_cast<int>(view.area.height() / kByteLabelSpace), 2, 24);
  std::int64_t base = 0;
  std::vector<Tick> ticks;
  if (shown.origin == 0) ticks = fitting_bytes(shown.low, shown.high, most, labels, measure);
  if (shown.origin != 0 || widest(ticks, measure) > room) {
    base = base_near(shown.low, shown.origin);
    const double low = shown.low - static_cast<double>(static_cast<Int128>(base) - shown.origin);
    ticks = fitting_bytes(low, low + (shown.high - shown.low), most, labels, measure);
    count_from_base(ticks);
    axis.title +=
        style == AddressStyle::kHex ? ", from " + format_address(base, style) : ", from " + format_exact_bytes(base);
  }
  const double shift = static_cast<double>(static_cast<Int128>(base) - shown.origin) - shown.low;
  const float bottom =
      view.map == nullptr ? view.area.bottom : view.y_of(static_cast<double>(shown.origin) + shown.low);
  for (const Tick& tick : ticks) {
    const double y = static_cast<double>(bottom) - (tick.value + shift) * view.pixels_per_byte();
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
    if (tick.label.empty()) continue;
    scene.add(draw::Text{
        {area.left - 8, tick.at - 7}, tick.label, theme.dim, kTickSize, FontFace::kText, TextAlign::kRight, {}, false});
  }
  const auto title_fits = [&](const std::string& title, float room) {
    return measure.width(title, kTitleSize, FontFace::kText) <= room;
  };
  if (!times.title.empty() && title_fits(times.title, area.width())) {
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
