#pragma once

#include <vector>

#include "core/model/box.h"
#include "tests/core/chart/examples.h"

namespace stowage::testing {

/// Three boxes: two side by side in time, the second of them inside the third with a buffer above it.
inline Problem boxed_problem() {
  ProblemInput input;
  input.add("a", buffer(0, 4, 30));
  input.add("b", buffer(1, 5, 30));
  input.add("c", buffer(6, 9, 20));
  input.add("d", buffer(9, 12, 20));
  input.add("e", buffer(5, 12, 50));
  return make_problem(input).value();
}

inline std::vector<Box> boxes_example() {
  const auto box = [](int level, std::int64_t start, std::int64_t end, std::int64_t height,
                      std::vector<BoxMember> members) {
    Box result;
    result.level = level;
    result.start = start;
    result.end = end;
    result.height = height;
    result.members = std::move(members);
    return result;
  };
  const auto of_buffer = [](BufferIndex i) {
    return BoxMember{i, BoxMember::kNone};
  };
  return {box(0, 6, 12, 20, {of_buffer(2), of_buffer(3)}), box(1, 0, 5, 80, {of_buffer(0), of_buffer(1)}),
          box(1, 5, 12, 80, {of_buffer(4), BoxMember{kNoBuffer, 0}})};
}

/// As if box 0 were of a vertical strip, box 1 of rows and box 2 of a horizontal strip.
inline BoxingReport boxes_report() {
  using Kind = BoxingSet::Kind;
  const auto set = [](Kind kind, std::int64_t time, std::uint32_t first, std::uint32_t last) {
    BoxingSet result;
    result.kind = kind;
    result.time = time;
    result.boxes = BoxingRange{first, last};
    return result;
  };
  BoxingReport report;
  report.boxes = 3;
  report.sets = {set(Kind::kGroup, 10, 0, 0), set(Kind::kInnerVertical, 10, 0, 1),
                 set(Kind::kGroup, 3, 1, 1),  set(Kind::kRow, 0, 1, 2),
                 set(Kind::kGroup, 8, 2, 2),  set(Kind::kInnerHorizontal, 8, 2, 3)};
  report.points = {6, 10, 12, 0, 3, 12};
  report.calls.resize(2);
  report.calls[0].start = 6;
  report.calls[0].end = 12;
  report.calls[0].points = BoxingRange{0, 3};
  report.calls[0].sets = BoxingRange{0, 2};
  report.calls[1].end = 12;
  report.calls[1].points = BoxingRange{3, 6};
  report.calls[1].sets = BoxingRange{2, 6};
  report.levels.resize(2);
  report.levels[0].height = 20;
  report.levels[1].height = 80;
  report.boxed_makespan = 70;
  return report;
}

}  // namespace stowage::testing
