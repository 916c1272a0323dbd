#include "core/chart/address_map.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr int kFarLonger = 4;  // than the mean used stretch
// What a break takes of the axis, as a share of what is used: each, and all together.
constexpr std::int64_t kBreakShare = 12;
constexpr std::int64_t kBreaksShare = 2;

std::vector<AddressRange> merged(std::vector<AddressRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const AddressRange& a, const AddressRange& b) { return a.low < b.low; });
  std::vector<AddressRange> result;
  for (const AddressRange& range : ranges) {
    const AddressRange above{std::max<std::int64_t>(0, range.low), range.high};
    if (above.high <= above.low) continue;
    if (!result.empty() && above.low <= result.back().high) {
      result.back().high = std::max(result.back().high, above.high);
    } else {
      result.push_back(above);
    }
  }
  return result;
}

/// The empty stretches from 0 up to the last used one.
std::vector<AddressRange> gaps_between(const std::vector<AddressRange>& used) {
  std::vector<AddressRange> gaps;
  std::int64_t end = 0;
  for (const AddressRange& range : used) {
    if (range.low > end) gaps.push_back(AddressRange{end, range.low});
    end = range.high;
  }
  return gaps;
}

double slope_of(const AddressMap::Break& one) {
  return static_cast<double>(one.drawn_high - one.drawn_low) / static_cast<double>(one.skipped.high - one.skipped.low);
}

}  // namespace

AddressMap AddressMap::shortening(std::vector<AddressRange> ranges) {
  const std::vector<AddressRange> used = merged(std::move(ranges));
  if (used.empty()) return {};
  std::int64_t bytes = 0;  // distinct addresses above 0: no more than int64 has
  for (const AddressRange& range : used) bytes += range.high - range.low;
  if (Int128{used.back().high} - bytes <= Int128{kSparse} * bytes) return {};

  std::vector<AddressRange> gaps = gaps_between(used);
  const Int128 least = std::max<Int128>(kLeastBreak, Int128{kFarLonger} * bytes / static_cast<Int128>(used.size()));
  std::erase_if(gaps, [&](const AddressRange& gap) { return Int128{gap.high} - gap.low < least; });
  if (gaps.size() > kMostBreaks) {
    std::nth_element(gaps.begin(), gaps.begin() + kMostBreaks, gaps.end(),
                     [](const AddressRange& a, const AddressRange& b) { return a.high - a.low > b.high - b.low; });
    gaps.resize(kMostBreaks);
    std::sort(gaps.begin(), gaps.end(), [](const AddressRange& a, const AddressRange& b) { return a.low < b.low; });
  }
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, gaps.size()));
  const std::int64_t height = std::max<std::int64_t>(1, std::min(bytes / kBreakShare, bytes / kBreaksShare / count));
  AddressMap map;
  std::int64_t saved = 0;
  for (const AddressRange& gap : gaps) {
    const std::int64_t low = gap.low - saved;
    map.breaks_.push_back(Break{gap, low, low + height});
    saved += gap.high - gap.low - height;
  }
  return map;
}

AddressMap AddressMap::placed(double at, double scale) const {
  AddressMap map = *this;
  map.at_ = at + scale * at_;
  map.scale_ = scale * scale_;
  return map;
}

const AddressMap::Break* AddressMap::break_below(Int128 address) const {
  const auto above = std::partition_point(breaks_.begin(), breaks_.end(),
                                          [&](const Break& one) { return one.skipped.low <= address; });
  return above == breaks_.begin() ? nullptr : &*(above - 1);
}

double AddressMap::drawn(Int128 address, std::int64_t origin) const {
  const Break* below = break_below(address);
  double plain = 0;
  const bool whole = at_ == 0 && scale_ == 1;
  const std::int64_t from = whole ? origin : 0;
  if (below == nullptr) {
    plain = static_cast<double>(address - from);
  } else if (address >= below->skipped.high) {
    plain = static_cast<double>(address - below->skipped.high + below->drawn_high - from);
  } else {
    plain = static_cast<double>(below->drawn_low - from) +
            static_cast<double>(address - below->skipped.low) * slope_of(*below);
  }
  return whole ? plain : at_ + scale_ * plain - static_cast<double>(origin);
}

double AddressMap::drawn_at(double address) const {
  double plain = address;
  for (const Break& one : breaks_) {
    const double above = address - static_cast<double>(one.skipped.low);
    if (above < 0) break;
    const double length = static_cast<double>(one.skipped.high - one.skipped.low);
    plain = above < length ? static_cast<double>(one.drawn_low) + above * slope_of(one)
                           : static_cast<double>(one.drawn_high) + (above - length);
  }
  return at_ + scale_ * plain;
}

double AddressMap::address(double drawn) const {
  const double plain = (drawn - at_) / scale_;
  const auto above = std::partition_point(
      breaks_.begin(), breaks_.end(), [&](const Break& one) { return static_cast<double>(one.drawn_low) <= plain; });
  if (above == breaks_.begin()) return plain;
  const Break& below = *(above - 1);
  const double high = static_cast<double>(below.drawn_high);
  if (plain >= high) return static_cast<double>(below.skipped.high) + (plain - high);
  return static_cast<double>(below.skipped.low) + (plain - static_cast<double>(below.drawn_low)) / slope_of(below);
}

}  // namespace stowage
