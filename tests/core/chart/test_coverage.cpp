#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/coverage.h"

namespace stowage {
namespace {

double painted(const std::vector<std::uint32_t>& pixels) {
  double sum = 0;
  for (const std::uint32_t pixel : pixels) sum += (pixel >> 24U) / 255.0;
  return sum;
}

CoverageRect small(float left, float top, float width, float height) {
  return CoverageRect{left, top, left + width, top + height, rgb(0x4080C0), rgb(0xFFFFFF), false};
}

TEST_CASE("coverage: the painted area of sub-pixel rectangles is their true area") {
  Random random(31);
  std::vector<CoverageRect> rects;
  double area = 0;
  // One rectangle in each cell of a grid, so that none overlap.
  for (int y = 0; y < 150; ++y) {
    for (int x = 0; x < 200; ++x) {
      const auto width = static_cast<float>(0.2 + random.unit() * 0.8) * 3;
      const auto height = static_cast<float>(0.2 + random.unit() * 0.8) * 2;
      rects.push_back(small(static_cast<float>(x) * 3, static_cast<float>(y) * 2, width, height));
      area += static_cast<double>(width) * static_cast<double>(height);
    }
  }
  CHECK(painted(paint_coverage(rects, 600, 300)) == doctest::Approx(area).epsilon(0.01));
}

TEST_CASE("coverage: each pixel gets the share that rectangles cover, wherever they begin and end") {
  Random random(32);
  for (const int width : {1, 31, 32, 33, 700}) {
    constexpr int kHeight = 400;  // several bands of a wide image
    std::vector<CoverageRect> rects;
    for (int k = 0; k < 60; ++k) {
      const auto left = static_cast<float>(random.unit() * width);
      const auto top = static_cast<float>(random.unit() * kHeight);
      rects.push_back(small(left, top, static_cast<float>(random.unit() * 80), static_cast<float>(random.unit() * 3)));
    }
    const std::vector<std::uint32_t> pixels = paint_coverage(rects, width, kHeight);
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < width; ++x) {
        double covered = 0;
        for (const CoverageRect& rect : rects) {
          const double across = std::min<double>(x + 1, rect.right) - std::max<double>(x, rect.left);
          const double down = std::min<double>(y + 1, rect.bottom) - std::max<double>(y, rect.top);
          if (across > 0 && down > 0) covered += across * down;
        }
        const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
        const double alpha = (pixels[at] >> 24U) / 255.0;
        wrong += std::abs(alpha - std::min(1.0, covered)) > 0.01 ? 1 : 0;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("coverage: a full memory has no stripe of background, however thin its rows are") {
  for (const float height : {0.013F, 0.37F, 0.9F, 1.0F, 1.7F, 2.3F, 3.9F, 4.6F, 7.3F}) {
    std::vector<CoverageRect> rects;
    for (int row = 0; static_cast<float>(row) * height < 100; ++row) {
      rects.push_back(small(-5, static_cast<float>(row) * height, 250, height));
    }
    CAPTURE(height);
    for (const std::uint32_t pixel : paint_coverage(rects, 200, 100)) CHECK_GE(pixel >> 24U, 250U);
  }
}

TEST_CASE("coverage: free memory between rows shows its true share") {
  std::vector<CoverageRect> rects;
  for (int row = 0; row < 1000; ++row) rects.push_back(small(0, static_cast<float>(row) * 0.1F, 50, 0.05F));
  for (const std::uint32_t pixel : paint_coverage(rects, 50, 100)) {
    CHECK(std::abs(static_cast<int>(pixel >> 24U) - 128) <= 3);
  }
}

TEST_CASE("coverage: large rectangles are sharp, with their border inside") {
  const std::vector<CoverageRect> rects = {CoverageRect{2.2F, 3.1F, 22.4F, 13.3F, rgb(0x102030), rgb(0xA0B0C0), false}};
  const std::vector<std::uint32_t> pixels = paint_coverage(rects, 30, 20);
  const auto at = [&](std::size_t x, std::size_t y) {
    return pixels[y * 30 + x];
  };
  CHECK(at(1, 8) == 0);
  CHECK(at(2, 8) == 0xFFC0B0A0U);
  CHECK(at(3, 8) == 0xFF302010U);
  CHECK(at(20, 8) == 0xFFC0B0A0U);
  CHECK(at(21, 8) == 0);
  CHECK(at(10, 3) == 0);
  CHECK(at(10, 4) == 0xFFC0B0A0U);
  CHECK(at(10, 12) == 0xFFC0B0A0U);
  CHECK(at(10, 13) == 0);
}

TEST_CASE("coverage: marks never vanish and bands leave no seams") {
  std::vector<CoverageRect> rects = {CoverageRect{5, 7.2F, 5, 7.2F, rgb(1), rgb(0xFF0000), true}};
  CHECK(painted(paint_coverage(rects, 20, 20)) == doctest::Approx(1));
  // More than one band of rows; the large rectangle leaves one free pixel on two sides.
  const std::vector<CoverageRect> whole = {small(0, 0, 3000, 3.5F), small(0, 3.5F, 3000, 1996.5F)};
  CHECK(painted(paint_coverage(whole, 3000, 2000)) == doctest::Approx(3000.0 * 2000).epsilon(0.002));
}

TEST_CASE("coverage: a part that is painted anew has the bits of a whole new image, and the rest stays") {
  Random random(33);
  constexpr int kWidth = 130;
  constexpr int kHeight = 90;
  const auto any = [&] {
    const auto left = static_cast<float>(random.unit() * (kWidth + 20) - 10);
    const auto top = static_cast<float>(random.unit() * (kHeight + 20) - 10);
    const double extent = random.uniform(0, 3) == 0 ? 30 : 3;
    CoverageRect rect =
        small(left, top, static_cast<float>(random.unit() * extent), static_cast<float>(random.unit() * 9));
    rect.fill = rgb(static_cast<std::uint32_t>(random.uniform(0, 0xFFFFFF)));
    rect.mark = random.uniform(0, 20) == 0;
    return rect;
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<CoverageRect> rects;
    for (int k = 0; k < 400; ++k) rects.push_back(any());
    std::vector<std::uint32_t> pixels = paint_coverage(rects, kWidth, kHeight);
    const auto moved = static_cast<std::size_t>(random.uniform(0, 399));
    const CoverageRect was = rects[moved];
    rects[moved] = any();
    for (const CoverageRect& rect : {was, rects[moved]}) {
      const PixelRect part{static_cast<int>(std::floor(rect.left)) - 1, static_cast<int>(std::floor(rect.top)) - 1,
                           static_cast<int>(std::ceil(rect.right)) + 2, static_cast<int>(std::ceil(rect.bottom)) + 2};
      repaint_coverage(pixels, kWidth, kHeight, part, rects);
    }
    CHECK(pixels == paint_coverage(rects, kWidth, kHeight));
  }
}

TEST_CASE("coverage: rectangles outside of the image, far away or empty do no harm") {
  const std::vector<CoverageRect> rects = {small(-1e9F, -1e9F, 10, 10), small(1e9F, 5, 10, 10), small(5, 5, 0, 0),
                                           small(-1e8F, 5, 2e8F, 0.5F), small(19.9F, 19.9F, 5, 5)};
  const std::vector<std::uint32_t> pixels = paint_coverage(rects, 20, 20);
  CHECK(pixels.size() == 400);
  CHECK(painted(pixels) == doctest::Approx(10).epsilon(0.02));
}

}  // namespace
}  // namespace stowage
