#pragma once

#include "core/chart/scene.h"

namespace stowage {

/// A framebuffer in memory of a size of its own, so that a picture needs no window on the screen and may be larger than
/// the screen. Needs a current context all its life.
class Offscreen {
 public:
  Offscreen(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// All drawing goes into this framebuffer from now on.
  void bind() const;
  int width() const { return width_; }
  int height() const { return height_; }
  /// What has been drawn, opaque, rows from the top; its rectangle is the whole picture, one unit a pixel.
  draw::Image read() const;

 private:
  int width_;
  int height_;
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
};

}  // namespace stowage
