// The window's own work in a random session: edits, undo, runs, panels, zooms, drags and clicks on 10,000 buffers.
//
//   build/release/tests/bench/session_bench [--buffers N] [--actions N] [--seed N] [--slow MILLISECONDS]
//       [--limit-ms MILLISECONDS]
//
// A frame's time is what its own thread was busy: planning in the background does not count, waiting neither. Prints
// the median, the 95th percentile and the worst, and the actions behind every frame slower than `--slow` (50). With a
// limit it exits 1 when a frame is above it, opening included.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/model/generate.h"
#include "tests/bench/own_time.h"
#include "tests/support/random_session.h"
#include "tests/ui/sample.h"

namespace stowage {
namespace {

struct Options {
  std::size_t buffers = 10'000;
  int actions = 1'000;
  std::uint64_t seed = 1;
  double slow = 50;
  double limit = 0;  // 0: none
};

int run(const Options& options) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("session.csv", testing::csv_of(synthetic_family(options.buffers, 1)));
  testing::UiDriver ui(1600, 1000);
  std::vector<double> times;
  double worst_of_action = 0;
  ui.on_frame = [&](double seconds) {
    times.push_back(seconds * 1000);
    worst_of_action = std::max(worst_of_action, seconds * 1000);
  };
  if (!ui.open(file)) {
    fmt::print(stderr, "session_bench: {} buffers did not get a plan\n", options.buffers);
    return 3;
  }
  fmt::print("opening: worst frame {:.1f} ms\n", worst_of_action);
  const double opening = worst_of_action;
  times.clear();
  testing::RandomSession session(ui, {file}, options.seed);
  std::map<std::string, std::pair<int, double>> slow;
  for (int k = 0; k < options.actions; ++k) {
    worst_of_action = 0;
    const std::string action = session.act();
    if (worst_of_action <= options.slow) continue;
    auto& [count, worst] = slow[action];
    ++count;
    worst = std::max(worst, worst_of_action);
  }
  const double worst = percentile(times, 1);
  fmt::print("{} buffers, {} actions, {} frames: median {:.2f} ms, 95 % {:.2f} ms, worst {:.2f} ms\n", options.buffers,
             options.actions, times.size(), percentile(times, 0.5), percentile(times, 0.95), worst);
  for (const auto& [action, found] : slow) fmt::print("  {:>7.1f} ms  {} x {}\n", found.second, found.first, action);
  return within_limit("session_bench", std::max(opening, worst), options.limit) ? 0 : 1;
}

}  // namespace
}  // namespace stowage

int main(int argc, char** argv) {
  stowage::Options options;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const double value = std::strtod(argv[k + 1], nullptr);
    if (name == "--buffers") options.buffers = static_cast<std::size_t>(value);
    if (name == "--actions") options.actions = static_cast<int>(value);
    if (name == "--seed") options.seed = static_cast<std::uint64_t>(value);
    if (name == "--slow") options.slow = value;
    if (name == "--limit-ms") options.limit = value;
  }
  return stowage::run(options);
}
