// What each part of the engine buys: parts_bench SECONDS SEEDS FILE...
// For each part that can be left out, and for the whole: the ratio of makespan to load and the seconds of CPU, both as
// geometric means over the seeds, for each file and over all; and how many runs ended with a proof.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/io/format.h"
#include "core/model/check.h"
#include "core/model/metrics.h"
#include "core/search/engine_parts.h"

using namespace stowage;

namespace {

struct Sum {
  double log_ratio = 0;
  double log_seconds = 0;
  int proved = 0;
  int runs = 0;

  void add(const Sum& other) {
    log_ratio += other.log_ratio;
    log_seconds += other.log_seconds;
    proved += other.proved;
    runs += other.runs;
  }
  std::string words() const {
    return fmt::format("{:.4f} {:>8.4f} {:>3}/{}", std::exp(log_ratio / runs), std::exp(log_seconds / runs), proved,
                       runs);
  }
};

Sum measured(const Problem& problem, std::string_view without, double seconds, int seeds) {
  Sum sum;
  const ProblemMetrics facts = measure(problem);
  for (int seed = 1; seed <= seeds; ++seed) {
    RunContext context;
    context.seed = static_cast<std::uint64_t>(seed);
    context.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
    const std::clock_t began = std::clock();
    const auto run = run_allocator(*find_allocator("best"), problem, {{"without", std::string(without)}}, context);
    const double spent = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    if (!run || !check_plan(problem, run->plan).valid()) {
      fmt::print(stderr, "no sound plan without {}\n", without);
      std::exit(1);
    }
    const double makespan = static_cast<double>(measure(problem, facts, run->plan).makespan);
    sum.log_ratio += std::log(makespan / static_cast<double>(facts.load));
    sum.log_seconds += std::log(std::max(spent, 1e-4));
    sum.proved += run->result.status == RunStatus::kProvedOptimal ? 1 : 0;
    ++sum.runs;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "parts_bench SECONDS SEEDS FILE...\n");
    return 2;
  }
  const double seconds = std::atof(argv[1]);
  const int seeds = std::atoi(argv[2]);
  fmt::print("{:<10} {:<24} ratio  CPU s proved\n", "without", "file");
  for (const auto& [name, part] : kEngineParts) {
    Sum all;
    for (int k = 3; k < argc; ++k) {
      const auto document = open_document(argv[k], {});
      if (!document) {
        fmt::print(stderr, "{}\n", document.error().message);
        return 3;
      }
      const Sum one = measured(*document->problem, name, seconds, seeds);
      all.add(one);
      const std::string path = argv[k];
      fmt::print("{:<10} {:<24} {}\n", name, path.substr(path.rfind('/') + 1), one.words());
      std::fflush(stdout);
    }
    fmt::print("{:<10} {:<24} {}\n", name, "all", all.words());
  }
  return 0;
}
