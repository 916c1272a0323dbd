#include "core/chart/coverage.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stowage {

namespace {

// Small bands stay in the cache; but each band looks at every rectangle, so a large crowd gets few of them.
constexpr std::size_t kSmallBand = std::size_t{1} << 17U;
constexpr std::size_t kLargeBand = std::size_t{1} << 21U;
constexpr std::size_t kLargeCrowd = 200'000;
// Most of an image is empty or sharp: only stretches of so many pixels that something small touches are summed up.
constexpr int kStretch = 32;

std::uint32_t packed(Color color) {
  return static_cast<std::uint32_t>(color.r) | static_cast<std::uint32_t>(color.g) << 8U |
         static_cast<std::uint32_t>(color.b) << 16U | static_cast<std::uint32_t>(color.a) << 24U;
}

/// Sums of colour x coverage and of coverage, one for each pixel of a band.
using Sum = std::array<float, 4>;

/// Rows [top, bottom) of the image.
struct Band {
  int width = 0;
  int top = 0;
  int bottom = 0;
  std::vector<Sum>* sums = nullptr;              // all zero between bands
  std::vector<std::uint8_t>* touched = nullptr;  // by row and stretch; likewise
  std::uint32_t* pixels = nullptr;               // of the whole image

  Sum* sum_row(int y) { return sums->data() + static_cast<std::ptrdiff_t>(y - top) * width; }
  int stretches() const { return (width + kStretch - 1) / kStretch; }
  std::uint8_t* touched_row(int y) { return touched->data() + static_cast<std::ptrdiff_t>(y - top) * stretches(); }
  std::uint32_t* pixel_row(int y) { return pixels + static_cast<std::ptrdiff_t>(y) * width; }
};

void add(Sum& sum, const Sum& color, float share) {
  for (std::size_t c = 0; c < 4; ++c) sum[c] += color[c] * share;
}

/// Adds one row of a rectangle, `share` of the row's height being covered.
void accumulate_row(Sum* row, int first, int last, float left, float right, const Sum& color, float share) {
  if (first == last) return add(row[first], color, (right - left) * share);
  add(row[first], color, (static_cast<float>(first + 1) - left) * share);
  Sum whole = color;
  for (float& channel : whole) channel *= share;
  for (int x = first + 1; x < last; ++x) {
    for (std::size_t c = 0; c < 4; ++c) row[x][c] += whole[c];
  }
  add(row[last], color, (right - static_cast<float>(last)) * share);
}

void accumulate(Band& band, const CoverageRect& rect) {
  const float left = std::max(rect.left, 0.0F);
  const float right = std::min(rect.right, static_cast<float>(band.width));
  const float top = std::max(rect.top, static_cast<float>(band.top));
  const float bottom = std::min(rect.bottom, static_cast<float>(band.bottom));
  if (!(left < right) || !(top < bottom)) return;
  const float alpha = static_cast<float>(rect.fill.a) / 255.0F;
  const Sum color = {static_cast<float>(rect.fill.r) * alpha, static_cast<float>(rect.fill.g) * alpha,
                     static_cast<float>(rect.fill.b) * alpha, alpha};
  const int first = static_cast<int>(left);
  const int last = std::min(static_cast<int>(right), band.width - 1);
  const int first_row = static_cast<int>(top);
  const int last_row = std::min(static_cast<int>(bottom), band.bottom - 1);
  for (int y = first_row; y <= last_row; ++y) {
    const float share = std::min(bottom, static_cast<float>(y + 1)) - std::max(top, static_cast<float>(y));
    accumulate_row(band.sum_row(y), first, last, left, right, color, share);
    std::fill(band.touched_row(y) + first / kStretch, band.touched_row(y) + last / kStretch + 1, std::uint8_t{1});
  }
}

std::uint32_t resolved(const Sum& sum) {
  if (sum[3] == 0) return 0;
  const float scale = 1.0F / std::max(sum[3], 1e-9F);
  const auto r = static_cast<std::uint32_t>(sum[0] * scale + 0.5F);
  const auto g = static_cast<std::uint32_t>(sum[1] * scale + 0.5F);
  const auto b = static_cast<std::uint32_t>(sum[2] * scale + 0.5F);
  const auto a = static_cast<std::uint32_t>(std::min(sum[3], 1.0F) * 255.0F + 0.5F);
  return r | g << 8U | b << 16U | a << 24U;
}

/// The sums become pixels, and are zero again.
void resolve(Band& band) {
  for (int y = band.top; y < band.bottom; ++y) {
    std::uint8_t* touched = band.touched_row(y);
    for (int k = 0; k < band.stretches(); ++k) {
      if (touched[k] == 0) continue;
      touched[k] = 0;
      const int end = std::min(band.width, (k + 1) * kStretch);
      for (int x = k * kStretch; x < end; ++x) {
        Sum& sum = band.sum_row(y)[x];
        band.pixel_row(y)[x] = resolved(sum);
        sum = Sum{};
      }
    }
  }
}

struct PixelRect {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

void fill(Band& band, PixelRect rect, std::uint32_t color) {
  const int left = std::clamp(rect.left, 0, band.width);
  const int right = std::clamp(rect.right, left, band.width);
  const int bottom = std::min(rect.bottom, band.bottom);
  for (int y = std::max(rect.top, band.top); y < bottom; ++y) {
    std::fill(band.pixel_row(y) + left, band.pixel_row(y) + right, color);
  }
}

int rounded(float value) {
  return static_cast<int>(std::lround(std::clamp(value, -1e6F, 1e6F)));
}

/// Large ones get a free pixel to the right and above and a border all around; lower or narrower ones only the border
/// above or to the right: enough to tell neighbours apart, and no free memory where there is none.
void draw_sharp(Band& band, const CoverageRect& rect) {
  constexpr float kRoomy = 8;
  const int gap_x = rect.right - rect.left >= kRoomy ? 1 : 0;
  const int gap_y = rect.bottom - rect.top >= kRoomy ? 1 : 0;
  const PixelRect outer{rounded(rect.left), rounded(rect.top) + gap_y, rounded(rect.right) - gap_x,
                        rounded(rect.bottom)};
  if (outer.bottom <= band.top || outer.top >= band.bottom) return;
  fill(band, outer, packed(rect.edge));
  fill(band, PixelRect{outer.left + gap_x, outer.top + 1, outer.right - 1, outer.bottom - gap_y}, packed(rect.fill));
}

void draw_mark(Band& band, const CoverageRect& rect) {
  const int left = static_cast<int>(std::floor(std::clamp(rect.left, -1e6F, 1e6F)));
  const int top = static_cast<int>(std::floor(std::clamp(rect.top, -1e6F, 1e6F)));
  fill(band, PixelRect{left, top, std::max(left + 1, rounded(rect.right)), std::max(top + 1, rounded(rect.bottom))},
       packed(rect.edge));
}

bool is_sharp(const CoverageRect& rect) {
  return rect.right - rect.left >= kSharp && rect.bottom - rect.top >= kSharp;
}

}  // namespace

std::vector<std::uint32_t> paint_coverage(std::span<const CoverageRect> rects, int width, int height) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const std::size_t band_pixels = rects.size() < kLargeCrowd ? kSmallBand : kLargeBand;
  const int rows = std::max(1, static_cast<int>(band_pixels / static_cast<std::size_t>(std::max(1, width))));
  const auto band_rows = static_cast<std::size_t>(std::min(rows, std::max(0, height)));
  std::vector<Sum> sums(band_rows * static_cast<std::size_t>(width));
  std::vector<std::uint8_t> touched(band_rows * static_cast<std::size_t>((width + kStretch - 1) / kStretch));
  bool any_sharp = false;
  bool any_mark = false;
  for (const CoverageRect& rect : rects) {
    any_mark = any_mark || rect.mark;
    any_sharp = any_sharp || is_sharp(rect);
  }
  for (int top = 0; top < height; top += rows) {
    const int bottom = std::min(height, top + rows);
    Band band{width, top, bottom, &sums, &touched, pixels.data()};
    for (const CoverageRect& rect : rects) {
      if (!rect.mark && !is_sharp(rect)) accumulate(band, rect);
    }
    resolve(band);
    for (const CoverageRect& rect : rects) {
      if (any_sharp && !rect.mark && is_sharp(rect)) draw_sharp(band, rect);
    }
    for (const CoverageRect& rect : rects) {
      if (any_mark && rect.mark) draw_mark(band, rect);
    }
  }
  return pixels;
}

}  // namespace stowage
