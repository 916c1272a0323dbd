#pragma once

#include <string>

#include "app/gl/texture_slots.h"
#include "app/glfw_window.h"
#include "ui/host.h"

namespace stowage {

/// The outside of the interface in a real window. Wishes for full screen and for closing are carried out between
/// frames, by apply().
class HostWindow : public Host {
 public:
  /// `fixed_scale` above 0 stands for the monitor's own.
  HostWindow(GlfwWindow& window, float fixed_scale) : window_(window), fixed_scale_(fixed_scale) {}

  double now() const override;
  void set_title(const std::string& title) override;
  void set_clipboard(const std::string& text) override;
  std::string clipboard_text() const override;
  void set_fullscreen(bool on) override { wants_fullscreen_ = on; }
  bool fullscreen() const override { return wants_fullscreen_; }
  void close() override;
  ImTextureID texture(std::string_view slot, const draw::Image& image) override;
  float display_scale() const override;

  void apply();
  const TextureSlots& textures() const { return textures_; }

 private:
  GlfwWindow& window_;
  float fixed_scale_;
  bool wants_fullscreen_ = false;
  std::string title_;
  TextureSlots textures_;
};

}  // namespace stowage
