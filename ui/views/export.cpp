#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/dialog.h"
#include "ui/icons.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr const char* kEndings[] = {".png", ".svg", ".pdf"};
constexpr int kLargest = 16384;  // pixels a side, as the painter allows

void row(const Ui& ui, std::string_view words) {
  ImGui::AlignTextToFramePadding();
  text(ui.fonts.text, ui.theme->dim, words);
  ImGui::SameLine(ui.px(140));
}

bool choice(Ui& ui, const char* name, const char* words, bool on, bool last = false) {
  const bool pressed = button(ui, name, nullptr, words, on ? ButtonLook::kActive : ButtonLook::kRaised);
  if (!last) ImGui::SameLine(0, ui.px(6));
  return pressed;
}

/// Changes the ending of the path when it was one of ours.
void set_format(ExportForm& form, int format) {
  for (const char* ending : kEndings) {
    const std::string old(ending);
    if (form.path.size() > old.size() && form.path.compare(form.path.size() - old.size(), old.size(), old) == 0) {
      form.path.resize(form.path.size() - old.size());
      break;
    }
  }
  form.format = format;
  form.path += kEndings[format];
}

void size_fields(Ui& ui, ExportForm& form) {
  ImGui::SetNextItemWidth(ui.px(84));
  ImGui::InputInt("##width", &form.width, 0);
  record(ui, "export.width");
  ImGui::SameLine(0, ui.px(6));
  text(ui.fonts.text, ui.theme->dim, "\u00D7");
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetNextItemWidth(ui.px(84));
  ImGui::InputInt("##height", &form.height, 0);
  record(ui, "export.height");
  form.width = std::clamp(form.width, 64, kLargest);
  form.height = std::clamp(form.height, 64, kLargest);
}

}  // namespace

void draw_export(State& state, ImVec2, ImVec2) {
  if (!begin_dialog(state, Popup::kExport, "Export picture", ImVec2(600, 420))) return;
  Ui& ui = state.ui;
  ExportForm& form = state.export_form;
  row(ui, "File");
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputText("##path", &form.path, ImGuiInputTextFlags_EnterReturnsTrue);
  record(ui, "export.path");
  row(ui, "Format");
  if (choice(ui, "export.png", "PNG", form.format == 0)) set_format(form, 0);
  if (choice(ui, "export.svg", "SVG", form.format == 1)) set_format(form, 1);
  if (choice(ui, "export.pdf", "PDF", form.format == 2, true)) set_format(form, 2);
  row(ui, "Size");
  size_fields(ui, form);
  row(ui, "Scale");
  if (choice(ui, "export.scale.1", "1\u00D7", form.scale == 1)) form.scale = 1;
  if (choice(ui, "export.scale.2", "2\u00D7", form.scale == 2)) form.scale = 2;
  if (choice(ui, "export.scale.3", "3\u00D7", form.scale == 3)) form.scale = 3;
  const std::string pixels =
      fmt::format("{} \u00D7 {} pixels", static_cast<int>(static_cast<float>(form.width) * form.scale),
                  static_cast<int>(static_cast<float>(form.height) * form.scale));
  ImGui::AlignTextToFramePadding();
  text(ui.fonts.small, ui.theme->dim, form.format == 0 ? pixels : std::string("vectors: the scale does not matter"));
  row(ui, "Theme");
  if (choice(ui, "export.dark", "Dark", form.theme == 0)) form.theme = 0;
  if (choice(ui, "export.light", "Light", form.theme == 1, true)) form.theme = 1;
  row(ui, "Shows");
  if (choice(ui, "export.all", "Everything", !form.visible_part)) form.visible_part = false;
  if (choice(ui, "export.part", "The visible part", form.visible_part, true)) form.visible_part = true;
  row(ui, "Labels");
  if (choice(ui, "export.labels_on", "On", form.labels)) form.labels = true;
  if (choice(ui, "export.labels_off", "Off", !form.labels, true)) form.labels = false;

  const float bottom = ImGui::GetWindowSize().y - ui.px(16) - ui.px(30);
  ImGui::SetCursorPos(ImVec2(ImGui::GetWindowSize().x - ui.px(18) - button_width(ui, icon::kExport, "Export"), bottom));
  const bool clicked = button(ui, "export.go", icon::kExport, "Export", ButtonLook::kAccent, {}, !form.path.empty());
  if ((clicked || entered) && !form.path.empty()) {
    action::ExportTo request;
    request.path = form.path;
    request.format = static_cast<PictureFormat>(form.format);
    request.width = static_cast<float>(form.width);
    request.height = static_cast<float>(form.height);
    request.scale = form.scale;
    request.theme = form.theme == 1 ? "light" : "dark";
    request.labels = form.labels;
    request.visible_part = form.visible_part;
    state.push(request);
  }
  end_dialog();
}

}  // namespace stowage
