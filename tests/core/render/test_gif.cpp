#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/chart/figure.h"
#include "core/render/cairo_painter.h"
#include "core/render/gif_writer.h"
#include "core/render/png_pixels.h"
#include "tests/core/chart/examples.h"
#include "tests/support/gif_film.h"

namespace stowage {
namespace {

/// A chart that fills, buffer by buffer.
std::vector<std::string> frames_of(const Problem& problem, std::size_t count, float width) {
  const CairoTextMeasure measure;
  const Plan whole = testing::first_fit(problem);
  std::vector<std::string> frames;
  for (std::size_t k = 0; k < count; ++k) {
    Plan plan = whole;
    for (std::size_t i = k; i < plan.offsets.size(); ++i) plan.offsets[i] = kNoOffset;
    FigureInput input;
    input.problem = &problem;
    input.plan = &plan;
    input.partial = true;
    input.title = "film";
    input.width = width;
    input.height = 240;
    frames.push_back(
        paint(make_figure(input, dark_theme(), measure), PictureFormat::kPng, 1, dark_theme().background).value());
  }
  return frames;
}

std::string gif_of(const std::vector<std::string>& frames, int fps) {
  GifWriter gif = GifWriter::make(fps).value();
  std::string bytes;
  for (const std::string& frame : frames) bytes += gif.add(frame).value();
  return bytes + std::move(gif).finish();
}

TEST_CASE("gif: giflib reads the frames back, with their size, delay and colours") {
  const std::vector<std::string> frames = frames_of(testing::everything(), 6, 320);
  const testing::GifFilm film = testing::read_gif(gif_of(frames, 5));
  CHECK(film.width == 320);
  CHECK(film.height == 240);
  CHECK(film.repeats);
  REQUIRE(film.frames.size() == frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    CHECK(film.delays[k] == 20);
    CHECK(testing::mean_difference(film.frames[k], pixels_of_png(frames[k]).value().colours) < 1);
  }
  // After the first frame only what has changed.
  CHECK(film.written < frames.size() * 320 * 240);
}

TEST_CASE("gif: delays of many frames add up to the time, none is shorter than viewers show") {
  const std::vector<std::string> frames(13, frames_of(testing::everything(), 1, 320).front());
  int sum = 0;
  for (const int delay : testing::read_gif(gif_of(frames, 12)).delays) sum += delay;
  CHECK(sum == 108);
  for (const int delay : testing::read_gif(gif_of(frames, 60)).delays) CHECK(delay == 2);
}

TEST_CASE("gif: bytes come out frame by frame, and a frame like the one before costs next to nothing") {
  const std::string frame = frames_of(testing::everything(), 1, 320).front();
  GifWriter gif = GifWriter::make(12).value();
  CHECK(gif.add(frame).value().size() > 1'000);
  for (int k = 0; k < 3; ++k) CHECK(gif.add(frame).value().size() < 64);
  CHECK(std::move(gif).finish() == ";");
}

TEST_CASE("gif: frames of another size and what is no PNG are errors") {
  const Problem problem = testing::everything();
  GifWriter gif = GifWriter::make(12).value();
  REQUIRE(gif.add(frames_of(problem, 1, 320).front()).has_value());
  CHECK(gif.add(frames_of(problem, 1, 330).front()).error().message == "the frames differ in size");
  CHECK_FALSE(gif.add("no picture").has_value());
}

}  // namespace
}  // namespace stowage
