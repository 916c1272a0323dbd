// Makespans are deterministic: every allocator on every sample is held to a table. STOWAGE_UPDATE_GOLDEN=1 writes it
// anew; look at what changed.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/io/file.h"
#include "core/io/format.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

const std::filesystem::path kSource = STOWAGE_SOURCE_DIR;

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "samples")) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Searches are held to the table where they are over in no time.
constexpr std::size_t kSmall = 60;

/// "sample,allocator,makespan" lines; "refused" where a constraint is not honoured.
std::string table() {
  std::string lines = "sample,allocator,makespan\n";
  for (const auto& file : samples()) {
    const auto document = open_document(file.string(), {});
    REQUIRE_MESSAGE(document.has_value(), file.string());
    const Problem& problem = *document->problem;
    const ProblemMetrics facts = measure(problem);
    for (const Allocator& allocator : allocators()) {
      if (problem.size() > kSmall && !allocator.runs_unasked(problem)) continue;
      RunContext context;
      const auto run = run_allocator(allocator, problem, {}, context);
      const std::string makespan =
          run ? fmt::format("{}", measure(problem, facts, run->plan).makespan) : std::string("refused");
      lines += fmt::format("{},{},{}\n", file.filename().string(), allocator.id, makespan);
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("every allocator's makespan on every sample is the one in the table") {
  const std::string golden = (kSource / "tests/golden/makespans.csv").string();
  const std::string now = table();
  if (std::getenv("STOWAGE_UPDATE_GOLDEN") != nullptr) REQUIRE(write_file(golden, now));
  const auto expected = read_file(golden);
  REQUIRE(expected);
  CHECK(now == *expected);
}
