#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <imgui.h>

#include "tests/support/rasteriser.h"
#include "ui/host.h"
#include "ui/state.h"
#include "ui/workbench.h"

namespace stowage::testing {

/// The outside world of a workbench, in memory. Its clock runs 1/60 s a frame.
class MemoryHost : public Host {
 public:
  double now() const override { return time; }
  void set_title(const std::string& words) override { title = words; }
  void set_clipboard(const std::string& words) override { clipboard = words; }
  std::string clipboard_text() const override { return clipboard; }
  void set_fullscreen(bool on) override { full = on; }
  bool fullscreen() const override { return full; }
  void close() override { closed = true; }
  ImTextureID texture(std::string_view slot, const draw::Image& image) override;
  float display_scale() const override { return scale; }

  double time = 0;
  std::string title;
  std::string clipboard;
  bool full = false;
  bool closed = false;
  float scale = 1;
  std::size_t uploads = 0;

 private:
  struct Slot {
    std::uint64_t revision = 0;
    Bitmap bitmap;
  };
  std::map<std::string, Slot, std::less<>> slots_;
};

/// A workbench without a window: one event a frame, widgets found by name.
class UiDriver {
 public:
  explicit UiDriver(float width = 1600, float height = 1000, std::string config_folder = {}, float scale = 1);
  ~UiDriver();
  UiDriver(const UiDriver&) = delete;
  UiDriver& operator=(const UiDriver&) = delete;

  MemoryHost host;
  Workbench& workbench() { return *workbench_; }
  Workbench::State& state() { return workbench_->state(); }

  void frame();
  void frames(int count);
  /// Called after each frame with the time that the window's own thread was busy with it; seconds.
  std::function<void(double)> on_frame;
  /// Frames until it holds; background threads get time in between. False when it never does.
  bool until(const std::function<bool()>& holds, int tries = 4000);
  /// Until nothing runs or moves.
  bool settle();
  bool open(const std::string& path);

  bool has(std::string_view name);
  ImVec2 centre(std::string_view name);
  /// A point of a widget by shares of its width and height.
  ImVec2 point(std::string_view name, float x, float y);
  void move(ImVec2 to);
  void click(ImVec2 at);
  void click(std::string_view name) { click(centre(name)); }
  void double_click(ImVec2 at);
  void drag(ImVec2 from, ImVec2 to, int steps = 6);
  void wheel(ImVec2 at, float notches);
  void type(std::string_view text);
  /// "Ctrl+Shift+P", "F", "Escape", "?"
  void press(std::string_view chord);
  void hold(std::string_view keys, bool down);

  Bitmap screenshot();

 private:
  void set_key(std::string_view key, bool down);
  void load_fonts_if_needed();

  ImGuiContext* context_ = nullptr;
  std::unique_ptr<Workbench> workbench_;
  Fonts fonts_;
  float fonts_scale_ = 0;
  Bitmap atlas_;
  ImVec2 size_;
};

}  // namespace stowage::testing
