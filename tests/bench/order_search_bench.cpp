// How low the searches over orders come: order_search_bench SECONDS FILE...
// For each file and search makespan / load of the start and the median and the worst of five seeds, in that many
// seconds each.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/io/file.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"

using namespace stowage;

namespace {

double ratio(const Problem& problem, const Plan& plan) {
  const ProblemMetrics facts = measure(problem);
  return static_cast<double>(measure(problem, facts, plan).makespan) / static_cast<double>(facts.load);
}

std::vector<double> ratios(const Allocator& search, const Problem& problem, double seconds) {
  std::vector<double> found;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RunContext context;
    context.seed = seed;
    context.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    const auto run = run_allocator(search, problem, {}, context);
    if (!run || !check_plan(problem, run->plan).valid()) continue;
    found.push_back(ratio(problem, run->plan));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: order_search_bench SECONDS FILE...\n", stderr);
    return 2;
  }
  for (int k = 2; k < count; ++k) {
    const auto document = open_document(words[k], {});
    if (!document) {
      fmt::print(stderr, "{}\n", document.error().message);
      return 3;
    }
    const Problem& problem = *document->problem;
    RunContext context;
    const auto start = run_allocator(*find_allocator("first-fit-size"), problem, {}, context);
    fmt::print("{}: start {:.4f}\n", words[k], ratio(problem, start->plan));
    for (const char* id : {"hill-climb", "simulated-annealing", "tabu", "genetic"}) {
      const std::vector<double> found = ratios(*find_allocator(id), problem, std::atof(words[1]));
      if (found.size() < 5) {
        fmt::print("  {:<20} no valid plan\n", id);
        continue;
      }
      fmt::print("  {:<20} median {:.4f} worst {:.4f}\n", id, found[2], found[4]);
      std::fflush(stdout);
    }
  }
  return 0;
}
