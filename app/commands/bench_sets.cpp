#include "app/commands/bench_sets.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/commands/reading.h"
#include "app/data_folder.h"
#include "core/model/generate.h"
#include "core/model/generate_puzzles.h"

namespace stowage {
namespace {

Result<Problem> made(ProblemInput input) {
  auto problem = make_problem(std::move(input));
  if (!problem) return input_error("a generated problem is wrong: " + problem.error().front().message);
  return std::move(*problem);
}

std::vector<BenchProblem> tilings() {
  constexpr std::int64_t kWidth = 400;
  constexpr std::int64_t kHeight = 1'048'576;
  std::vector<BenchProblem> problems;
  for (const std::size_t buffers : {50U, 100U, 200U, 300U, 500U, 1'000U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      problems.push_back({"tilings", fmt::format("tiling-{}-{}", buffers, seed), kHeight, [=] {
                            return made(tiling_family(buffers, kWidth, kHeight, seed));
                          }});
    }
  }
  return problems;
}

using Family = ProblemInput (*)(std::size_t, std::uint64_t);

std::vector<BenchProblem> family(const std::string& set, Family generate, const std::vector<std::size_t>& sizes,
                                 std::uint64_t seeds) {
  std::vector<BenchProblem> problems;
  for (const std::size_t buffers : sizes) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      problems.push_back({set, fmt::format("{}-{}-{}", set, buffers, seed), 0, [=] {
                            return made(generate(buffers, seed));
                          }});
    }
  }
  return problems;
}

BenchProblem file_problem(const std::string& set, const std::filesystem::path& path) {
  return {set, path.filename().string(), 0, [file = path.string()]() -> Result<Problem> {
            Result<Document> document = read_document_file(file, ReadingFlags{}, true);
            if (!document) return tl::unexpected(document.error());
            return *document->problem;
          }};
}

Result<std::vector<BenchProblem>> files(const std::string& set, const std::string& place) {
  std::error_code error;
  if (std::filesystem::is_regular_file(place, error)) return std::vector{file_problem(set, place)};
  if (!std::filesystem::is_directory(place, error)) {
    return usage_error(
        fmt::format("--set {}: neither a set nor a folder; sets: {}", set, fmt::join(bench_set_names(), ", ")));
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(place, error)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".csv" || ending == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<BenchProblem> problems;
  for (const auto& path : paths) problems.push_back(file_problem(set, path));
  return problems;
}

}  // namespace

std::vector<std::string> bench_set_names() {
  return {"samples", "tilings", "random", "staircase", "scaling", "scaling-large"};
}

Result<std::vector<BenchProblem>> bench_set(const std::string& set) {
  if (set == "samples") return files(set, find_data("samples"));
  if (set == "tilings") return tilings();
  if (set == "random") return family(set, uniform_family, {30, 100, 300, 1'000}, 3);
  if (set == "staircase") return family(set, staircase_family, {100, 300, 1'000}, 3);
  if (set == "scaling") return family(set, synthetic_family, {1'000, 10'000, 100'000}, 5);
  if (set == "scaling-large") return family(set, synthetic_family, {1'000'000, 10'000'000}, 1);
  return files(set, set);
}

}  // namespace stowage
