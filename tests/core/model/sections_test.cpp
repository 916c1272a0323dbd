#include "core/model/sections.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/model/conflicts.h"
#include "core/model/load_curve.h"
#include "core/model/problem.h"
#include "tests/support/conformance.h"
#include "tests/support/random_problem.h"
#include "tests/support/shared_data.h"
#include "tests/support/slow_check.h"

using namespace stowage;
using namespace stowage::testing;
using nlohmann::json;

namespace {

json spans_json(const Problem& problem, BufferIndex i) {
  json spans = json::array();
  problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
    spans.push_back({span.first, span.last, span.low, span.high});
  });
  return spans;
}

/// The live set of each section, from the spans.
json sections_json(const Problem& problem) {
  json sections = json::array();
  for (std::size_t s = 0; s < problem.sections().count(); ++s) sections.push_back(json::array());
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    problem.sections().for_each_span(problem[i], i, [&](const Span& span) {
      for (std::int32_t s = span.first; s < span.last; ++s) sections[static_cast<std::size_t>(s)].push_back(i);
    });
  }
  return sections;
}

}  // namespace

TEST_CASE("the sweep gives minimalloc's sections, partitions, spans, overlaps and cuts") {
  STOWAGE_NEED_SHARED(shared);
  const auto cases = conformance_cases(shared / "conformance/minimalloc.json", {"minimalloc-sweep"});
  REQUIRE(cases.size() >= 5);
  for (const ConformanceCase& c : cases) {
    CAPTURE(c.name);
    const json& expected = c.json["expected"];
    CHECK(sections_json(c.problem) == expected["sections"]);
    json found = json::array();
    for (const Partition& p : partitions(c.problem.buffers(), c.problem.sections())) {
      found.push_back({p.buffers, p.first, p.last});
    }
    CHECK(found == expected["partitions"]);
    json spans = json::array();
    for (BufferIndex i = 0; i < c.problem.size(); ++i) spans.push_back(spans_json(c.problem, i));
    CHECK(spans == expected["spans"]);
    json overlaps = json::array();
    for (const auto& list : all_overlaps(c.problem)) {
      json row = json::array();
      for (const Overlap& overlap : list) row.push_back({overlap.other, overlap.effective_size});
      overlaps.push_back(row);
    }
    CHECK(overlaps == expected["overlaps"]);
    CHECK(json(cuts(c.problem.buffers(), c.problem.sections())) == expected["cuts"]);
  }
}

TEST_CASE("a gap splits a lifetime into spans, and the partition lives through it") {
  ProblemInput input;
  Buffer b;
  b.end = 10;
  b.size = 4;
  Details details;
  details.gaps = {{3, 6, {}}};
  input.add("gappy", b, details);
  b.start = 4;
  b.end = 5;
  b.size = 7;
  input.add("inside", b);
  const Problem problem = make_problem(input).value();
  CHECK(problem.sections().count() == 3);
  CHECK(problem.sections().load() == 7);
  CHECK(partitions(problem.buffers(), problem.sections()).size() == 1);
  CHECK_FALSE(conflict(problem, 0, 1));
}

TEST_CASE("sections and load curve agree with load(t) taken from its definition") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.gaps = seed % 2 == 0;
    shape.spaces = seed % 3 == 0;
    shape.empty_ones = seed % 5 == 0;
    const Problem problem = random_problem(seed, shape);
    std::int64_t highest = 0;
    for (std::uint16_t space = 0; space < problem.spaces().size(); ++space) {
      const auto curve = load_curve(problem, space);
      std::int64_t of_space = 0;
      for (std::int64_t t = -10; t < 60; ++t) {
        CHECK(load_at(curve, t) == slow_load(problem, t, space));
        of_space = std::max(of_space, slow_load(problem, t, space));
      }
      CHECK(problem.sections().load_of_space(space) == of_space);
      highest = std::max(highest, of_space);
    }
    CHECK(problem.sections().load() == highest);
    if (problem.sections().peak() >= 0) {
      const Section& peak = problem.sections()[static_cast<std::size_t>(problem.sections().peak())];
      CHECK(peak.load == highest);
      CHECK(peak.start < peak.end);
    }
  }
}

TEST_CASE("buffers without gaps conflict exactly when their section ranges overlap") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.spaces = seed % 2 == 0;
    shape.empty_ones = true;
    const Problem problem = random_problem(seed, shape);
    for (BufferIndex a = 0; a < problem.size(); ++a) {
      for (BufferIndex b = 0; b < problem.size(); ++b) {
        if (a == b) continue;
        const bool by_definition = problem[a].takes_memory() && problem[b].takes_memory() &&
                                   problem[a].space == problem[b].space && problem[a].start < problem[b].end &&
                                   problem[b].start < problem[a].end;
        const SectionRange ra = problem.sections().range(a);
        const SectionRange rb = problem.sections().range(b);
        CHECK((ra.length() > 0 && rb.length() > 0 && ra.overlaps(rb)) == by_definition);
      }
    }
  }
}

TEST_CASE("partitions are the connected components of the lifetimes that touch through time") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    RandomShape shape;
    shape.horizon = 200;
    const Problem problem = random_problem(seed, shape);
    std::set<BufferIndex> seen;
    for (const Partition& p : partitions(problem.buffers(), problem.sections())) {
      for (const BufferIndex i : p.buffers) {
        CHECK(seen.insert(i).second);
        const SectionRange range = problem.sections().range(i);
        CHECK(range.first >= p.first);
        CHECK(range.last <= p.last);
      }
    }
    const auto crossing = cuts(problem.buffers(), problem.sections());
    for (std::size_t s = 0; s < crossing.size(); ++s) {
      std::int32_t count = 0;
      for (const SectionRange& range : problem.sections().ranges()) {
        if (range.first <= static_cast<std::int32_t>(s) && range.last >= static_cast<std::int32_t>(s) + 2) ++count;
      }
      CHECK(crossing[s] == count);
    }
  }
}
