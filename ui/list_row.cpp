#include "ui/list_row.h"

#include <algorithm>
#include <cmath>

namespace stowage {

float ListRow::text_y(ImFont* font) const {
  return std::floor(at.y + (size.y - font_height(font)) / 2);
}

ListRow list_row(Ui& ui, std::string_view name, int id, float height, bool marked, float beside) {
  ListRow row;
  row.at = ImGui::GetCursorScreenPos();
  row.size = ImVec2(std::max(1.0F, ImGui::GetContentRegionAvail().x - beside), ui.px(height));
  ImGui::PushID(name.data(), name.data() + name.size());
  ImGui::PushID(id);
  row.clicked = ImGui::InvisibleButton("##row", row.size);
  ImGui::PopID();
  ImGui::PopID();
  record(ui, name);
  row.hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (marked || row.hovered) {
    list.AddRectFilled(row.at, ImVec2(row.right(), row.at.y + row.size.y),
                       u32(with_alpha(ui.theme->accent, marked ? 0.16 : 0.08)), ui.px(5));
  }
  if (marked) {
    list.AddRectFilled(ImVec2(row.at.x, row.at.y + ui.px(5)),
                       ImVec2(row.at.x + ui.px(2), row.at.y + row.size.y - ui.px(5)), u32(ui.theme->accent));
  }
  return row;
}

std::string signed_bytes(std::int64_t delta, ByteUnit unit) {
  if (delta == 0) return "\u00B10";
  if (delta > 0) return "+" + format_bytes(delta, unit);
  return "\u2212" + format_bytes(delta == kMinInt64 ? kMaxInt64 : -delta, unit);
}

Color delta_color(const Theme& theme, std::int64_t delta) {
  return delta > 0 ? theme.bad : delta < 0 ? theme.good : theme.dim;
}

void paragraph(Ui& ui, Color color, std::string_view words) {
  ImGui::PushFont(ui.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, u32(color));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void progress_bar(Ui& ui, std::string_view name, double share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = ui.px(5);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + high), u32(ui.theme->raised), high / 2);
  const float done = static_cast<float>(std::clamp(share, 0.0, 1.0)) * width;
  if (done >= 1) list.AddRectFilled(at, ImVec2(at.x + done, at.y + high), u32(ui.theme->accent), high / 2);
  ImGui::Dummy(ImVec2(width, high));
  record(ui, name);
}

}  // namespace stowage
