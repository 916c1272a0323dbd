#include "ui/layout.h"

#include <algorithm>

namespace stowage {
namespace {

constexpr float kGap = 8;
constexpr float kToolbar = 52;
constexpr float kStatus = 26;
constexpr float kNarrowest = 216;  // of a side column
constexpr float kCentre = 390;     // the chart keeps at least this

float remembered(const Workbench::State& state, const char* key, float otherwise) {
  const auto found = state.settings.layout.find(key);
  return found == state.settings.layout.end() ? otherwise : static_cast<float>(found->second);
}

bool hidden(const Workbench::State& state, const char* key) {
  return remembered(state, key, 0) != 0;
}

}  // namespace

Layout lay_out(Workbench::State& state, ImVec2 display) {
  Ui& ui = state.ui;
  const float width = display.x / ui.scale;
  const float height = display.y / ui.scale;
  float left = hidden(state, "left_hidden") ? 0 : std::clamp(remembered(state, "left", 376), kNarrowest, 620.0F);
  float right = hidden(state, "right_hidden") ? 0 : std::clamp(remembered(state, "right", 284), kNarrowest, 520.0F);
  // In a narrow window the sides give way first, then the right one goes, then the left one.
  float room = width - 2 * kGap - (left > 0 ? kGap : 0) - (right > 0 ? kGap : 0) - kCentre;
  if (left + right > room && left > 0 && right > 0) {
    const float shrink = std::max(0.0F, room) / (left + right);
    right = std::max(kNarrowest, right * shrink);
    left = std::max(kNarrowest, room - right);
  }
  if (left + right > room && right > 0) {
    right = 0;
    room += kGap;
  }
  if (left > room && left > 0) left = room >= kNarrowest ? room : 0;

  const float top = kToolbar;
  const float body = std::max(60.0F, height - kToolbar - kStatus - kGap);
  const float left_share = std::clamp(remembered(state, "left_split", 0.68F), 0.25F, 0.85F);
  const float centre_share = std::clamp(remembered(state, "centre_split", 0.8F), 0.4F, 0.9F);
  const float left_top = (body - kGap) * left_share;
  const float bottom = std::max(std::min(110.0F, body * 0.3F), (body - kGap) * (1 - centre_share));
  const float centre_height = body - kGap - bottom;
  const float centre_x = left > 0 ? left + 2 * kGap : kGap;
  const float centre_width = width - centre_x - kGap - (right > 0 ? right + kGap : 0);

  const auto pane = [&](float x, float y, float w, float h) {
    const ImVec2 low(ui.px(x), ui.px(y));
    return Pane{low, ImVec2(ui.px(x + w) - low.x, ui.px(y + h) - low.y)};
  };
  Layout layout;
  layout.toolbar = Pane{ImVec2(0, 0), ImVec2(display.x, ui.px(kToolbar))};
  layout.status = Pane{ImVec2(0, display.y - ui.px(kStatus)), ImVec2(display.x, ui.px(kStatus))};
  if (left > 0) {
    layout.left_top = pane(kGap, top, left, left_top);
    layout.left_bottom = pane(kGap, top + left_top + kGap, left, body - left_top - kGap);
  }
  layout.centre = pane(centre_x, top, centre_width, centre_height);
  layout.bottom = pane(centre_x, top + centre_height + kGap, centre_width, bottom);
  if (right > 0) layout.right = pane(width - kGap - right, top, right, body);

  Settings changed = state.settings;
  if (left > 0) {
    const float dx =
        splitter(ui, "splitter.left", ImVec2(ui.px(kGap + left), ui.px(top)), ImVec2(ui.px(kGap), ui.px(body)), true);
    if (dx != 0) changed.layout["left"] = static_cast<double>(std::clamp(left + dx, kNarrowest, 620.0F));
    const float dy = splitter(ui, "splitter.left_split", ImVec2(ui.px(kGap), ui.px(top + left_top)),
                              ImVec2(ui.px(left), ui.px(kGap)), false);
    if (dy != 0) changed.layout["left_split"] = static_cast<double>(left_share + dy / (body - kGap));
  }
  if (right > 0) {
    const float dx = splitter(ui, "splitter.right", ImVec2(ui.px(width - 2 * kGap - right), ui.px(top)),
                              ImVec2(ui.px(kGap), ui.px(body)), true);
    if (dx != 0) changed.layout["right"] = static_cast<double>(std::clamp(right - dx, kNarrowest, 520.0F));
  }
  const float dy = splitter(ui, "splitter.centre", ImVec2(ui.px(centre_x), ui.px(top + centre_height)),
                            ImVec2(ui.px(centre_width), ui.px(kGap)), false);
  if (dy != 0) changed.layout["centre_split"] = static_cast<double>(centre_share + dy / (body - kGap));
  if (changed.layout != state.settings.layout) state.push(action::ChangeSettings{changed});
  return layout;
}

}  // namespace stowage
