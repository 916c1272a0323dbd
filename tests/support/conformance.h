#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/model/problem.h"

namespace stowage::testing {

/// One case of a conformance file; `json` keeps everything else it says.
struct ConformanceCase {
  std::string name;
  std::string allocator;
  Problem problem;
  nlohmann::json json;
};

inline Details conformance_gaps(const nlohmann::json& buffer) {
  Details details;
  for (const auto& gap : buffer.value("gaps", nlohmann::json::array())) {
    Gap parsed{gap["lower"], gap["upper"], {}};
    if (gap.contains("window")) parsed.window = Window{gap["window"][0], gap["window"][1]};
    details.gaps.push_back(parsed);
  }
  return details;
}

/// The cases of one file whose "allocator" is one of these.
inline std::vector<ConformanceCase> conformance_cases(const std::filesystem::path& file,
                                                      const std::vector<std::string>& wanted) {
  std::ifstream stream(file);
  std::vector<ConformanceCase> cases;
  for (const nlohmann::json& json : nlohmann::json::parse(stream)) {
    const std::string allocator = json.value("allocator", "");
    if (std::find(wanted.begin(), wanted.end(), allocator) == wanted.end()) continue;
    ProblemInput input;
    if (json["capacity"].is_number()) input.capacity = json["capacity"].get<std::int64_t>();
    for (const auto& buffer : json["buffers"]) {
      Buffer parsed;
      parsed.start = buffer["lower"];
      parsed.end = buffer["upper"];
      parsed.size = buffer["size"];
      parsed.alignment = buffer.value("alignment", json.value("alignment", std::int64_t{1}));
      if (buffer.contains("offset")) parsed.fixed = buffer["offset"];
      input.add(buffer["id"].get<std::string>(), parsed, conformance_gaps(buffer));
    }
    cases.push_back({json["name"], allocator, make_problem(std::move(input)).value(), json});
  }
  return cases;
}

}  // namespace stowage::testing
