// How low the searches over orders come: order_search_bench SECONDS FILE...
// For each file and search makespan / load of the start, and the median and the worst of five seeds, each with as many
// orders as the search tries in that many seconds of a CPU of its own: others may use the machine meanwhile.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
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

struct Found {
  std::vector<double> ratios;  // rising
  double cpu_seconds = 0;      // of one run
  std::int64_t orders = 0;
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// How many orders a search tries in that time, as far as the first of them tell.
std::int64_t orders_in(const Allocator& search, const Problem& problem, double seconds) {
  constexpr std::int64_t kSample = 20'000;
  RunContext context;
  const double began = cpu_seconds();
  const auto run = run_allocator(search, problem, {{"iterations", fmt::format("{}", kSample)}}, context);
  return std::max<std::int64_t>(2, static_cast<std::int64_t>(kSample * seconds / (cpu_seconds() - began)));
}

Found run_five_seeds(const Allocator& search, const Problem& problem, double seconds) {
  constexpr int kSeeds = 5;
  Found found;
  found.orders = orders_in(search, problem, seconds);
  const double began = cpu_seconds();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RunContext context;
    context.seed = seed;
    const auto run = run_allocator(search, problem, {{"iterations", fmt::format("{}", found.orders)}}, context);
    if (!run || !check_plan(problem, run->plan).valid()) continue;
    found.ratios.push_back(ratio(problem, run->plan));
  }
  found.cpu_seconds = (cpu_seconds() - began) / kSeeds;
  std::sort(found.ratios.begin(), found.ratios.end());
  return found;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: order_search_bench SECONDS FILE...\n", stderr);
    return 2;
  }
  fmt::print("{:<24} {:<20} {:>7} {:>7} {:>7} {:>6} {:>9}\n", "file", "search", "start", "median", "worst", "CPU s",
             "orders");
  for (int k = 2; k < count; ++k) {
    const auto document = open_document(words[k], {});
    if (!document) {
      fmt::print(stderr, "{}\n", document.error().message);
      return 3;
    }
    const Problem& problem = *document->problem;
    const std::string_view path = words[k];
    const std::string_view file = path.substr(path.rfind('/') + 1);
    for (const char* id : {"greedy-by-conflicts", "hill-climb", "simulated-annealing", "tabu", "genetic"}) {
      RunContext context;
      const auto start = run_allocator(*find_allocator(id), problem, {{"iterations", "1"}}, context);
      const Found found = run_five_seeds(*find_allocator(id), problem, std::atof(words[1]));
      if (found.ratios.size() < 5) {
        fmt::print("{:<24} {:<20} no valid plan\n", file, id);
        continue;
      }
      fmt::print("{:<24} {:<20} {:7.4f} {:7.4f} {:7.4f} {:6.2f} {:9}\n", file, id, ratio(problem, start->plan),
                 found.ratios[2], found.ratios[4], found.cpu_seconds, found.orders);
      std::fflush(stdout);
    }
  }
  return 0;
}
