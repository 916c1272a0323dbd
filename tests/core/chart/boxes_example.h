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

}  // namespace stowage::testing
