// One edit on a planned problem: replan_bench [BUFFERS]...   (default: 1000 10000 100000)
// For each size, kind of edit and place of the edits: the time of the new plan with everything that it sets up, the
// height against the load after the edit, and how many buffers moved. 200 edits one after the other; "peak": each of
// them hits a buffer that is live where the load is highest. Not a test: it fails only when a plan is wrong.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/search/replan.h"

using namespace stowage;

namespace {

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

void change(Random& random, std::string_view kind, Buffer& b) {
  if (kind == "extend") {
    b.end += std::max<std::int64_t>(1, b.lifetime() / 10);
  } else if (kind == "size") {
    b.size = std::max<std::int64_t>(64, b.size * random.uniform(50, 200) / 100);
  } else {
    b.size += b.size / 10;
  }
}

BufferIndex choose(Random& random, const Problem& problem, bool peak) {
  std::vector<BufferIndex> at_peak;
  const std::int32_t s = problem.sections().peak();
  for (BufferIndex i = 0; peak && i < problem.size(); ++i) {
    const SectionRange range = problem.sections().range(i);
    if (range.first <= s && s < range.last) at_peak.push_back(i);
  }
  const auto last = static_cast<std::int64_t>(peak ? at_peak.size() : problem.size()) - 1;
  const auto drawn = static_cast<BufferIndex>(random.uniform(0, last));
  return peak ? at_peak[drawn] : drawn;
}

bool measure_edits(std::size_t buffers, std::string_view kind, bool peak) {
  ProblemInput input = synthetic_family(buffers, 1);
  Problem problem = make_problem(input).value();
  RunContext context;
  Plan plan = run_allocator(*find_allocator("best"), problem, {}, context)->plan;
  Random random(7);
  std::vector<double> times;
  std::vector<double> ratios;
  double moved = 0;
  std::array<int, 5> tiers{};
  constexpr int kEdits = 200;
  for (int k = 0; k < kEdits; ++k) {
    const BufferIndex i = choose(random, problem, peak);
    change(random, kind, input.buffers[i]);
    problem = make_problem(input).value();
    RunContext limited;
    const auto begin = std::chrono::steady_clock::now();
    limited.deadline = begin + std::chrono::milliseconds(8);
    const auto done = replan(problem, plan.offsets, std::vector{i}, ReplanLimits(), limited);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    if (!done) return false;
    plan.offsets = done->offsets;
    ratios.push_back(static_cast<double>(done->makespan) / static_cast<double>(done->bound));
    moved += static_cast<double>(done->moved);
    ++tiers[static_cast<std::size_t>(done->tier)];
  }
  fmt::print(
      "{:>7} {:<7} {:<6} ms: {:7.3f} {:7.3f} {:7.3f}   ratio: {:.4f} {:.4f} {:.4f}   moved {:6.1f}   tiers {} {} {} "
      "{} {}\n",
      buffers, kind, peak ? "peak" : "random", percentile(times, 0.5), percentile(times, 0.9), percentile(times, 0.99),
      percentile(ratios, 0.5), percentile(ratios, 0.9), percentile(ratios, 1), moved / kEdits, tiers[0], tiers[1],
      tiers[2], tiers[3], tiers[4]);
  return check_plan(problem, plan).valid();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(static_cast<std::size_t>(std::strtoul(argv[k], nullptr, 10)));
  if (sizes.empty()) sizes = {1'000, 10'000, 100'000};
  fmt::print("{} edits each; ms: median, 90 %, 99 %; ratio to the load: median, 90 %, worst\n", 200);
  fmt::print("tiers: stay fit eject anew relax\n");
  for (const std::size_t buffers : sizes) {
    for (const bool peak : {false, true}) {
      for (const char* kind : {"extend", "size", "grow"}) {
        if (measure_edits(buffers, kind, peak)) continue;
        fmt::print(stderr, "replan_bench: a plan is wrong\n");
        return 1;
      }
    }
  }
  return 0;
}
