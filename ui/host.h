#pragma once

#include <string>
#include <string_view>

#include <imgui.h>

#include "core/chart/scene.h"

namespace stowage {

/// What the user interface needs from the outside. The window implements it with GLFW and OpenGL, the headless tests in
/// memory; so ui knows neither of them, no clock and no file dialog.
class Host {
 public:
  virtual ~Host() = default;
  /// Seconds since some fixed moment; never falling.
  virtual double now() const = 0;
  virtual void set_title(const std::string& title) = 0;
  virtual void set_clipboard(const std::string& text) = 0;
  /// Text on the clipboard; empty when there is none.
  virtual std::string clipboard_text() const = 0;
  virtual void set_fullscreen(bool on) = 0;
  virtual bool fullscreen() const = 0;
  /// Ends the program after this frame.
  virtual void close() = 0;
  /// A texture that holds the image; uploaded again only when its revision changed. One slot for each name.
  virtual ImTextureID texture(std::string_view slot, const draw::Image& image) = 0;
  /// Device pixels per logical pixel of the display, without the user's own UI scale.
  virtual float display_scale() const = 0;
};

}  // namespace stowage
