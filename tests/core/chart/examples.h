#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/model/plan.h"
#include "core/model/problem.h"
#include "tests/support/buffer.h"

/// Problems and plans for the tests of the chart, without readers and allocators.
namespace stowage::testing {

/// Lowest free offset in the order of falling size, ignoring gaps; quadratic in what is live at once.
inline Plan first_fit(const Problem& problem) {
  std::vector<BufferIndex> order;
  for (BufferIndex i = 0; i < problem.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    if (problem[a].is_fixed() != problem[b].is_fixed()) return problem[a].is_fixed();
    return problem[a].size > problem[b].size;
  });
  Plan plan;
  plan.allocator = "first-fit-size";
  plan.offsets.assign(problem.size(), 0);
  std::vector<std::pair<std::int64_t, BufferIndex>> placed;  // by offset
  for (const BufferIndex i : order) {
    const Buffer& buffer = problem[i];
    std::int64_t offset = problem.grid(i).up(0);
    for (const auto& [other_offset, j] : placed) {
      const Buffer& other = problem[j];
      if (other.space != buffer.space || other.end <= buffer.start || buffer.end <= other.start) continue;
      if (other_offset >= offset + buffer.size) break;
      if (other_offset + other.size > offset) offset = problem.grid(i).up(other_offset + other.size);
    }
    if (buffer.is_fixed()) offset = buffer.fixed;
    plan.offsets[i] = offset;
    if (!buffer.takes_memory()) continue;
    const std::pair<std::int64_t, BufferIndex> entry{offset, i};
    placed.insert(std::lower_bound(placed.begin(), placed.end(), entry), entry);
  }
  return plan;
}

/// id,lower,upper,size in any order of columns; nothing else is understood.
inline Problem read_simple_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::map<std::string, std::size_t> columns;
  for (const std::string& name : split(trim(line), ',')) columns.emplace(trim(name), columns.size());
  ProblemInput input;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(trim(line), ',');
    if (cells.size() < columns.size()) continue;
    const auto number = [&](const char* column) {
      return parse_int(cells[columns.at(column)]).value_or(0);
    };
    input.add(cells[columns.at("id")], buffer(number("lower"), number("upper"), number("size")));
  }
  return make_problem(std::move(input)).value();
}

/// One buffer of each sort that is drawn in its own way.
inline Problem everything() {
  ProblemInput input;
  input.name = "everything";
  input.capacity = 700;
  const std::uint16_t kinds[] = {input.kind_index("activation"), input.kind_index("weight"),
                                 input.kind_index("workspace"), input.kind_index("gradient"),
                                 input.kind_index("a kind with a rather long name")};
  Buffer padded = buffer(2, 20, 100);
  padded.alignment = 64;
  padded.kind = kinds[0];
  input.add("padded", padded);
  Buffer pinned = buffer(30, 55, 90);
  pinned.fixed = 300;
  pinned.kind = kinds[1];
  input.add("pinned", pinned);
  Details gaps;
  gaps.gaps = {Gap{24, 30, std::nullopt}, Gap{36, 42, Window{0, 40}}};
  Buffer holed = buffer(20, 50, 120);
  holed.kind = kinds[2];
  input.add("with gaps", holed, gaps);
  Details open;
  open.open_start = true;
  open.open_end = true;
  Buffer lasting = buffer(8, 62, 60);
  lasting.kind = kinds[3];
  input.add("open at both ends", lasting, open);
  Buffer clash = buffer(40, 60, 80);
  clash.fixed = 350;
  clash.kind = kinds[4];
  input.add("collides \xE2\x9C\x93 \xE6\xBC\xA2", clash);
  input.add("no size", buffer(4, 16, 0));
  input.add("no time", buffer(62, 62, 150));
  input.add("a very long name that can never fit into its rectangle", buffer(0, 6, 50));
  input.add("broken \xFF\xC3 utf-8", buffer(52, 66, 70));
  return make_problem(std::move(input)).value();
}

/// Buffers of random sizes with lives of random lengths, some of them far below a pixel.
inline Problem random_problem(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  ProblemInput input;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t start = random.uniform(0, static_cast<std::int64_t>(count));
    const std::int64_t size = std::int64_t{1} << static_cast<unsigned>(random.uniform(0, 20));
    input.add(fmt::format("b{}", i), buffer(start, start + random.uniform(1, 40), size));
  }
  return make_problem(std::move(input)).value();
}

}  // namespace stowage::testing
