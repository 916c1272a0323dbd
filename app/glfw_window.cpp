#include "app/glfw_window.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include "app/icon.h"

namespace stowage {
namespace {

constexpr const char* kInstead =
    "the command line works without one: stowage plan FILE --png plan.png, or stowage --help";

std::string last_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

/// A window never starts larger than the screen.
void fit_to_screen(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, screen_width = 0, screen_height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
  float scale_x = 1, scale_y = 1;
  glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
  if (screen_width <= 0 || screen_height <= 0 || scale_x <= 0 || scale_y <= 0) return;
  width = std::min(width, static_cast<int>(static_cast<float>(screen_width) / scale_x));
  height = std::min(height, static_cast<int>(static_cast<float>(screen_height) / scale_y));
}

void set_hints(const WindowShape& shape) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, shape.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, shape.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "stowage");  // as StartupWMClass of the .desktop file
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "stowage");
}

void set_icon(GLFWwindow* window) {
  constexpr std::array<int, 4> kSizes{16, 32, 48, 128};
  std::vector<std::vector<std::uint32_t>> pixels;
  std::vector<GLFWimage> images;
  for (const int size : kSizes) {
    pixels.push_back(icon_pixels(size));
    GLFWimage image;
    image.width = size;
    image.height = size;
    image.pixels = reinterpret_cast<unsigned char*>(pixels.back().data());
    images.push_back(image);
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

/// The monitor that holds the middle of the window, else the primary one.
GLFWmonitor* monitor_of(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  const int middle_x = x + width / 2;
  const int middle_y = y + height / 2;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[k], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
    if (mode == nullptr) continue;
    const bool holds =
        middle_x >= left && middle_x < left + mode->width && middle_y >= top && middle_y < top + mode->height;
    if (holds) return monitors[k];
  }
  return glfwGetPrimaryMonitor();
}

}  // namespace

Result<std::unique_ptr<GlfwWindow>> GlfwWindow::create(const WindowShape& shape) {
  std::unique_ptr<GlfwWindow> result(new GlfwWindow());
  if (glfwInit() != GLFW_TRUE) {
    return input_error("no display: cannot open a window (" + last_error() + "); " + kInstead);
  }
  result->library_ = true;
  set_hints(shape);
  int width = std::max(shape.width, 320);
  int height = std::max(shape.height, 240);
  if (shape.visible) fit_to_screen(width, height);
  result->window_ = glfwCreateWindow(width, height, "Stowage", nullptr, nullptr);
  if (result->window_ == nullptr) {
    return input_error("cannot open a window with OpenGL 3.3 (" + last_error() + "); " + kInstead);
  }
  glfwMakeContextCurrent(result->window_);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    return input_error(std::string("cannot load the functions of OpenGL 3.3; ") + kInstead);
  }
  glfwSwapInterval(shape.vsync ? 1 : 0);
  if (shape.visible) set_icon(result->window_);
  return result;
}

GlfwWindow::~GlfwWindow() {
  if (window_ != nullptr) glfwDestroyWindow(window_);
  if (library_) glfwTerminate();
}

float GlfwWindow::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x > 0 ? x : 1.0F;
}

void GlfwWindow::set_fullscreen(bool on) {
  if (on == fullscreen_) return;
  if (!on) {
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height, 0);
    fullscreen_ = false;
    return;
  }
  GLFWmonitor* monitor = monitor_of(window_);
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return;
  glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  fullscreen_ = true;
}

void GlfwWindow::logical_size(int& width, int& height) const {
  int now_width = windowed_.width, now_height = windowed_.height;
  if (!fullscreen_) glfwGetWindowSize(window_, &now_width, &now_height);
  // Screen coordinates are device pixels on X11 and logical ones elsewhere; the framebuffer tells which.
  int screen_width = 0, pixel_width = 0, ignored = 0;
  glfwGetWindowSize(window_, &screen_width, &ignored);
  glfwGetFramebufferSize(window_, &pixel_width, &ignored);
  const float pixels_per_screen =
      screen_width > 0 ? static_cast<float>(pixel_width) / static_cast<float>(screen_width) : 1.0F;
  const float to_logical = pixels_per_screen / content_scale();
  width = static_cast<int>(static_cast<float>(now_width) * to_logical + 0.5F);
  height = static_cast<int>(static_cast<float>(now_height) * to_logical + 0.5F);
}

}  // namespace stowage
