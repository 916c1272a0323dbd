// One edit on a planned problem: replan_bench [BUFFERS]...   (default: 1000 10000 100000)
// For each size, kind of edit and place of the edits: the time of an edit of a plan that is kept, the height against
// the load after the edit, and how many buffers moved; before that the time to set such a plan up. 200 edits one after
// the other; "peak": each of them hits a buffer that is live where the load is highest. Not a test: it fails only when
// a plan is wrong.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/allocators/allocator.h"
#include "core/base/random.h"
#include "core/model/check.h"
#include "core/model/generate.h"
#include "core/search/live_plan.h"

using namespace stowage;

namespace {

constexpr int kEdits = 200;
constexpr std::uint64_t kProblems = 5;

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

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

struct Measured {
  std::vector<double> set_up;  // ms
  std::vector<double> times;   // ms
  std::vector<double> ratios;
  double moved = 0;
  std::array<int, 5> tiers{};
};

bool measure_edits(std::size_t buffers, std::string_view kind, bool peak, std::uint64_t seed, Measured& measured) {
  ProblemInput input = synthetic_family(buffers, seed);
  Problem problem = make_problem(input).value();
  RunContext context;
  Plan plan = run_allocator(*find_allocator("best"), problem, {}, context)->plan;
  const auto before = std::chrono::steady_clock::now();
  LivePlan live(problem, plan.offsets);
  measured.set_up.push_back(milliseconds_since(before));
  Random random(seed);
  for (int k = 0; k < kEdits; ++k) {
    const BufferIndex i = choose(random, problem, peak);
    change(random, kind, input.buffers[i]);
    const LiveEdit edit{i, input.buffers[i], kNoOffset};
    RunContext limited;
    const auto begin = std::chrono::steady_clock::now();
    limited.deadline = begin + std::chrono::milliseconds(8);
    const auto done = live.change({&edit, 1}, ReplanLimits(), limited);
    measured.times.push_back(milliseconds_since(begin));
    if (!done) return false;
    if (peak) problem = make_problem(input).value();  // which says where the load is highest now
    measured.ratios.push_back(static_cast<double>(done->makespan) / static_cast<double>(done->bound));
    measured.moved += static_cast<double>(done->moved.size());
    ++measured.tiers[static_cast<std::size_t>(done->tier)];
  }
  plan.offsets = live.offsets();
  return check_plan(make_problem(input).value(), plan).valid();
}

void print(std::size_t buffers, std::string_view kind, bool peak, const Measured& m) {
  fmt::print("{:>7} {:<7} {:<6} set up {:6.2f} ms   edit ms: {:7.4f} {:7.4f} {:7.4f}   ratio: {:.4f} {:.4f} {:.4f}   ",
             buffers, kind, peak ? "peak" : "random", percentile(m.set_up, 0.5), percentile(m.times, 0.5),
             percentile(m.times, 0.9), percentile(m.times, 0.99), percentile(m.ratios, 0.5), percentile(m.ratios, 0.9),
             percentile(m.ratios, 1));
  fmt::print("moved {:6.1f}   tiers {}\n", m.moved / static_cast<double>(m.times.size()), fmt::join(m.tiers, " "));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(static_cast<std::size_t>(std::strtoul(argv[k], nullptr, 10)));
  if (sizes.empty()) sizes = {1'000, 10'000, 100'000};
  fmt::print("{} problems, {} edits of each; ms: median, 90 %, 99 %; ratio to the load: median, 90 %, worst\n",
             kProblems, kEdits);
  fmt::print("tiers: stay fit eject anew relax\n");
  for (const std::size_t buffers : sizes) {
    for (const bool peak : {false, true}) {
      for (const char* kind : {"extend", "size", "grow"}) {
        Measured measured;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
          if (measure_edits(buffers, kind, peak, seed, measured)) continue;
          fmt::print(stderr, "replan_bench: a plan is wrong\n");
          return 1;
        }
        print(buffers, kind, peak, measured);
      }
    }
  }
  return 0;
}
