#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace stowage::testing {

TEST_CASE("animate: without giflib a GIF is an error that says what helps, and nothing is left") {
  const Bench bench;
  bench.write("toy.csv", kToy);
  const auto before = bench.files();
  const Ran ran = bench.run({"animate", "toy.csv", "-a", "first-fit", "--out", "film.gif"});
  CHECK(ran.code == 3);
  CHECK(contains(ran.err, "libgif-dev"));
  CHECK(bench.files() == before);
}

}  // namespace stowage::testing
