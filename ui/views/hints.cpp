#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "ui/key_hints.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr std::string_view kLetters = "ASDFGHJKLEWRTYUIOPQZXCVBNM";  // where fingers lie comes first
constexpr float kWholePanel = 0.2F;  // of the window: what is larger is a panel and no control

/// As many letters for each as tell `count` of them apart.
std::string letters_of(std::size_t number, std::size_t count) {
  std::string letters;
  for (std::size_t reach = 1; reach < count || letters.empty(); reach *= kLetters.size()) {
    letters.insert(letters.begin(), kLetters[number % kLetters.size()]);
    number /= kLetters.size();
  }
  return letters;
}

ImVec2 middle_of(const Ui::Box& box) {
  return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
}

/// The controls in sight in the order of reading; of those in one place only one.
std::vector<KeyHints::Hint> hints_of(const Ui& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  std::vector<std::pair<ImVec2, std::string>> found;
  for (const auto& [name, box] : ui.widgets) {
    const float area = (box.high.x - box.low.x) * (box.high.y - box.low.y);
    if (box.clickable && area < kWholePanel * display.x * display.y) found.emplace_back(middle_of(box), name);
  }
  const auto line_of = [&](ImVec2 at) {
    return std::floor(at.y / ui.px(12));
  };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    const float line_a = line_of(a.first);
    const float line_b = line_of(b.first);
    return line_a != line_b ? line_a < line_b : a.first.x < b.first.x;
  });
  const auto in_one_place = [](const auto& a, const auto& b) {
    return std::abs(a.first.x - b.first.x) < 2 && std::abs(a.first.y - b.first.y) < 2;
  };
  found.erase(std::unique(found.begin(), found.end(), in_one_place), found.end());
  std::vector<KeyHints::Hint> hints;
  for (auto& [at, name] : found) hints.push_back({letters_of(hints.size(), found.size()), std::move(name)});
  return hints;
}

/// A small label on the left of its control, what is typed of it already dim.
void draw_hint(State& state, const KeyHints::Hint& hint, const Ui::Box& box, std::size_t typed) {
  Ui& ui = state.ui;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float wide = text_width(ui.fonts.mono, hint.letters) + ui.px(8);
  const float high = font_height(ui.fonts.mono) + ui.px(2);
  const float middle = middle_of(box).y;
  const ImVec2 at(std::clamp(box.low.x - ui.px(4), 0.0F, ImGui::GetIO().DisplaySize.x - wide),
                  std::round(middle - high / 2));
  list.AddRectFilled(at, ImVec2(at.x + wide, at.y + high), u32(ui.theme->accent), ui.px(4));
  list.AddRect(at, ImVec2(at.x + wide, at.y + high), u32(ui.theme->background), ui.px(4));
  const std::string_view letters = hint.letters;
  const ImVec2 pen(at.x + ui.px(4), at.y + ui.px(1));
  const auto write = [&](float x, std::string_view words, double alpha) {
    list.AddText(ui.fonts.mono, font_height(ui.fonts.mono), ImVec2(x, pen.y),
                 u32(with_alpha(ui.theme->on_accent, alpha)), words.data(), words.data() + words.size());
  };
  write(pen.x, letters.substr(0, typed), 0.5);
  write(pen.x + text_width(ui.fonts.mono, letters.substr(0, typed)), letters.substr(typed), 1);
  record(ui, fmt::format("hint.{}", hint.letters), at, ImVec2(at.x + wide, at.y + high));
}

}  // namespace

void draw_hints(State& state, ImVec2, ImVec2) {
  KeyHints& keys = state.part<KeyHints>();
  const auto& widgets = state.ui.widgets;
  if (!keys.chosen.empty()) {
    const auto box = widgets.find(keys.chosen);
    if (box == widgets.end()) keys.click.frames_left = 0;  // it is gone
    if (box != widgets.end()) keys.click.at = middle_of(box->second);
    keys.chosen.clear();
  }
  if (keys.asked) {
    keys.asked = false;
    keys.hints = hints_of(state.ui);
  }
  for (const KeyHints::Hint& hint : keys.hints) {
    const auto box = widgets.find(hint.widget);
    if (box == widgets.end() || !hint.letters.starts_with(keys.typed)) continue;
    draw_hint(state, hint, Ui::Box(box->second), keys.typed.size());
  }
}

}  // namespace stowage
