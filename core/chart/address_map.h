#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/integers.h"

namespace stowage {

/// Addresses [low, high).
struct AddressRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool operator==(const AddressRange&) const = default;
};

/// Where addresses are drawn on the vertical axis: piecewise linear, strictly increasing, and so with an inverse.
/// Every byte is drawn `scale` high, except in breaks, empty stretches that are drawn much shorter than they are:
///
///   drawn |          /
///         |      ___/     a break is flat, but never level
///         |   __/
///         |  /
///         | /
///         +------------- address
class AddressMap {
 public:
  /// An empty stretch of addresses, and what it takes on the axis in bytes before scaling.
  struct Break {
    AddressRange skipped;
    std::int64_t drawn_low = 0;
    std::int64_t drawn_high = 0;
    bool operator==(const Break&) const = default;
  };

  /// Every address is drawn where it is.
  AddressMap() = default;

  /// Shortens the empty stretches above 0 of a plan that uses these addresses, in any order, overlaps allowed, when it
  /// is sparse: more than kSparse times as much is empty as is used. Stretches become breaks that are far longer than
  /// the mean used one, and at least kLeastBreak; the longest kMostBreaks of them. O(n log n).
  static AddressMap shortening(std::vector<AddressRange> used);
  static constexpr int kSparse = 16;
  static constexpr std::int64_t kLeastBreak = 64 * 1024;
  static constexpr std::size_t kMostBreaks = 64;

  /// The same, stretched by `scale` and moved so that what was drawn at 0 is drawn at `at`.
  AddressMap placed(double at, double scale) const;

  /// Where an address is drawn, relative to `origin`; exact outside of breaks when nothing is scaled.
  double drawn(Int128 address, std::int64_t origin = 0) const;
  /// The same for a point between two addresses, to the precision of a double.
  double drawn_at(double address) const;
  /// The inverse of drawn_at().
  double address(double drawn) const;

  double scale() const { return scale_; }
  bool is_identity() const { return breaks_.empty() && at_ == 0 && scale_ == 1; }
  std::span<const Break> breaks() const { return breaks_; }  // ascending
  bool operator==(const AddressMap&) const = default;

 private:
  const Break* break_below(Int128 address) const;

  std::vector<Break> breaks_;
  double at_ = 0;
  double scale_ = 1;
};

}  // namespace stowage
