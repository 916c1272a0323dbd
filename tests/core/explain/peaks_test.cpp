#include "core/explain/peaks.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/model/metrics.h"
#include "tests/support/buffer.h"
#include "tests/support/random_problem.h"

using namespace stowage;
using namespace stowage::testing;

TEST_CASE("peaks: local maxima, the highest first and of equal ones the earlier") {
  const std::vector<LoadPoint> curve = {{0, 5}, {2, 9}, {4, 3}, {6, 7}, {8, 8}, {9, 2}, {10, 9}, {12, 0}};
  const std::vector<LoadPeak> peaks = load_peaks(curve);
  CHECK(peaks == std::vector<LoadPeak>{{2, 4, 9}, {10, 12, 9}, {8, 9, 8}});
  CHECK(load_peaks({}).empty());
}

TEST_CASE("peaks: a gap is a valley, and a curve that starts high has a peak there") {
  const std::vector<LoadPoint> curve = {{-3, 4}, {0, 0}, {5, 4}, {6, 0}};
  CHECK(load_peaks(curve) == std::vector<LoadPeak>{{-3, 0, 4}, {5, 6, 4}});
}

TEST_CASE("peaks: who is live adds up to the load at every moment, gaps and windows included") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);

    RandomShape shape;
    shape.gaps = true;
    shape.spaces = true;
    shape.empty_ones = true;
    const Problem problem = random_problem(seed, shape);
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      const std::vector<LoadPoint> curve = load_curve(problem, space);
      for (const LoadPoint& point : curve) {
        const std::vector<LiveBuffer> live = live_by_size(problem, point.time, space);
        std::int64_t sum = 0;
        for (const LiveBuffer& one : live) sum += one.bytes;
        CHECK(sum == point.load);
        CHECK(std::is_sorted(live.begin(), live.end(),
                             [](const LiveBuffer& a, const LiveBuffer& b) { return a.bytes > b.bytes; }));
      }
      const std::vector<LoadPeak> peaks = load_peaks(curve);
      const ProblemMetrics facts = measure(problem, space);
      CHECK(peaks.empty() == (facts.load == 0));
      if (!peaks.empty()) CHECK(peaks.front() == LoadPeak{facts.peak_start, facts.peak_end, facts.load});
    }
  }
}
