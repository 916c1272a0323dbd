#include "ui/row_scroll.h"

#include <algorithm>
#include <cmath>

namespace stowage {

void RowScroll::reveal(std::size_t row, std::size_t visible) {
  if (row >= first && row < first + visible) return;
  first = row - std::min(row, visible / 2);
}

void RowScroll::update(std::size_t count, std::size_t visible, bool hovered) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (hovered && wheel != 0) {
    const auto rows = static_cast<std::size_t>(std::max(1.0F, std::round(std::abs(wheel) * 3)));
    first = wheel > 0 ? first - std::min(first, rows) : first + rows;
  }
  first = std::min(first, count - std::min(count, visible));
}

void RowScroll::draw_bar(Ui& ui, std::string_view name, ImVec2 at, ImVec2 size, std::size_t count,
                         std::size_t visible) {
  if (count <= visible || size.y < ui.px(30)) return;
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(name.data(), name.data() + name.size());
  ImGui::InvisibleButton("##bar", size);
  ImGui::PopID();
  record(ui, name);
  const float thumb = std::max(ui.px(24), size.y * static_cast<float>(visible) / static_cast<float>(count));
  const auto most = static_cast<double>(count - visible);
  if (ImGui::IsItemActive()) {
    const double share = static_cast<double>((ImGui::GetIO().MousePos.y - at.y - thumb / 2) / (size.y - thumb));
    first = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * most + 0.5);
  }
  const float y = at.y + static_cast<float>(static_cast<double>(first) / most) * (size.y - thumb);
  const double strength = ImGui::IsItemActive() ? 0.34 : ImGui::IsItemHovered() ? 0.26 : 0.16;
  const float inset = ui.px(2);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + inset, y), ImVec2(at.x + size.x - inset, y + thumb),
                                            u32(mix(ui.theme->card, ui.theme->text, strength)), size.x / 2);
}

}  // namespace stowage
