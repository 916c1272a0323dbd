#include <array>
#include <string>

#include <fmt/format.h>

#include "ui/dialog.h"
#include "ui/easing.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::array<double, 10> kScales = {0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0};
constexpr std::array<const char*, 5> kUnits = {"auto", "B", "KiB", "MiB", "GiB"};

void label(const Ui& ui, std::string_view words) {
  text(ui.fonts.text, ui.theme->dim, words);
}

/// Buttons in a row that break into the next line where the dialog ends.
bool choice(State& state, const std::string& name, const std::string& words, bool on, bool first) {
  Ui& ui = state.ui;
  if (!first) {
    ImGui::SameLine(0, ui.px(6));
    if (ImGui::GetContentRegionAvail().x < button_width(ui, nullptr, words)) ImGui::NewLine();
  }
  return button(ui, name, nullptr, words, on ? ButtonLook::kActive : ButtonLook::kRaised);
}

}  // namespace

void draw_settings(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kSettings, "Settings", ImVec2(520, 450))) return;
  Ui& ui = state.ui;
  Settings to = state.settings;
  label(ui, "Theme");
  if (choice(state, "settings.dark", "Dark", to.theme != "light", true)) to.theme = "dark";
  if (choice(state, "settings.light", "Light", to.theme == "light", false)) to.theme = "light";
  ImGui::Dummy(ImVec2(0, ui.px(6)));
  label(ui, "Size of the interface");
  for (const double scale : kScales) {
    const std::string words = fmt::format("{:.0f} %", scale * 100);
    const bool on = to.ui_scale == scale;
    if (choice(state, fmt::format("settings.scale.{:.0f}", scale * 100), words, on, scale == kScales.front())) {
      to.ui_scale = scale;
    }
  }
  ImGui::Dummy(ImVec2(0, ui.px(6)));
  label(ui, "Bytes in");
  for (const char* unit : kUnits) {
    const bool first = unit == kUnits.front();
    const std::string words = first ? "What fits" : unit;
    if (choice(state, std::string("settings.unit.") + unit, words, to.byte_unit == unit, first)) to.byte_unit = unit;
  }
  ImGui::Dummy(ImVec2(0, ui.px(6)));
  label(ui, "Addresses");
  if (choice(state, "settings.units", "In byte units", !to.hex_addresses, true)) to.hex_addresses = false;
  if (choice(state, "settings.hex", "Hexadecimal", to.hex_addresses, false)) to.hex_addresses = true;
  ImGui::Dummy(ImVec2(0, ui.px(6)));
  label(ui, "Rectangles that an edit moves");
  const bool glide = easing_wanted(state);
  if (choice(state, "settings.glide", "Glide", glide, true)) to.layout[kEasingSetting] = 1;
  if (choice(state, "settings.jump", "Jump (reduced motion)", !glide, false)) to.layout[kEasingSetting] = 0;
  if (!(to == state.settings)) state.push(action::ChangeSettings{to});
  end_dialog();
}

}  // namespace stowage
