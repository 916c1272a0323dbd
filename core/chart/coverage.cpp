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

/// A part of the image that is painted at once.
struct Band {
  PixelRect part;
  int width = 0;                                 // of the whole image
  std::vector<Sum>* sums = nullptr;              // of the part, all zero between bands
  std::vector<std::uint8_t>* touched = nullptr;  // by row and stretch of the part; likewise
  std::uint32_t* pixels = nullptr;               // of the whole image

  int columns() const { return part.right - part.left; }
  int stretches() const { return (columns() + kStretch - 1) / kStretch; }
  Sum* sum_row(int y) { return sums->data() + static_cast<std::ptrdiff_t>(y - part.top) * columns(); }
  std::uint8_t* touched_row(int y) { return touched->data() + static_cast<std::ptrdiff_t>(y - part.top) * stretches(); }
  std::uint32_t* pixel_row(int y) { return pixels + static_cast<std::ptrdiff_t>(y) * width; }
};

void add(Sum& sum, const Sum& color, float share) {
  for (std::size_t c = 0; c < 4; ++c) sum[c] += color[c] * share;
}

/// Columns first to last of one row of a rectangle.
struct Across {
  int first = 0;
  int last = 0;
  float left = 0;
  float right = 0;
};

/// Adds one row of a rectangle, `share` of the row's height being covered.
void accumulate_row(Band& band, int y, const Across& across, const Sum& color, float share) {
  const auto [first, last, left, right] = across;
  const int from = band.part.left;
  const int to = band.part.right;
  Sum* row = band.sum_row(y);
  if (first == last) return add(row[first - from], color, (right - left) * share);
  if (first >= from) add(row[first - from], color, (static_cast<float>(first + 1) - left) * share);
  Sum whole = color;
  for (float& channel : whole) channel *= share;
  const int end = std::min(last, to);
  for (int x = std::max(first + 1, from); x < end; ++x) {
    for (std::size_t c = 0; c < 4; ++c) row[x - from][c] += whole[c];
  }
  if (last < to) add(row[last - from], color, (right - static_cast<float>(last)) * share);
}

void accumulate(Band& band, const CoverageRect& rect) {
  const PixelRect& part = band.part;
  const float left = std::max(rect.left, 0.0F);
  const float right = std::min(rect.right, static_cast<float>(band.width));
  const float top = std::max(rect.top, static_cast<float>(part.top));
  const float bottom = std::min(rect.bottom, static_cast<float>(part.bottom));
  if (!(left < right) || !(top < bottom)) return;
  const int first = static_cast<int>(left);
  const int last = std::min(static_cast<int>(right), band.width - 1);
  if (last < part.left || first >= part.right) return;
  const float alpha = static_cast<float>(rect.fill.a) / 255.0F;
  const Sum color = {static_cast<float>(rect.fill.r) * alpha, static_cast<float>(rect.fill.g) * alpha,
                     static_cast<float>(rect.fill.b) * alpha, alpha};
  const int first_row = static_cast<int>(top);
  const int last_row = std::min(static_cast<int>(bottom), part.bottom - 1);
  const int first_stretch = (std::max(first, part.left) - part.left) / kStretch;
  const int last_stretch = (std::min(last, part.right - 1) - part.left) / kStretch;
  for (int y = first_row; y <= last_row; ++y) {
    const float share = std::min(bottom, static_cast<float>(y + 1)) - std::max(top, static_cast<float>(y));
    accumulate_row(band, y, Across{first, last, left, right}, color, share);
    std::fill(band.touched_row(y) + first_stretch, band.touched_row(y) + last_stretch + 1, std::uint8_t{1});
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
  for (int y = band.part.top; y < band.part.bottom; ++y) {
    std::uint8_t* touched = band.touched_row(y);
    for (int k = 0; k < band.stretches(); ++k) {
      if (touched[k] == 0) continue;
      touched[k] = 0;
      const int end = std::min(band.columns(), (k + 1) * kStretch);
      for (int x = k * kStretch; x < end; ++x) {
        Sum& sum = band.sum_row(y)[x];
        band.pixel_row(y)[band.part.left + x] = resolved(sum);
        sum = Sum{};
      }
    }
  }
}

void fill(Band& band, PixelRect rect, std::uint32_t color) {
  const PixelRect& part = band.part;
  const int left = std::clamp(rect.left, part.left, part.right);
  const int right = std::clamp(rect.right, left, part.right);
  const int bottom = std::min(rect.bottom, part.bottom);
  for (int y = std::max(rect.top, part.top); y < bottom; ++y) {
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
  if (outer.bottom <= band.part.top || outer.top >= band.part.bottom) return;
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

constexpr std::size_t kRectsBetweenLooks = std::size_t{1} << 15U;  // rectangles

/// Calls draw(rect) for each rectangle; false when it has been told to stop.
template <typename Draw>
bool for_all(std::span<const CoverageRect> rects, const std::stop_token& stop, Draw&& draw) {
  for (std::size_t begin = 0; begin < rects.size(); begin += kRectsBetweenLooks) {
    if (stop.stop_requested()) return false;
    for (const CoverageRect& rect : rects.subspan(begin, std::min(kRectsBetweenLooks, rects.size() - begin)))
      draw(rect);
  }
  return true;
}

/// Paints all rows of `part`, whose pixels are 0, in bands. False when it has been told to stop.
bool paint_part(std::vector<std::uint32_t>& pixels, int width, const PixelRect& part,
                std::span<const CoverageRect> rects, const std::stop_token& stop) {
  const std::size_t band_pixels = rects.size() < kLargeCrowd ? kSmallBand : kLargeBand;
  const int columns = part.right - part.left;
  const int rows = std::max(1, static_cast<int>(band_pixels / static_cast<std::size_t>(std::max(1, columns))));
  const auto band_rows = static_cast<std::size_t>(std::clamp(part.bottom - part.top, 0, rows));
  std::vector<Sum> sums(band_rows * static_cast<std::size_t>(columns));
  std::vector<std::uint8_t> touched(band_rows * static_cast<std::size_t>((columns + kStretch - 1) / kStretch));
  bool any_sharp = false;
  bool any_mark = false;
  for (const CoverageRect& rect : rects) {
    any_mark = any_mark || rect.mark;
    any_sharp = any_sharp || is_sharp(rect);
  }
  for (int top = part.top; top < part.bottom; top += rows) {
    const PixelRect rows_of_band{part.left, top, part.right, std::min(part.bottom, top + rows)};
    Band band{rows_of_band, width, &sums, &touched, pixels.data()};
    const bool summed = for_all(rects, stop, [&](const CoverageRect& rect) {
      if (!rect.mark && !is_sharp(rect)) accumulate(band, rect);
    });
    if (!summed) return false;
    resolve(band);
    const bool drawn = !any_sharp || for_all(rects, stop, [&](const CoverageRect& rect) {
      if (!rect.mark && is_sharp(rect)) draw_sharp(band, rect);
    });
    if (!drawn) return false;
    for (const CoverageRect& rect : rects) {
      if (any_mark && rect.mark) draw_mark(band, rect);
    }
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> paint_coverage(std::span<const CoverageRect> rects, int width, int height,
                                          const std::stop_token& stop) {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  paint_part(pixels, width, PixelRect{0, 0, width, height}, rects, stop);
  return pixels;
}

void repaint_coverage(std::vector<std::uint32_t>& pixels, int width, int height, const PixelRect& part,
                      std::span<const CoverageRect> rects) {
  const PixelRect inside{std::clamp(part.left, 0, width), std::clamp(part.top, 0, height),
                         std::clamp(part.right, 0, width), std::clamp(part.bottom, 0, height)};
  if (inside.left >= inside.right || inside.top >= inside.bottom) return;
  for (int y = inside.top; y < inside.bottom; ++y) {
    const auto row = pixels.begin() + static_cast<std::ptrdiff_t>(y) * width;
    std::fill(row + inside.left, row + inside.right, 0U);
  }
  paint_part(pixels, width, inside, rects, {});
}

}  // namespace stowage
