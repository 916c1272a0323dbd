// Frame times of the real window while a hand pans and zooms the chart, for two sizes of the synthetic family:
//
//   xvfb-run -a -s "-screen 0 1920x1200x24" build/release/tests/bench/frame_bench [--buffers N]... [--frames N]
//
// A frame's time is wall time from taking events to after glFinish; "ours" is the part of it before OpenGL gets the
// frame: interface, scene and image. Not a test: it fails only when it cannot run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/temporary_folder.h"
#include "app/window_session.h"
#include "core/io/file.h"
#include "core/io/format.h"
#include "core/io/settings.h"
#include "core/model/generate.h"

namespace stowage {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// The input of one frame, on top of what the back end found.
struct Hand {
  ImVec2 at;
  bool pressed = false;
  float wheel = 0;
};

void put(ImGuiIO& io, const Hand& hand) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(hand.at.x, hand.at.y);
  io.AddMouseButtonEvent(0, hand.pressed);
  if (hand.wheel != 0) io.AddMouseWheelEvent(0, hand.wheel);
#else
  io.MousePos = hand.at;
  io.MouseDown[0] = hand.pressed;
  io.MouseWheel = hand.wheel;
#endif
}

/// Frame k of a session: first four seconds of dragging to and fro, then wheeling in and out about a moving point.
Hand pan_hand(int k, ImVec2 middle) {
  const float turn = static_cast<float>(k) * 0.11F;
  return Hand{ImVec2(middle.x + 180 * std::sin(turn), middle.y + 60 * std::sin(0.7F * turn)), true, 0};
}
Hand zoom_hand(int k, ImVec2 middle) {
  const float wheel = k / 12 % 2 == 0 ? 1.0F : -1.0F;  // twelve notches in, twelve out
  return Hand{ImVec2(middle.x + static_cast<float>(k % 24), middle.y), false, wheel};
}

struct Times {
  std::vector<double> whole;  // ms
  std::vector<double> ours;
  double processor = 0;  // ms of all threads together, software OpenGL's included, over all frames
};

double processor_milliseconds() {
  return static_cast<double>(std::clock()) * 1000.0 / CLOCKS_PER_SEC;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values.empty() ? 0 : values[static_cast<std::size_t>(share * last + 0.5)];
}

void one_frame(WindowSession& window, const Hand& hand, Times* times) {
  const double processor = processor_milliseconds();
  const auto begin = Clock::now();
  window.poll();
  window.build([&hand](ImGuiIO& io) { put(io, hand); });
  const auto built = Clock::now();
  window.draw();
  window.finish();
  const auto end = Clock::now();
  window.present();
  if (times == nullptr) return;
  times->whole.push_back(milliseconds(end - begin));
  times->ours.push_back(milliseconds(built - begin));
  times->processor += processor_milliseconds() - processor;
}

void print(std::size_t buffers, std::string_view what, const Times& times) {
  fmt::print(
      "{:>8} buffers  {:<14}  median {:6.1f} ms  95 % {:6.1f} ms  worst {:6.1f} ms   ours: median {:5.1f} ms  95 % "
      "{:5.1f} ms   all threads: {:6.1f} ms a frame\n",
      buffers, what, percentile(times.whole, 0.5), percentile(times.whole, 0.95), percentile(times.whole, 1),
      percentile(times.ours, 0.5), percentile(times.ours, 0.95),
      times.processor / static_cast<double>(times.whole.size()));
}

Result<void> write_problem(std::size_t buffers, const std::string& path) {
  auto problem = make_problem(synthetic_family(buffers, 1));
  if (!problem) return input_error("the generated problem is refused");
  Document document;
  document.problem = std::make_shared<const Problem>(std::move(*problem));
  const Format* format = find_format("minimalloc-csv");
  if (format == nullptr) return usage_error("no CSV writer");
  return save_document(document, path, *format, WriteOptions{});
}

/// Opens the file and draws until plans are there and nothing moves.
bool open_and_settle(WindowSession& window, const std::string& path) {
  window.workbench().open(path);
  const auto give_up = Clock::now() + std::chrono::seconds(120);
  int quiet = 0;
  while (quiet < 3 && Clock::now() < give_up) {
    one_frame(window, Hand{ImVec2(5, 5)}, nullptr);
    quiet = window.workbench().animating() ? 0 : quiet + 1;
  }
  return window.workbench().document().path == path && !window.workbench().document().plans.empty();
}

void zoom_in(WindowSession& window, ImVec2 middle, int notches) {
  for (int k = 0; k < notches; ++k) one_frame(window, Hand{middle, false, 1.0F}, nullptr);
}

void measure(WindowSession& window, std::size_t buffers, int frames) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImVec2 middle(size.x * 0.5F, size.y * 0.4F);  // inside the chart in every layout
  Times idle, pan, zoom, near;
  for (int k = 0; k < frames; ++k) one_frame(window, Hand{ImVec2(5, 5)}, &idle);
  for (int k = 0; k < frames; ++k) one_frame(window, zoom_hand(k, middle), &zoom);
  zoom_in(window, middle, 3);  // at "everything" there is hardly anything to pan to
  for (int k = 0; k < frames; ++k) one_frame(window, pan_hand(k, middle), &pan);
  one_frame(window, Hand{middle}, nullptr);
  zoom_in(window, middle, 10);
  for (int k = 0; k < frames; ++k) one_frame(window, pan_hand(k, middle), &near);
  one_frame(window, Hand{middle}, nullptr);
  print(buffers, "nothing moves", idle);
  print(buffers, "zoom", zoom);
  print(buffers, "pan", pan);
  print(buffers, "pan, closer", near);
}

int run(const std::vector<std::size_t>& sizes, int frames) {
  const TemporaryFolder folder;
  for (const std::size_t buffers : sizes) {
    const std::string path = folder.path() + "/" + std::to_string(buffers) + ".csv";
    if (const Result<void> written = write_problem(buffers, path); !written) {
      fmt::print(stderr, "frame_bench: {}\n", written.error().message);
      return 3;
    }
    SessionOptions options;
    options.config_folder = folder.path();
    options.vsync = false;
    auto window = WindowSession::create(options);
    if (!window) {
      fmt::print(stderr, "frame_bench: {}\n", window.error().message);
      return 3;
    }
    if (!open_and_settle(**window, path)) {
      fmt::print(stderr, "frame_bench: {} buffers did not get a plan\n", buffers);
      return 3;
    }
    measure(**window, buffers, frames);
  }
  return 0;
}

}  // namespace
}  // namespace stowage

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  int frames = 240;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const long value = std::strtol(argv[k + 1], nullptr, 10);
    if (value <= 0) break;
    if (name == "--buffers") sizes.push_back(static_cast<std::size_t>(value));
    if (name == "--frames") frames = static_cast<int>(value);
  }
  if (sizes.empty()) sizes = {10'000, 100'000};
  return stowage::run(sizes, frames);
}
