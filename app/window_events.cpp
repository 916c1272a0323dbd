#include "app/window_events.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

namespace stowage {

/// Plain functions for GLFW; each finds its object through the window's user pointer.
struct WindowEvents::Callbacks {
  static WindowEvents& of(GLFWwindow* window) {
    WindowEvents& events = *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
    events.happened_ = true;
    return events;
  }
  static void focus(GLFWwindow* window, int focused) {
    of(window);
    ImGui_ImplGlfw_WindowFocusCallback(window, focused);
  }
  static void enter(GLFWwindow* window, int entered) {
    of(window);
    ImGui_ImplGlfw_CursorEnterCallback(window, entered);
  }
  static void cursor(GLFWwindow* window, double x, double y) {
    of(window);
#if IMGUI_VERSION_NUM >= 18700
    // Everything here counts in pixels of the framebuffer; before 1.87 the session scales the position it finds.
    int screen = 0, pixels = 0, ignored = 0;
    glfwGetWindowSize(window, &screen, &ignored);
    glfwGetFramebufferSize(window, &pixels, &ignored);
    const double ratio = screen > 0 ? static_cast<double>(pixels) / screen : 1.0;
    ImGui_ImplGlfw_CursorPosCallback(window, x * ratio, y * ratio);
#else
    static_cast<void>(x);
    static_cast<void>(y);
#endif
  }
  static void button(GLFWwindow* window, int button, int action, int mods) {
    of(window);
    ImGui_ImplGlfw_MouseButtonCallback(window, button, action, mods);
  }
  static void scroll(GLFWwindow* window, double x, double y) {
    of(window);
    ImGui_ImplGlfw_ScrollCallback(window, x, y);
  }
  static void character(GLFWwindow* window, unsigned code) {
    of(window);
    ImGui_ImplGlfw_CharCallback(window, code);
  }
  static void key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    WindowEvents& events = of(window);
#if IMGUI_VERSION_NUM < 18700
    events.pass_on(key, scancode, action, mods);
#else
    static_cast<void>(events);  // newer back ends find the printed letter and queue events themselves
    ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods);
#endif
  }
  static void drop(GLFWwindow* window, int count, const char** paths) {
    WindowEvents& events = of(window);
    for (int k = 0; k < count; ++k) events.dropped_.emplace_back(paths[k]);
  }
  static void refresh(GLFWwindow* window) {
    of(window);
  }
  static void close(GLFWwindow* window) {
    of(window);
  }
  static void resize(GLFWwindow* window, int, int) {
    of(window);
  }
  static void rescale(GLFWwindow* window, float, float) {
    of(window);
  }
};

WindowEvents::WindowEvents(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window, this);
  glfwSetWindowFocusCallback(window, Callbacks::focus);
  glfwSetCursorEnterCallback(window, Callbacks::enter);
  glfwSetCursorPosCallback(window, Callbacks::cursor);
  glfwSetMouseButtonCallback(window, Callbacks::button);
  glfwSetScrollCallback(window, Callbacks::scroll);
  glfwSetKeyCallback(window, Callbacks::key);
  glfwSetCharCallback(window, Callbacks::character);
  glfwSetDropCallback(window, Callbacks::drop);
  glfwSetWindowRefreshCallback(window, Callbacks::refresh);
  glfwSetWindowCloseCallback(window, Callbacks::close);
  glfwSetFramebufferSizeCallback(window, Callbacks::resize);
  glfwSetWindowContentScaleCallback(window, Callbacks::rescale);
}

WindowEvents::~WindowEvents() {
  glfwSetWindowFocusCallback(window_, nullptr);
  glfwSetCursorEnterCallback(window_, nullptr);
  glfwSetCursorPosCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetScrollCallback(window_, nullptr);
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  glfwSetWindowRefreshCallback(window_, nullptr);
  glfwSetWindowCloseCallback(window_, nullptr);
  glfwSetFramebufferSizeCallback(window_, nullptr);
  glfwSetWindowContentScaleCallback(window_, nullptr);
  glfwSetWindowUserPointer(window_, nullptr);
}

void WindowEvents::pass_on(int key, int scancode, int action, int mods) {
  // A release is passed on as the key of its press, also when the keyboard's layout changed in between.
  if (key >= 0 && static_cast<std::size_t>(key) < sent_as_.size()) {
    int& sent = sent_as_[static_cast<std::size_t>(key)];
    if (action == GLFW_PRESS || sent == 0) sent = printed_key(key, scancode);
    key = sent;
    if (action == GLFW_RELEASE) sent = 0;
  }
  if (action == GLFW_PRESS) fresh_presses_.push_back(key);
  const bool unseen = std::find(fresh_presses_.begin(), fresh_presses_.end(), key) != fresh_presses_.end();
  if (action == GLFW_RELEASE && unseen) {
    held_back_.push_back(Release{key, scancode, mods});
    return;
  }
  ImGui_ImplGlfw_KeyCallback(window_, key, scancode, action, mods);
}

void WindowEvents::frame_built() {
  fresh_presses_.clear();
  for (const Release& release : std::exchange(held_back_, {})) {
    ImGui_ImplGlfw_KeyCallback(window_, release.key, release.scancode, GLFW_RELEASE, release.mods);
    happened_ = true;
  }
}

bool WindowEvents::take_happened() {
  return std::exchange(happened_, false);
}

std::vector<std::string> WindowEvents::take_dropped() {
  return std::exchange(dropped_, {});
}

int printed_key(int key, int scancode) {
  const bool main_block = key >= GLFW_KEY_APOSTROPHE && key <= GLFW_KEY_GRAVE_ACCENT;
  if (!main_block) return key;
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
  const char sign = name[0];
  if (sign >= 'a' && sign <= 'z') return GLFW_KEY_A + (sign - 'a');
  // GLFW's names of digits and of these signs are their ASCII codes.
  const bool known = (sign >= '0' && sign <= '9') || std::string("',-./;=[\\]`").find(sign) != std::string::npos;
  return known ? static_cast<int>(sign) : key;
}

}  // namespace stowage
