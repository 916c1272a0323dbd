#pragma once

#include <cstdint>
#include <memory>

#include "core/chart/geometry.h"

namespace stowage {

class AddressMap;
struct ProblemMetrics;

/// The visible part of the plane: times [time_low, time_high) from left to right, addresses [byte_low, byte_high) from
/// bottom to top, and the rectangle of the scene that shows them. Doubles hold the camera; it is subtracted before
/// anything becomes a float, so one byte at 64 GiB does not jitter. Far from zero even a double is too coarse (at 2^62
/// it counts in steps of 1024): then the four numbers are relative to the origins, which are 0 otherwise. Where empty
/// stretches are drawn shorter than they are, `map` says where an address is drawn, and byte_low and byte_high are
/// places on that axis. Code that only calls the functions below need know neither.
struct Viewport {
  double time_low = 0;
  double time_high = 1;
  double byte_low = 0;
  double byte_high = 1;
  Rect area;
  std::int64_t time_origin = 0;
  std::int64_t byte_origin = 0;
  std::shared_ptr<const AddressMap> map;  // null: every address is drawn where it is

  /// Times and addresses here are the real ones, whatever the origins. The ones of buffers are exact.
  float x_of_step(std::int64_t time) const;
  float y_of_address(std::int64_t byte) const;
  float x_of(double time) const;
  float y_of(double byte) const;
  double time_at(float x) const;
  double byte_at(float y) const;
  double pixels_per_time() const { return static_cast<double>(area.width()) / (time_high - time_low); }
  double pixels_per_byte() const;  // outside of breaks
  /// One unit of the axis that byte_low and byte_high speak of.
  double pixels_per_unit() const { return static_cast<double>(area.height()) / (byte_high - byte_low); }

  /// Zooms about a point of the scene; factors below 1 show less (come closer). Keeps a sensible minimum of 1/64 step
  /// and 1/64 byte over the whole area and a maximum of 2^62.
  void zoom(Point about, double time_factor, double byte_factor);
  void pan_pixels(float dx, float dy);

  /// Moves the origins near the view when it lies so far from them that doubles would blur a pixel, and back to 0 when
  /// it no longer does. Changes nothing that can be seen; zoom and pan call it.
  void recentre();
  bool operator==(const Viewport&) const = default;
};

/// Everything: the horizon, and addresses from 0 to a little above the highest of makespan and load. Never empty.
Viewport fit_all(const ProblemMetrics& facts, std::int64_t makespan, Rect area,
                 std::shared_ptr<const AddressMap> map = nullptr);
/// One range of time and bytes at about 80 % of the view.
Viewport frame(std::int64_t start, std::int64_t end, std::int64_t low, std::int64_t high, Rect area,
               std::shared_ptr<const AddressMap> map = nullptr);
/// The same addresses at the lower and the upper border, drawn by another map.
Viewport remapped(const Viewport& view, std::shared_ptr<const AddressMap> map);

}  // namespace stowage
