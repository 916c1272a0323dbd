#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/model/problem.h"
#include "tests/support/conformance_problem.h"

namespace stowage::testing {

/// One case of a conformance file; `json` keeps everything else it says.
struct ConformanceCase {
  std::string name;
  std::string allocator;
  Problem problem;
  nlohmann::json json;
};

/// The cases of one file whose "allocator" is one of these.
inline std::vector<ConformanceCase> conformance_cases(const std::filesystem::path& file,
                                                      const std::vector<std::string>& wanted) {
  std::ifstream stream(file);
  std::vector<ConformanceCase> cases;
  for (const nlohmann::json& json : nlohmann::json::parse(stream)) {
    const std::string allocator = json.value("allocator", "");
    if (std::find(wanted.begin(), wanted.end(), allocator) == wanted.end()) continue;
    Result<Problem> problem = ConformanceReader(json).read();
    if (!problem) throw std::runtime_error(json.value("name", "") + ": " + problem.error().message);
    cases.push_back({json["name"], allocator, std::move(*problem), json});
  }
  return cases;
}

}  // namespace stowage::testing
