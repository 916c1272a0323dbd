// Frame times of the real window while a hand works on the chart, for two sizes of the synthetic family: it zooms,
// pans, hovers, drags the body of a buffer, and puts buffers somewhere else.
//
//   xvfb-run -a -s "-screen 0 1920x1200x24" build/release/tests/bench/frame_bench [--buffers N]... [--frames N]
//       [--limit-ms N]
//
// A frame's time is wall time from taking events to after glFinish; "own" is what the window's thread was busy before
// OpenGL gets the frame: interface, scene and image. "exact" is how many frames after the last one of a hand the
// picture still was that of an earlier moment. Not a test; with a limit it exits 1 when a frame's own time is above it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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
#include "tests/bench/own_time.h"
#include "ui/chart/canvas.h"
#include "ui/chart/edit_gesture.h"
#include "ui/state.h"

namespace stowage {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

struct Options {
  std::vector<std::size_t> sizes;
  int frames = 240;
  double limit = 0;  // ms of a frame's own time; 0: none
};

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
Hand hover_hand(int k, ImVec2 middle) {
  Hand hand = pan_hand(k, middle);
  hand.pressed = false;
  return hand;
}

struct Times {
  std::vector<double> whole;  // ms
  std::vector<double> own;
};

/// A window with one problem, and the times of its frames.
class Session {
 public:
  Session(WindowSession& window, std::size_t buffers, const Options& options)
      : window_(window), buffers_(buffers), options_(options) {}

  /// Opens the file and draws until plans are there and nothing moves.
  bool open_and_settle(const std::string& path) {
    window_.workbench().open(path);
    settle();
    return window_.workbench().document().path == path && !window_.workbench().document().plans.empty();
  }
  void measure();
  double worst() const { return worst_; }

 private:
  Workbench::State& state() { return window_.workbench().state(); }
  /// A point inside the chart in every layout.
  ImVec2 middle() const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return ImVec2(size.x * 0.5F, size.y * 0.4F);
  }
  void frame(const Hand& hand, Times* times) {
    const double own = own_milliseconds();
    const auto begin = Clock::now();
    window_.poll();
    window_.build([&hand](ImGuiIO& io) { put(io, hand); });
    const double built = own_milliseconds();
    window_.draw();
    window_.finish();
    const auto end = Clock::now();
    window_.present();
    if (times == nullptr) return;
    times->whole.push_back(milliseconds(end - begin));
    times->own.push_back(built - own);
  }
  /// Frames until nothing moves; true when it came to that.
  bool settle() {
    const auto give_up = Clock::now() + std::chrono::seconds(240);
    int quiet = 0;
    while (quiet < 3 && Clock::now() < give_up) {
      frame(Hand{ImVec2(5, 5)}, nullptr);
      quiet = window_.workbench().animating() ? 0 : quiet + 1;
    }
    return quiet >= 3;
  }
  /// Frames after the last one of a hand until the exact picture is there; they are frames as well.
  void follow(std::string_view what, Times& times) {
    const auto begin = Clock::now();
    int frames = 0;
    do {
      frame(Hand{middle()}, &times);
    } while (shows_coarse_picture(state()) && ++frames < 1000);
    print(what, times, frames, milliseconds(Clock::now() - begin));
    settle();
  }
  void zoom_in(int notches) {
    for (int k = 0; k < notches; ++k) frame(Hand{middle(), false, 1.0F}, nullptr);
    settle();
  }
  void print(std::string_view what, const Times& times, int coarse, double until_exact);
  void by_hand();
  void body_drag();

  WindowSession& window_;
  std::size_t buffers_;
  const Options& options_;
  double worst_ = 0;
};

void Session::print(std::string_view what, const Times& times, int coarse, double until_exact) {
  const double worst = percentile(times.own, 1);
  worst_ = std::max(worst_, worst);
  fmt::print(
      "{:>8} buffers  {:<14}  own: median {:6.1f} ms  95 % {:6.1f} ms  worst {:6.1f} ms   whole: median {:6.1f} ms  95 "
      "% "
      "{:6.1f} ms   exact: {} frames, {:.0f} ms later\n",
      buffers_, what, percentile(times.own, 0.5), percentile(times.own, 0.95), worst, percentile(times.whole, 0.5),
      percentile(times.whole, 0.95), coarse, until_exact);
}

/// Puts one buffer a step higher, again and again, while everything is shown.
void Session::by_hand() {
  Times times;
  state().editing.mode = true;
  const int count = std::max(3, options_.frames / 24);
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<BufferIndex>(buffers_ / 7 * static_cast<std::size_t>(k % 7));
    state().push(action::PlaceByHand{{{i, state().offsets()[i] + 64}}, false});
    for (int j = 0; j < 4; ++j) frame(Hand{middle()}, &times);
  }
  follow("hand placement", times);
}

/// Takes the longest buffer by its body, up and down, and lets it go.
void Session::body_drag() {
  const Problem& problem = state().problem();
  BufferIndex longest = 0;
  for (BufferIndex i = 0; i < problem.size(); ++i) {
    const bool high = problem[i].size > 100'000;  // so that it can be taken
    if (high && problem[i].lifetime() > problem[longest].lifetime()) longest = i;
  }
  state().push(action::Select{{longest}, SelectMode::kReplace});
  state().push(action::FrameBuffers{{longest}});
  settle();
  for (int k = 0; k < 16; ++k) frame(Hand{middle(), false, -1.0F}, nullptr);
  settle();
  Canvas canvas;
  canvas.scale = state().ui.scale;
  canvas.origin = state().ui.widgets.at("chart.canvas").low;
  const Viewport& view = state().camera;
  const Buffer& b = problem[longest];
  const double time = (static_cast<double>(b.start) + static_cast<double>(b.end)) / 2;
  const double byte = static_cast<double>(state().offsets()[longest]) + static_cast<double>(b.size) / 2;
  const ImVec2 at = canvas.device(view.x_of(time), view.y_of(byte));
  Times times;
  for (int k = 0; k < 3; ++k) frame(Hand{at}, &times);
  for (int k = 0; k < options_.frames; ++k) {
    const float up = 40 * std::sin(static_cast<float>(k) * 0.11F);
    frame(Hand{ImVec2(at.x, at.y - up), true}, &times);
  }
  const bool dragged = state().gesture.kind() == GestureKind::kEdit;
  follow(dragged ? "body drag" : "no body drag", times);
}

void Session::measure() {
  const int frames = options_.frames;
  const ImVec2 about = middle();
  Times idle, zoom, hover, pan, near;
  for (int k = 0; k < frames; ++k) frame(Hand{ImVec2(5, 5)}, &idle);
  follow("nothing moves", idle);
  for (int k = 0; k < frames; ++k) frame(hover_hand(k, about), &hover);
  follow("hover", hover);
  by_hand();
  for (int k = 0; k < frames; ++k) frame(zoom_hand(k, about), &zoom);
  follow("zoom", zoom);
  zoom_in(3);  // at "everything" there is hardly anything to pan to
  for (int k = 0; k < frames; ++k) frame(pan_hand(k, about), &pan);
  follow("pan", pan);
  zoom_in(10);
  for (int k = 0; k < frames; ++k) frame(pan_hand(k, about), &near);
  follow("pan, closer", near);
  body_drag();
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

int run(const Options& options) {
  const TemporaryFolder folder;
  double worst = 0;
  for (const std::size_t buffers : options.sizes) {
    const std::string path = folder.path() + "/" + std::to_string(buffers) + ".csv";
    if (const Result<void> written = write_problem(buffers, path); !written) {
      fmt::print(stderr, "frame_bench: {}\n", written.error().message);
      return 3;
    }
    SessionOptions window_options;
    window_options.config_folder = folder.path();
    window_options.vsync = false;
    auto window = WindowSession::create(window_options);
    if (!window) {
      fmt::print(stderr, "frame_bench: {}\n", window.error().message);
      return 3;
    }
    Session session(**window, buffers, options);
    if (!session.open_and_settle(path)) {
      fmt::print(stderr, "frame_bench: {} buffers did not get a plan\n", buffers);
      return 3;
    }
    session.measure();
    worst = std::max(worst, session.worst());
  }
  return within_limit("frame_bench", worst, options.limit) ? 0 : 1;
}

}  // namespace
}  // namespace stowage

int main(int argc, char** argv) {
  stowage::Options options;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const double value = std::strtod(argv[k + 1], nullptr);
    if (!(value > 0)) break;
    if (name == "--buffers") options.sizes.push_back(static_cast<std::size_t>(value));
    if (name == "--frames") options.frames = static_cast<int>(value);
    if (name == "--limit-ms") options.limit = value;
  }
  if (options.sizes.empty()) options.sizes = {10'000, 100'000};
  return stowage::run(options);
}
