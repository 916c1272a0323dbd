#include "app/host_window.h"

#include <GLFW/glfw3.h>

namespace stowage {

double HostWindow::now() const {
  return glfwGetTime();
}

void HostWindow::set_title(const std::string& title) {
  if (title == title_) return;  // the window manager is asked only when something changes
  title_ = title;
  glfwSetWindowTitle(window_.handle(), title.c_str());
}

void HostWindow::set_clipboard(const std::string& text) {
  glfwSetClipboardString(window_.handle(), text.c_str());
}

std::string HostWindow::clipboard_text() const {
  const char* text = glfwGetClipboardString(window_.handle());
  return text != nullptr ? text : "";
}

void HostWindow::close() {
  glfwSetWindowShouldClose(window_.handle(), GLFW_TRUE);
}

ImTextureID HostWindow::texture(std::string_view slot, const draw::Image& image) {
  return textures_.texture(slot, image);
}

float HostWindow::display_scale() const {
  return fixed_scale_ > 0 ? fixed_scale_ : window_.content_scale();
}

void HostWindow::apply() {
  window_.set_fullscreen(wants_fullscreen_);
}

}  // namespace stowage
