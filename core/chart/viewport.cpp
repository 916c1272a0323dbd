#include "core/chart/viewport.h"

#include <algorithm>
#include <cmath>

#include "core/base/integers.h"
#include "core/chart/address_map.h"
#include "core/model/metrics.h"

namespace stowage {

namespace {

constexpr double kLeastSpan = 1.0 / 64;
constexpr double kMostSpan = 0x1p62;
constexpr double kFarthest = 0x1p62;
// With the origin at most 2^36 spans away, a double (53 bits) still tells 2^-17 of the view apart.
constexpr double kFarInSpans = 0x1p36;

double from_origin(double value, std::int64_t origin) {
  return value - static_cast<double>(origin);
}

double from_origin(std::int64_t value, std::int64_t origin) {
  return static_cast<double>(static_cast<Int128>(value) - origin);
}

/// Scene coordinates far outside the picture stay where float is still exact to a pixel.
float to_scene(double value) {
  return static_cast<float>(std::clamp(value, -0x1p22, 0x1p22));
}

void zoom_axis(double& low, double& high, double about, double factor) {
  const double old_span = high - low;
  const double span = std::clamp(old_span * factor, kLeastSpan, kMostSpan);
  const double share = (about - low) / old_span;
  low = about - share * span;
  high = low + span;
}

void recentre_axis(double& low, double& high, std::int64_t& origin) {
  const double span = high - low;
  const Int128 real_low = static_cast<Int128>(low) + origin;
  const bool far = std::abs(static_cast<double>(real_low)) > kFarInSpans * span;
  const bool origin_serves = origin != 0 && std::abs(low) <= kFarInSpans / 4 * span;
  if (far && origin_serves) return;
  const Int128 wanted = far ? std::clamp(real_low, static_cast<Int128>(kMinInt64), static_cast<Int128>(kMaxInt64)) : 0;
  const double shift = static_cast<double>(wanted - origin);
  low -= shift;
  high = low + span;
  origin = static_cast<std::int64_t>(wanted);
}

/// Keeps the camera within what int64 can name, so that panning for ever does no harm.
void keep_within(double& low, double& high, std::int64_t origin) {
  const double span = high - low;
  const double least = -kFarthest * 2 - static_cast<double>(origin);
  const double most = kFarthest * 2 - span - static_cast<double>(origin);
  const double kept = std::clamp(low, std::min(least, most), std::max(least, most));
  if (kept == low) return;
  low = kept;
  high = low + span;
}

struct Range {
  double low = 0;
  double high = 1;
};

/// [low, high) as a range around its own start, with `share` of the span added on both sides.
Range around(std::int64_t low, std::int64_t high, double share_below, double share_above) {
  const double span = std::max(1.0, static_cast<double>(static_cast<Int128>(high) - low));
  return Range{-span * share_below, span * (1 + share_above)};
}

Viewport make_view(Rect area, std::int64_t time, Range times, std::int64_t byte, Range bytes) {
  Viewport view;
  view.area = area;
  view.time_origin = time;
  view.time_low = times.low;
  view.time_high = times.high;
  view.byte_origin = byte;
  view.byte_low = bytes.low;
  view.byte_high = bytes.high;
  view.recentre();
  return view;
}

}  // namespace

float Viewport::x_of(double time) const {
  return to_scene(static_cast<double>(area.left) + (from_origin(time, time_origin) - time_low) * pixels_per_time());
}

float Viewport::y_of(double byte) const {
  const double drawn = from_origin(map != nullptr ? map->drawn_at(byte) : byte, byte_origin);
  return to_scene(static_cast<double>(area.bottom) - (drawn - byte_low) * pixels_per_unit());
}

float Viewport::x_of_step(std::int64_t time) const {
  return to_scene(static_cast<double>(area.left) + (from_origin(time, time_origin) - time_low) * pixels_per_time());
}

float Viewport::y_of_address(std::int64_t byte) const {
  const double drawn = map != nullptr ? map->drawn(byte, byte_origin) : from_origin(byte, byte_origin);
  return to_scene(static_cast<double>(area.bottom) - (drawn - byte_low) * pixels_per_unit());
}

double Viewport::time_at(float x) const {
  return static_cast<double>(time_origin) + (time_low + static_cast<double>(x - area.left) / pixels_per_time());
}

double Viewport::byte_at(float y) const {
  const double drawn =
      static_cast<double>(byte_origin) + (byte_low + static_cast<double>(area.bottom - y) / pixels_per_unit());
  return map != nullptr ? map->address(drawn) : drawn;
}

double Viewport::pixels_per_byte() const {
  return pixels_per_unit() * (map != nullptr ? map->scale() : 1);
}

void Viewport::zoom(Point about, double time_factor, double byte_factor) {
  zoom_axis(time_low, time_high, time_low + static_cast<double>(about.x - area.left) / pixels_per_time(), time_factor);
  zoom_axis(byte_low, byte_high, byte_low + static_cast<double>(area.bottom - about.y) / pixels_per_unit(),
            byte_factor);
  keep_within(time_low, time_high, time_origin);
  keep_within(byte_low, byte_high, byte_origin);
  recentre();
}

void Viewport::pan_pixels(float dx, float dy) {
  const double time = static_cast<double>(dx) / pixels_per_time();
  const double byte = static_cast<double>(dy) / pixels_per_unit();
  time_low -= time;
  time_high -= time;
  byte_low += byte;
  byte_high += byte;
  keep_within(time_low, time_high, time_origin);
  keep_within(byte_low, byte_high, byte_origin);
  recentre();
}

void Viewport::recentre() {
  recentre_axis(time_low, time_high, time_origin);
  recentre_axis(byte_low, byte_high, byte_origin);
}

Viewport fit_all(const ProblemMetrics& facts, std::int64_t makespan, Rect area, std::shared_ptr<const AddressMap> map) {
  constexpr double kAbove = 0.07;
  const std::int64_t top = std::max({makespan, facts.load, std::int64_t{1}});
  const Range times = around(facts.horizon_low, facts.horizon_high, 0, 0);
  if (map == nullptr) return make_view(area, facts.horizon_low, times, 0, around(0, top, 0, kAbove));
  const double from = map->drawn(0);
  const double to = from + (map->drawn(top) - from) * (1 + kAbove);
  Viewport view = make_view(area, facts.horizon_low, times, 0, Range{from, to});
  view.map = std::move(map);
  return view;
}

Viewport frame(std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high, Rect area,
               std::shared_ptr<const AddressMap> map) {
  constexpr double kMargin = 0.125;  // on both sides: the middle takes 80 %
  const Range times = around(start, end, kMargin, kMargin);
  if (map == nullptr) return make_view(area, start, times, low, around(low, high, kMargin, kMargin));
  const double from = map->drawn(low);
  const double span = std::max(map->scale(), map->drawn(high) - from);
  Viewport view = make_view(area, start, times, 0, Range{from - kMargin * span, from + (1 + kMargin) * span});
  view.map = std::move(map);
  return view;
}

Viewport remapped(const Viewport& view, std::shared_ptr<const AddressMap> map) {
  const auto moved = [&](double low_or_high) {
    const double drawn = static_cast<double>(view.byte_origin) + low_or_high;
    const double address = view.map != nullptr ? view.map->address(drawn) : drawn;
    return map != nullptr ? map->drawn_at(address) : address;
  };
  if (map == view.map) return view;
  Viewport to = view;
  to.byte_origin = 0;
  to.byte_low = moved(view.byte_low);
  to.byte_high = std::max(moved(view.byte_high), to.byte_low + kLeastSpan);
  to.map = std::move(map);
  to.recentre();
  return to;
}

}  // namespace stowage
