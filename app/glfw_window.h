#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"

struct GLFWwindow;

namespace stowage {

struct WindowShape {
  int width = 1600;  // logical pixels
  int height = 1000;
  bool visible = true;
  bool vsync = true;
};

/// GLFW, one window and its OpenGL 3.3 context, made current with all functions loaded. One at a time.
class GlfwWindow {
 public:
  /// Errors: no display, or one without OpenGL 3.3; the message says what to do instead.
  static Result<std::unique_ptr<GlfwWindow>> create(const WindowShape& shape);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* handle() const { return window_; }
  /// Device pixels per logical pixel of the monitor.
  float content_scale() const;
  /// Fills the monitor that shows most of the window, or goes back to where the window was.
  void set_fullscreen(bool on);
  bool fullscreen() const { return fullscreen_; }
  /// Size in logical pixels as it is, or as it was before full screen.
  void logical_size(int& width, int& height) const;

 private:
  GlfwWindow() = default;

  struct Place {
    int x = 0, y = 0, width = 0, height = 0;  // screen coordinates
  };
  bool library_ = false;
  GLFWwindow* window_ = nullptr;
  bool fullscreen_ = false;
  Place windowed_;
};

}  // namespace stowage
