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

TEST_CASE("plan: the boxes of a run as a picture, at the end and after a step") {
  const Bench bench;
  // First fit by size needs more than the load, so that boxes are built.
  bench.write("trap.csv", "id,lower,upper,size\na,0,4,4\nb,3,7,5\nc,0,1,9\nd,6,8,9\ne,1,2,3\nf,4,5,6\n");
  const std::vector<std::string> line = {"plan", "trap.csv", "-a", "idealloc", "--set", "bootstrap=false"};
  const auto picture = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = line;
    all.insert(all.end(), {"--svg", "x.svg"});
    all.insert(all.end(), more.begin(), more.end());
    CHECK(bench.run(all).code == 0);
    return bench.read("x.svg");
  };
  std::vector<std::string> pictures = {picture({}), picture({"--view", "boxes"}),
                                       picture({"--view", "boxes", "--at-step", "0"}), picture({"--at-step", "0"}),
                                       picture({"--at-step", "30"})};
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(pictures[i] != pictures[j]);
  }
  CHECK(bench
            .run({"export", "trap.csv", "-a", "idealloc", "--set", "bootstrap=false", "--view", "boxes", "--png",
                  "y.png"})
            .code == 0);
  CHECK(png_size(bench.read("y.png")) == std::pair(1600, 1000));
}

TEST_CASE("plan: views that make no sense are usage errors, a run without boxes is refused") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const Ran other = bench.run({"plan", "toy.csv", "-a", "first-fit", "--view", "boxes", "--png", "n.png"});
  CHECK(other.code == 2);
  CHECK(contains(other.err, "builds no boxes"));
  CHECK(contains(other.err, "idealloc"));
  CHECK(bench.run({"plan", "toy.csv", "--view", "boxes", "--png", "n.png"}).code == 2);
  CHECK(bench.run({"plan", "toy.csv", "-a", "idealloc", "--view", "boxes"}).code == 2);
  CHECK(bench.run({"plan", "toy.csv", "-a", "idealloc", "--view", "load", "--png", "n.png"}).code == 2);
  CHECK(bench.run({"plan", "toy.csv", "-a", "idealloc", "--at-step", "99999", "--png", "n.png"}).code == 2);
  CHECK(bench.run({"plan", "toy.csv", "-a", "idealloc", "--at-step", "-1", "--png", "n.png"}).code == 2);
  CHECK(bench.run({"export", "toy.csv", "--view", "boxes", "--png", "n.png"}).code == 2);
  CHECK_FALSE(bench.has("n.png"));
  const Ran none = bench.run({"plan", "toy.csv", "-a", "idealloc", "--view", "boxes", "--png", "n.png"});
  CHECK(none.code == 1);  // its first plan is optimal
  CHECK(contains(none.err, "made no boxes"));
  CHECK_FALSE(bench.has("n.png"));
}

}  // namespace stowage::testing
