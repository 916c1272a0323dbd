// From an edit to the new scene: what a hand feels that drags the end of a lifetime, without a window.
//
//   build/release/tests/bench/edit_bench [--buffers N]... [--edits N]
//
// "edit" is the change with its new plan, "frame" the next frame of the whole interface with the new scene. Where edits
// are made in the background, a frame is one of the drag and "follows" is the time from the last change until its plan
// is shown. "own CPU" is what the window's thread was busy. "by hand": offsets put by hand, CPU time of the window's
// thread. Not a test: it fails only when it cannot run.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/io/file.h"
#include "core/model/generate.h"
#include "tests/support/random_session.h"
#include "tests/support/ui_driver.h"
#include "tests/ui/sample.h"

namespace stowage {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  if (values.empty()) return 0;
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

EditRequest longer(const Workbench::State& state, BufferIndex i, std::int64_t by) {
  const Buffer& b = state.problem()[i];
  return EditRequest{"Lifetime", {edit::Lifetime{i, b.start, b.end + by}}, true};
}

void print(std::size_t buffers, std::string_view what, const std::vector<double>& times) {
  fmt::print("{:>8} buffers  {:<22} median {:7.2f} ms   95 % {:7.2f} ms   worst {:7.2f} ms\n", buffers, what,
             percentile(times, 0.5), percentile(times, 0.95), percentile(times, 1));
}

/// What the window's own thread was busy, in milliseconds; others may have had the processor meanwhile.
double own_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void measure_at_once(testing::UiDriver& ui, int edits) {
  Workbench::State& state = ui.state();
  Random random(1);
  std::vector<double> own;
  std::vector<double> edit_times;
  std::vector<double> frame_times;
  std::vector<double> sums;
  for (int k = 0; k < edits; ++k) {
    const auto i = static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(state.problem().size()) - 1));
    begin_edit_drag(state);
    for (int step = 1; step <= 4; ++step) {
      const double before = own_milliseconds();
      const auto begin = Clock::now();
      edit_problem(state, longer(state, i, step));
      const auto edited = Clock::now();
      ui.frame();
      const auto end = Clock::now();
      edit_times.push_back(milliseconds(edited - begin));
      frame_times.push_back(milliseconds(end - edited));
      sums.push_back(milliseconds(end - begin));
      own.push_back(own_milliseconds() - before);
    }
    ui.frames(12);
  }
  print(state.problem().size(), "edit", edit_times);
  print(state.problem().size(), "frame", frame_times);
  print(state.problem().size(), "edit to scene", sums);
  print(state.problem().size(), "edit to scene, own CPU", own);
}

void measure_in_background(testing::UiDriver& ui, int edits) {
  Workbench::State& state = ui.state();
  Random random(1);
  std::vector<double> frame_times;
  std::vector<double> follows;
  for (int k = 0; k < edits; ++k) {
    const auto i = static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(state.problem().size()) - 1));
    const Buffer was = state.problem()[i];
    begin_edit_drag(state);
    constexpr int kSteps = 20;
    for (int step = 1; step <= kSteps; ++step) {
      const auto begin = Clock::now();
      edit_problem(state, EditRequest{"Lifetime", {edit::Lifetime{i, was.start, was.end + step}}, true});
      ui.frame();
      frame_times.push_back(milliseconds(Clock::now() - begin));
    }
    const auto begin = Clock::now();
    ui.until([&] {
      const PlanFacts* facts = state.shown_facts();
      return state.problem()[i].end == was.end + kSteps && facts != nullptr && !facts->stale;
    });
    follows.push_back(milliseconds(Clock::now() - begin));
    ui.settle();
  }
  print(state.problem().size(), "frame while dragging", frame_times);
  print(state.problem().size(), "plan follows", follows);
}

/// Hand placement: the frame that puts a buffer one step higher, and the frames after it, in CPU time of the window.
void measure_hand(testing::UiDriver& ui, int edits) {
  Workbench::State& state = ui.state();
  Random random(2);
  std::vector<double> frame_times;
  double worst = 0;
  ui.on_frame = [&](double seconds) {
    worst = std::max(worst, seconds * 1000);
  };
  for (int k = 0; k < edits; ++k) {
    const auto i = static_cast<BufferIndex>(random.uniform(0, static_cast<std::int64_t>(state.problem().size()) - 1));
    const std::int64_t to = state.offsets()[i] + 64;
    worst = 0;
    state.push(action::PlaceByHand{{{i, to}}, false});
    ui.frames(4);
    frame_times.push_back(worst);
  }
  ui.on_frame = nullptr;
  print(state.problem().size(), "worst frame by hand", frame_times);
}

int run(const std::vector<std::size_t>& sizes, int edits) {
  const testing::TemporaryFolder folder;
  for (const std::size_t buffers : sizes) {
    testing::UiDriver ui;
    if (!ui.open(folder.write("many.csv", testing::csv_of(synthetic_family(buffers, 1)))) ||
        ui.state().plan() == nullptr) {
      fmt::print(stderr, "edit_bench: {} buffers did not get a plan\n", buffers);
      return 3;
    }
    ui.state().editing.mode = true;
    if (buffers <= Editing::kAtOnce) {
      measure_at_once(ui, edits);
    } else {
      measure_in_background(ui, std::max(1, edits / 8));
    }
    measure_hand(ui, std::max(1, edits / 4));
  }
  return 0;
}

}  // namespace
}  // namespace stowage

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  int edits = 40;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const long value = std::strtol(argv[k + 1], nullptr, 10);
    if (value <= 0) break;
    if (name == "--buffers") sizes.push_back(static_cast<std::size_t>(value));
    if (name == "--edits") edits = static_cast<int>(value);
  }
  if (sizes.empty()) sizes = {1'000, 10'000, 100'000};
  return stowage::run(sizes, edits);
}
