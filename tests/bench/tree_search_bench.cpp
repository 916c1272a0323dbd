// Tree search over the random points of boxing against points drawn evenly: tree_search_bench SECONDS SEEDS FILE...
// For each file the median, the least and the greatest makespan over the seeds, without the bootstrap, of as many
// boxings as each planner makes in that many seconds of a CPU of its own: others may use the machine meanwhile.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

struct Planner {
  std::string id;
  std::string effort;  // the parameter that says how many boxings
};

struct Found {
  std::vector<std::int64_t> makespans;  // rising
  double cpu_seconds = 0;               // of one run
  std::int64_t boxings = 0;

  double median() const {
    const std::size_t half = makespans.size() / 2;
    if (makespans.size() % 2 == 1) return static_cast<double>(makespans[half]);
    return (static_cast<double>(makespans[half - 1]) + static_cast<double>(makespans[half])) / 2;
  }
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::optional<PlannedRun> run_planner(const Planner& planner, const Problem& problem, std::int64_t boxings,
                                      std::uint64_t seed) {
  RunContext context;
  context.seed = seed;
  const ParamValues params = {{"bootstrap", "false"}, {planner.effort, fmt::format("{}", boxings)}};
  auto run = run_allocator(*find_allocator(planner.id), problem, params, context);
  if (!run || !check_plan(problem, run->plan).valid()) return std::nullopt;
  return std::move(*run);
}

/// How many boxings it makes in that time: what goes before the first is told from what each takes by two runs, the
/// longer one at least a third of the time.
std::int64_t boxings_in(const Planner& planner, const Problem& problem, double seconds) {
  double shorter = 0;
  for (std::int64_t boxings = 2;; boxings *= 2) {
    const double began = cpu_seconds();
    if (!run_planner(planner, problem, boxings, 0)) return 1;
    const double spent = cpu_seconds() - began;
    if (spent < seconds / 3) {
      shorter = spent;
      continue;
    }
    const double each = std::max(1e-9, (spent - shorter) / (static_cast<double>(boxings) / 2));
    const double more = (seconds - spent) / each;
    return std::max<std::int64_t>(1, boxings + static_cast<std::int64_t>(more));
  }
}

Found boxed_makespans(const Planner& planner, const Problem& problem, double seconds, int seeds) {
  Found found;
  found.boxings = boxings_in(planner, problem, seconds);
  const double began = cpu_seconds();
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto run = run_planner(planner, problem, found.boxings, static_cast<std::uint64_t>(seed));
    if (run) found.makespans.push_back(measure(problem, measure(problem), run->plan).makespan);
  }
  found.cpu_seconds = (cpu_seconds() - began) / seeds;
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
  fmt::print("{:<16} {:<24} {:>14} {:>14} {:>14} {:>6} {:>10}\n", "planner", "file", "median", "least", "greatest",
             "CPU s", "boxings");
  for (int k = 3; k < count; ++k) {
    const auto document = open_document(words[k], {});
    if (!document) {
      fmt::print(stderr, "{}\n", document.error().message);
      return 3;
    }
    std::string_view name = words[k];
    name.remove_prefix(name.rfind('/') + 1);
    for (const Planner& planner : {Planner{"idealloc", "lives"}, Planner{"idealloc-mcts", "playouts"}}) {
      const Found found = boxed_makespans(planner, *document->problem, std::atof(words[1]), seeds);
      if (found.makespans.empty()) {
        fmt::print("{:<16} {:<24} no valid plan\n", planner.id, name);
        continue;
      }
      fmt::print("{:<16} {:<24} {:>14.0f} {:>14} {:>14} {:>6.2f} {:>10}\n", planner.id, name, found.median(),
                 found.makespans.front(), found.makespans.back(), found.cpu_seconds, found.boxings);
      std::fflush(stdout);
    }
  }
  return 0;
}
