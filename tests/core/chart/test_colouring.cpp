#include <set>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "core/chart/colouring.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;

namespace {

Problem problem_of(std::vector<Buffer> buffers) {
  ProblemInput input;
  for (std::size_t i = 0; i < buffers.size(); ++i) input.add("b" + std::to_string(i), buffers[i]);
  return make_problem(std::move(input)).value();
}

}  // namespace

TEST_CASE("colouring: every choice gives each buffer one of the classes that the legend can name") {
  const Problem problem = problem_of({buffer(0, 4, 10), buffer(2, 900, 1'000'000), buffer(5, 9, 0)});
  const std::vector<std::int64_t> offsets = {0, 10, kNoOffset};
  ColouringInput input;
  input.problem = &problem;
  input.offsets = &offsets;
  std::set<std::string_view> ids;
  for (const ColourChoice& choice : colour_choices()) {
    INFO(choice.title);
    const Colouring colouring = colour_by(choice.by, input);
    REQUIRE(colouring.classes.size() == problem.size());
    for (const std::uint8_t k : colouring.classes) CHECK(k < Colouring::kMost);
    CHECK(colouring.legend.size() <= Colouring::kMost);
    CHECK(ids.insert(choice.id).second);
  }
}

TEST_CASE("colouring: larger buffers are in higher classes, and the bounds of the legend hold") {
  std::vector<Buffer> buffers;
  for (int power = 0; power < 40; ++power) buffers.push_back(buffer(0, 1 + power, std::int64_t{1} << power));
  const Problem problem = problem_of(buffers);
  const std::vector<std::int64_t> none;
  ColouringInput input;
  input.problem = &problem;
  input.offsets = &none;
  const Colouring colouring = colour_by(ColourBy::kSize, input);
  CHECK(colouring.ordered);
  CHECK(colouring.legend.size() == 8);
  for (std::size_t i = 1; i < buffers.size(); ++i) CHECK(colouring.classes[i] >= colouring.classes[i - 1]);
  CHECK(colouring.classes.front() == 0);
  CHECK(colouring.classes.back() == colouring.legend.size() - 1);
}

TEST_CASE("colouring: moved tells up, down, same and only here") {
  const Problem problem = problem_of({buffer(0, 1, 1), buffer(0, 1, 1), buffer(0, 1, 1), buffer(0, 1, 1)});
  const std::vector<std::int64_t> here = {0, 5, 1, 9};
  const std::vector<std::int64_t> there = {0, 1, 5, kNoOffset};
  ColouringInput input;
  input.problem = &problem;
  input.offsets = &here;
  input.compared = &there;
  CHECK(colour_by(ColourBy::kMoved, input).classes == std::vector<std::uint8_t>{0, 1, 2, 3});
}

TEST_CASE("colouring: buffers at one address share a colour") {
  const Problem problem = problem_of({buffer(0, 1, 1), buffer(1, 2, 1), buffer(0, 1, 1)});
  const std::vector<std::int64_t> offsets = {0, 0, 1};
  ColouringInput input;
  input.problem = &problem;
  input.offsets = &offsets;
  const Colouring colouring = colour_by(ColourBy::kStorage, input);
  CHECK(colouring.classes[0] == colouring.classes[1]);
  CHECK(colouring.classes[0] != colouring.classes[2]);
}

TEST_CASE("free_below: how far each buffer could slide down alone, by its definition") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Buffer> buffers;
    std::vector<std::int64_t> offsets;
    for (int i = 0; i < 25; ++i) {
      const auto start = random.uniform(0, 19);
      buffers.push_back(buffer(start, start + 1 + random.uniform(0, 5), 1 + random.uniform(0, 8)));
      offsets.push_back(random.uniform(0, 39));
    }
    const Problem problem = problem_of(buffers);
    const std::vector<std::int64_t> free = free_below(problem, offsets);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::int64_t below = 0;
      for (std::size_t k = 0; k < buffers.size(); ++k) {
        const bool overlap = buffers[k].start < buffers[i].end && buffers[i].start < buffers[k].end;
        const bool under = offsets[k] < offsets[i] || (offsets[k] == offsets[i] && k < i);
        if (overlap && under) below = std::max(below, offsets[k] + buffers[k].size);
      }
      CHECK(free[i] == std::max<std::int64_t>(0, offsets[i] - below));
    }
  }
}

TEST_CASE("palettes: the first is the theme's own, and each gives readable labels") {
  CHECK(with_palette(dark_theme(), palettes().front()).categories == dark_theme().categories);
  for (const Palette& palette : palettes()) {
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
      for (const Theme& shown : {with_palette(*theme, palette), with_ramp(*theme)}) {
        for (std::size_t k = 0; k < 8; ++k) CHECK(contrast(shown.label(k), shown.fill(k)) >= 4.5);
      }
    }
  }
}
