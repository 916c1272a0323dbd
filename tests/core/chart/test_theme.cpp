#include <algorithm>
#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "core/chart/theme.h"

namespace stowage {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// Machado, Oliveira, Fernandes: "A physiologically-based model for simulation of color vision deficiency" (2009), full
// severity, in linear light.
constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple times(const Matrix& m, const Triple& v) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return result;
}

Triple lab(Color color, const Matrix& vision) {
  Triple light = times(vision, Triple{linear(color.r), linear(color.g), linear(color.b)});
  for (double& channel : light) channel = std::clamp(channel, 0.0, 1.0);
  constexpr Matrix kXyz = {{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  Triple xyz = times(kXyz, light);
  xyz[0] /= 0.95047;
  xyz[2] /= 1.08883;
  for (double& t : xyz) t = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  return Triple{116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double difference(const Triple& a, const Triple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST_CASE("theme: labels read on every fill") {
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    for (std::size_t k = 0; k < 8; ++k) {
      CAPTURE(k);
      CHECK(contrast(theme->label(k), theme->fill(k)) >= 4.5);
    }
  }
}

TEST_CASE("theme: text and dim text read on cards") {
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    CHECK(contrast(theme->text, theme->card) >= 7);
    CHECK(contrast(theme->dim, theme->card) >= 4.5);
    CHECK(contrast(theme->text, theme->raised) >= 7);
    CHECK(contrast(theme->on_accent, theme->accent) >= 4.5);
  }
}

TEST_CASE("theme: categories can be told apart, with red-blind and green-blind eyes too") {
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    for (const Matrix& vision : {kNormal, kProtanopia, kDeuteranopia}) {
      for (std::size_t a = 0; a < 8; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          CAPTURE(a);
          CAPTURE(b);
          CHECK(difference(lab(theme->fill(a), vision), lab(theme->fill(b), vision)) >= 10);
        }
      }
    }
  }
}

TEST_CASE("theme: found by name") {
  CHECK(find_theme("dark") == &dark_theme());
  CHECK(find_theme("light") == &light_theme());
  CHECK(find_theme("Dark") == nullptr);
  CHECK(mix(rgb(0x000000), rgb(0xFFFFFF), 0.5) == rgb(0x808080));
}

}  // namespace
}  // namespace stowage
