#pragma once

#include <array>
#include <string>
#include <vector>

struct GLFWwindow;

namespace stowage {

/// GLFW's callbacks for one window: passes input on to Dear ImGui (letters as printed on the keyboard), collects
/// dropped files, and remembers that something happened, so that an idle window draws nothing. Lives as long as the
/// window's loop; Dear ImGui's back end must have been started without callbacks of its own.
class WindowEvents {
 public:
  explicit WindowEvents(GLFWwindow* window);
  ~WindowEvents();
  WindowEvents(const WindowEvents&) = delete;
  WindowEvents& operator=(const WindowEvents&) = delete;

  /// True when there was an event since the last call.
  bool take_happened();
  /// A frame has seen the input so far. Before 1.87 Dear ImGui knows only whether a key is down, so a key that goes
  /// down and up between two slow frames would be lost: its release is held back until one frame has seen the press.
  void frame_built();
  /// Files dropped since the last call.
  std::vector<std::string> take_dropped();

 private:
  struct Callbacks;
  struct Release {
    int key = 0;
    int scancode = 0;
    int mods = 0;
  };
  void pass_on(int key, int scancode, int action, int mods);

  GLFWwindow* window_;
  bool happened_ = true;
  std::vector<std::string> dropped_;
  std::array<int, 512> sent_as_{};  // the key that a physical key was passed on as while it is down; 0: not down
  std::vector<int> fresh_presses_;  // keys, as passed on, that no frame has seen yet
  std::vector<Release> held_back_;
};

/// The key whose letter, digit or sign is printed on it, for keys of the main block: on a French keyboard the key that
/// an English one calls Q is A. Other keys, and letters outside ASCII, stay as they are.
int printed_key(int key, int scancode);

}  // namespace stowage
