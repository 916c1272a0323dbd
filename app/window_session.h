#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/gl/offscreen.h"
#include "app/glfw_window.h"
#include "app/host_window.h"
#include "app/window_events.h"
#include "core/base/result.h"
#include "ui/workbench.h"

namespace stowage {

struct SessionOptions {
  std::string config_folder;
  bool offscreen = false;  // draws into memory, in a window that is never shown
  int width = 1600;        // logical pixels
  int height = 1000;
  float scale = 0;  // device pixels per logical pixel; 0: the monitor's
  bool vsync = true;
};

/// Everything between GLFW and the Workbench: window, OpenGL, Dear ImGui with its back ends, fonts. A frame is build,
/// draw, present; the caller decides when. Dear ImGui counts in pixels of the framebuffer, whatever the platform.
class WindowSession {
 public:
  static Result<std::unique_ptr<WindowSession>> create(const SessionOptions& options);
  ~WindowSession();
  WindowSession(const WindowSession&) = delete;
  WindowSession& operator=(const WindowSession&) = delete;

  /// Takes events without waiting; opens a dropped file.
  void poll();
  /// Lets the workbench draw; `script` may change the input that the frame sees.
  void build(const std::function<void(ImGuiIO&)>& script = {});
  /// Hands the frame to OpenGL.
  void draw();
  /// Waits until OpenGL has drawn everything.
  void finish();
  /// Shows the frame, and does what it asked for: full screen.
  void present();

  /// Waits for events: hardly at all while there is something to draw, else until one comes or `seconds` have passed.
  /// Opens a dropped file too. True when a frame should be drawn.
  bool wait(double seconds);
  bool should_close() const;
  /// Takes the wish to close back.
  void keep_open();

  Workbench& workbench() { return *workbench_; }
  GlfwWindow& window() { return *window_; }
  /// What has been drawn; only offscreen.
  draw::Image read() const { return offscreen_->read(); }

 private:
  class ImGuiBackends;
  explicit WindowSession(std::unique_ptr<GlfwWindow> window, const SessionOptions& options);
  void reload_fonts();
  void open_dropped();
  void use_framebuffer_pixels() const;

  // In the order in which they need each other; destroyed the other way round.
  std::unique_ptr<GlfwWindow> window_;
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<ImGuiBackends> backends_;
  std::unique_ptr<HostWindow> host_;
  std::unique_ptr<Workbench> workbench_;
  std::unique_ptr<WindowEvents> events_;
  Fonts fonts_;
  float loaded_scale_ = 0;
  int frames_owed_ = 3;
  double last_present_ = 0;  // seconds of GLFW's clock
};

}  // namespace stowage
