#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace stowage::testing {
namespace {

using Json = nlohmann::json;

std::string sample(const std::string& name) {
  return (std::filesystem::path(STOWAGE_SOURCE_DIR) / "samples" / name).string();
}

std::string digits_of(std::string cell) {
  cell.erase(std::remove_if(cell.begin(), cell.end(), [](char c) { return c == ' ' || c == ',' || c == '`'; }),
             cell.end());
  return cell;
}

/// The table of samples/README.md: file -> {buffers, load, best known makespan, makespan of plan}.
std::map<std::string, std::vector<std::string>> table_of_readme() {
  std::map<std::string, std::vector<std::string>> table;
  std::ifstream file(sample("README.md"));
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("| `", 0) != 0) continue;
    std::stringstream cells(line.substr(1));
    std::vector<std::string> row;
    std::string cell;
    while (std::getline(cells, cell, '|')) row.push_back(digits_of(cell));
    REQUIRE(row.size() >= 6);
    table[row[0]] = {row[1], row[2], row[3], row[4]};
  }
  return table;
}

}  // namespace

TEST_CASE("samples: the table of their README holds the numbers that the program gives") {
  const Bench bench;
  const auto table = table_of_readme();
  CHECK(table.size() >= 8);
  std::vector<std::string> listed;
  for (const auto& row : table) listed.push_back(row.first);
  std::vector<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(sample(""))) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") there.push_back(entry.path().filename().string());
  }
  std::sort(there.begin(), there.end());
  CHECK(listed == there);
  for (const auto& row : table) {
    CAPTURE(row.first);
    const Ran ran = bench.run({"plan", sample(row.first), "--json"});
    CAPTURE(ran.err);
    const Json json = Json::parse(ran.out);
    CHECK(json.at("valid") == true);
    CHECK(std::to_string(json.at("buffers").get<std::int64_t>()) == row.second[0]);
    CHECK(std::to_string(json.at("load").get<std::int64_t>()) == row.second[1]);
    // A better plan than the one in the table means that the table is to be brought up to date.
    const auto makespan = json.at("makespan").get<std::int64_t>();
    CHECK(std::to_string(makespan) == row.second[3]);
    CHECK(std::stoll(row.second[2]) <= makespan);
    CHECK(std::stoll(row.second[2]) >= json.at("lower_bound").get<std::int64_t>());
  }
}

TEST_CASE("samples: in the textbook's memory four tensors fit without reuse and seven with it") {
  const Bench bench;
  const auto fits = [&](const std::string& allocator) {
    return Json::parse(bench.run({"plan", sample("textbook_reuse.json"), "--allocator", allocator, "--json"}).out)
        .at("fits")
        .get<int>();
  };
  CHECK(fits("naive") == 4);
  CHECK(fits("first-fit-size") == 7);
}

TEST_CASE("samples: the faulty plan holds a collision, a misaligned and a negative offset") {
  const Bench bench;
  const Ran ran = bench.run({"check", sample("faulty_plan.csv"), "--json"});
  CHECK(ran.code == 1);
  std::vector<std::string> kinds;
  const Json json = Json::parse(ran.out);
  for (const Json& issue : json.at("issues")) kinds.push_back(issue.at("kind").get<std::string>());
  std::sort(kinds.begin(), kinds.end());
  CHECK(kinds == std::vector<std::string>{"collision", "collision", "misaligned", "negative-offset"});
}

TEST_CASE("samples: first fit by falling size falls into the trap") {
  const Bench bench;
  const Json json =
      Json::parse(bench.run({"plan", sample("greedy_trap.csv"), "--allocator", "first-fit-size", "--json"}).out);
  CHECK(json.at("makespan").get<std::int64_t>() * 10 == json.at("load").get<std::int64_t>() * 17);
}

}  // namespace stowage::testing
