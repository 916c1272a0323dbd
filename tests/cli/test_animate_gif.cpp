#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/render/png_pixels.h"
#include "tests/cli/program.h"
#include "tests/support/gif_film.h"

namespace stowage::testing {
namespace {

Ran film(const Bench& bench, const std::vector<std::string>& more) {
  std::vector<std::string> line = {"animate", "toy.csv", "-a", "first-fit", "--size", "320x200"};
  line.insert(line.end(), more.begin(), more.end());
  return bench.run(line);
}

}  // namespace

TEST_CASE("animate: a GIF needs no other program; it shows the frames at their pace") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const std::string before = std::getenv("PATH");
  setenv("PATH", bench.path("nowhere").c_str(), 1);
  const Ran ran = film(bench, {"--out", "film.gif", "--to-step", "5", "--fps", "5"});
  setenv("PATH", before.c_str(), 1);
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "written: film.gif (6 frames"));
  CHECK(film(bench, {"--out", "film", "--to-step", "5"}).code == 0);
  const GifFilm read = read_gif(bench.read("film.gif"));
  CHECK(read.width == 320);
  CHECK(read.height == 200);
  CHECK(read.repeats);
  REQUIRE(read.frames.size() == 6);
  for (std::size_t k = 0; k < read.frames.size(); ++k) {
    CHECK(read.delays[k] == 20);
    const auto png = pixels_of_png(bench.read(fmt::format("film/frame_{:05}.png", k + 1)));
    REQUIRE(png.has_value());
    CHECK(mean_difference(read.frames[k], png->colours) < 1);
  }
}

TEST_CASE("animate: a GIF takes the place of an older one, keeps its permissions and leaves nothing else") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("film.gif", "something old");
  std::filesystem::permissions(bench.path("film.gif"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto before = bench.files();
  CHECK(film(bench, {"--out", "film.gif", "--max-frames", "3"}).code == 0);
  CHECK(bench.files() == before);
  CHECK(read_gif(bench.read("film.gif")).frames.size() == 3);
  CHECK(std::filesystem::status(bench.path("film.gif")).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("animate: a GIF that fails leaves the older one") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  bench.write("film.gif", "something old");
  const auto before = bench.files();
  CHECK(film(bench, {"--out", "film.gif", "--from-step", "99999"}).code == 2);
  CHECK(bench.read("film.gif") == "something old");
  CHECK(bench.files() == before);
}

}  // namespace stowage::testing
