#include "app/gl/offscreen.h"

#include <algorithm>
#include <cstddef>

#include <glad/gl.h>

namespace stowage {

Offscreen::Offscreen(int width, int height) : width_(width), height_(height) {
  glGenRenderbuffers(1, &color_);
  glBindRenderbuffer(GL_RENDERBUFFER, color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
}

Offscreen::~Offscreen() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteRenderbuffers(1, &color_);
}

void Offscreen::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

draw::Image Offscreen::read() const {
  const std::size_t row = static_cast<std::size_t>(width_);
  const std::size_t rows = static_cast<std::size_t>(height_);
  std::vector<std::uint32_t> pixels(row * rows);
  bind();
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  for (std::size_t top = 0, bottom = rows; top + 1 < bottom; ++top) {  // OpenGL's first row is the lowest one
    --bottom;
    std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(top * row),
                     pixels.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                     pixels.begin() + static_cast<std::ptrdiff_t>(bottom * row));
  }
  for (std::uint32_t& pixel : pixels) pixel |= 0xFF000000U;
  draw::Image image;
  image.rect = Rect{0, 0, static_cast<float>(width_), static_cast<float>(height_)};
  image.width = width_;
  image.height = height_;
  image.pixels = std::make_shared<const std::vector<std::uint32_t>>(std::move(pixels));
  image.revision = 1;
  return image;
}

}  // namespace stowage
