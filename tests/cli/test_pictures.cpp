#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {
namespace {

/// Width and height in the header of a PNG.
std::pair<int, int> png_size(const std::string& bytes) {
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value * 256 + static_cast<unsigned char>(bytes.at(at + k));
    return value;
  };
  return {number(16), number(20)};
}

}  // namespace

TEST_CASE("export: pixels are size times scale, with a plan of the file or a new one") {
  const Bench bench;
  bench.write("plan.csv", kToyPlan);
  bench.write("toy.csv", kToy);
  CHECK(bench.run({"export", "plan.csv", "--png", "a.png"}).code == 0);
  CHECK(png_size(bench.read("a.png")) == std::pair(1600, 1000));
  CHECK(bench.run({"export", "toy.csv", "--png", "b.png", "--size", "800x500", "--scale", "2"}).code == 0);
  CHECK(png_size(bench.read("b.png")) == std::pair(1600, 1000));
  CHECK(bench.run({"export", "toy.csv", "--allocator", "naive", "--png", "c.png", "--size", "640x400"}).code == 0);
  CHECK(png_size(bench.read("c.png")) == std::pair(640, 400));
}

TEST_CASE("export: theme, labels, view and allocator change the picture") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const std::vector<std::vector<std::string>> variants = {
      {}, {"--theme", "light"}, {"--labels", "off"}, {"--view", "load"}, {"--allocator", "naive"}};
  std::vector<std::string> pictures;
  for (const std::vector<std::string>& variant : variants) {
    std::vector<std::string> line = {"export", "toy.csv", "--svg", "x.svg"};
    line.insert(line.end(), variant.begin(), variant.end());
    CHECK(bench.run(line).code == 0);
    pictures.push_back(bench.read("x.svg"));
  }
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(pictures[i] != pictures[j]);
  }
}

TEST_CASE("export: a picture can go to standard output, an unreadable file gives none") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran ran = bench.run({"export", "toy.csv", "--svg", "-"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "<svg"));
  CHECK(bench.run({"export", "none.csv", "--png", "n.png"}).code == 3);
  CHECK_FALSE(bench.has("n.png"));
}

}  // namespace stowage::testing
