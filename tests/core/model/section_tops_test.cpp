#include "core/model/section_tops.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"
#include "tests/support/buffer.h"

using namespace stowage;
using stowage::testing::buffer;

TEST_CASE("section tops: the highest end of what is live, section by section, by its definition") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    ProblemInput input;
    std::vector<std::int64_t> offsets;
    for (int i = 0; i < 20; ++i) {
      const std::int64_t start = random.uniform(0, 15);
      input.add("b", buffer(start, start + random.uniform(1, 6), random.uniform(1, 9)));
      offsets.push_back(random.uniform(0, 3) == 0 ? kNoOffset : random.uniform(0, 30));
    }
    const Problem problem = make_problem(std::move(input)).value();
    const std::vector<SectionTop> tops = section_tops(problem, offsets);
    REQUIRE(tops.size() == problem.sections().count());
    for (std::size_t s = 0; s < tops.size(); ++s) {
      std::int64_t top = 0;
      for (BufferIndex i = 0; i < problem.size(); ++i) {
        const bool live = problem[i].start <= tops[s].start && problem[i].end > tops[s].start;
        if (live && offsets[i] != kNoOffset) top = std::max(top, offsets[i] + problem[i].size);
      }
      CHECK(tops[s].top == top);
      CHECK(tops[s].load == problem.sections()[s].load);
    }
  }
}
