// Tree search over the random points of boxing against points drawn evenly: tree_search_bench SECONDS SEEDS FILE...
// For each file the median, the least and the greatest makespan over the seeds, without the bootstrap, of as many
// boxings as that time allows.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

struct Found {
  std::vector<std::int64_t> makespans;  // rising
  std::int64_t boxings = 0;

  double median() const {
    const std::size_t half = makespans.size() / 2;
    if (makespans.size() % 2 == 1) return static_cast<double>(makespans[half]);
    return (static_cast<double>(makespans[half - 1]) + static_cast<double>(makespans[half])) / 2;
  }
};

Found boxed_makespans(const char* id, ParamValues params, const Problem& problem, double seconds, int seeds) {
  params["bootstrap"] = "false";
  Found found;
  for (int seed = 1; seed <= seeds; ++seed) {
    RunContext context;
    context.seed = static_cast<std::uint64_t>(seed);
    context.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    const auto run = run_allocator(*find_allocator(id), problem, params, context);
    if (!run || !check_plan(problem, run->plan).valid()) continue;
    found.makespans.push_back(measure(problem, measure(problem), run->plan).makespan);
    found.boxings += run->result.iterations;
  }
  std::sort(found.makespans.begin(), found.makespans.end());
  return found;
}

}  // namespace

int main(int count, char** words) {
  const int seeds = count > 3 ? std::atoi(words[2]) : 0;
  if (seeds < 1) {
    std::fputs("usage: tree_search_bench SECONDS SEEDS FILE...\n", stderr);
    return 2;
  }
  fmt::print("{:<16} {:<24} {:>14} {:>14} {:>14} {:>10}\n", "planner", "file", "median", "least", "greatest",
             "boxings");
  for (int k = 3; k < count; ++k) {
    const auto document = open_document(words[k], {});
    if (!document) {
      fmt::print(stderr, "{}\n", document.error().message);
      return 3;
    }
    std::string_view name = words[k];
    name.remove_prefix(name.rfind('/') + 1);
    for (const auto& [id, params] : {std::pair{"idealloc", ParamValues{{"lives", "0"}}}, {"idealloc-mcts", {}}}) {
      const Found found = boxed_makespans(id, params, *document->problem, std::atof(words[1]), seeds);
      if (found.makespans.empty()) {
        fmt::print("{:<16} {:<24} no valid plan\n", id, name);
        continue;
      }
      fmt::print("{:<16} {:<24} {:>14.0f} {:>14} {:>14} {:>10}\n", id, name, found.median(), found.makespans.front(),
                 found.makespans.back(), found.boxings / seeds);
      std::fflush(stdout);
    }
  }
  return 0;
}
