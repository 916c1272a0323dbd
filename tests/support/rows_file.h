#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/model/problem.h"

namespace stowage::testing {

/// A file whose rows are id,lower,upper,size after a first line with these names; half-open times. For tests that
/// should not need the readers.
inline Problem read_rows(const std::filesystem::path& path, std::optional<std::int64_t> capacity = std::nullopt) {
  ProblemInput input;
  input.capacity = capacity;
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line, ',');
    Buffer buffer;
    buffer.start = parse_int(cells[1]).value();
    buffer.end = parse_int(cells[2]).value();
    buffer.size = parse_int(cells[3]).value();
    input.add(cells[0], buffer);
  }
  return make_problem(std::move(input)).value();
}

}  // namespace stowage::testing
