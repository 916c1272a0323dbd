#include "ui/workbench.h"

#include <utility>

namespace stowage {

struct Workbench::State {
  Host& host;
  std::string config_folder;
  Settings settings;
  Document document;
};

Workbench::Workbench(Host& host, std::string config_folder)
    : state_(new State{host, std::move(config_folder), Settings{}, Document{}}) {}
Workbench::~Workbench() = default;

void Workbench::open(const std::string& path) {
  state_->document.path = path;
}
void Workbench::frame(const Fonts& fonts) {
  ImGui::PushFont(fonts.text);
  ImGui::PopFont();
}
bool Workbench::animating() const {
  return false;
}
float Workbench::font_scale() const {
  return state_->host.display_scale() * static_cast<float>(state_->settings.ui_scale);
}
const Settings& Workbench::settings() const {
  return state_->settings;
}
const Document& Workbench::document() const {
  return state_->document;
}

}  // namespace stowage
