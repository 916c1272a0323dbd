#include "ui/panels.h"

#include <algorithm>

#include "ui/layout_texts.h"
#include "ui/state.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

void change(State& state, Settings to) {
  apply(state, action::ChangeSettings{std::move(to)});
}

/// Where it goes when it is called for and lies nowhere.
std::string home_of(const State& state, std::string_view panel) {
  for (const View& view : views()) {
    if (view.name == panel) return std::string(view.home);
  }
  return name_of(place_of(state, "inspector").value_or(PanelPlace{Slot::kRight, 1}));
}

/// Whether a key of Settings::layout speaks of slots and their sizes; others are switches and choices that no layout
/// touches.
bool is_of_slot(std::string_view key) {
  return std::any_of(kSlotNames.begin(), kSlotNames.end(), [&](std::string_view slot) {
    return key == slot || (key.substr(0, slot.size()) == slot && key.substr(slot.size(), 1) == "_");
  });
}

}  // namespace

std::optional<PanelPlace> parse_place(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view slot = text.substr(0, blank);
  const std::string_view row = blank == std::string_view::npos ? "1" : text.substr(blank + 1);
  const auto found = std::find(kSlotNames.begin(), kSlotNames.end(), slot);
  if (found == kSlotNames.end() || (row != "1" && row != "2")) return std::nullopt;
  return PanelPlace{static_cast<Slot>(found - kSlotNames.begin()), row == "1" ? 1 : 2};
}

std::string name_of(const PanelPlace& place) {
  return std::string(kSlotNames[static_cast<std::size_t>(place.slot)]) + (place.row == 1 ? " 1" : " 2");
}

std::span<const LayoutFile> layouts() {
  static const std::vector<LayoutFile> all = [] {
    std::vector<LayoutFile> read;
    for (const char* text : kLayoutTexts) {
      if (auto layout = parse_layout(text)) read.push_back(std::move(*layout));
    }
    return read;
  }();
  return all;
}

std::optional<PanelPlace> place_of(const State& state, std::string_view panel) {
  const auto& placed = state.settings.panels;
  const auto found = placed.find(std::string(panel));
  if (found != placed.end()) return parse_place(found->second);
  const auto& standard = layouts().front().panels;
  const auto usual = standard.find(std::string(panel));
  return usual == standard.end() ? std::nullopt : parse_place(usual->second);
}

std::vector<const View*> panels_at(const State& state, const PanelPlace& place) {
  std::vector<const View*> found;
  for (const View& view : views()) {
    if (view.place == ViewPlace::kPanel && place_of(state, view.name) == place) found.push_back(&view);
  }
  return found;
}

const View* front_panel(const State& state, const PanelPlace& place) {
  const std::vector<const View*> panels = panels_at(state, place);
  if (panels.empty()) return nullptr;
  const auto front = state.settings.front.find(name_of(place));
  if (front != state.settings.front.end()) {
    for (const View* view : panels) {
      if (view->name == front->second) return view;
    }
  }
  return panels.front();
}

void move_panel(State& state, const std::string& panel, const std::string& place) {
  Settings to = state.settings;
  to.panels[panel] = place;
  if (parse_place(place)) to.front[name_of(*parse_place(place))] = panel;
  change(state, std::move(to));
}

void show_panel(State& state, const std::string& panel) {
  const std::optional<PanelPlace> place = place_of(state, panel);
  if (!place) return move_panel(state, panel, home_of(state, panel));
  Settings to = state.settings;
  to.front[name_of(*place)] = panel;
  if (place->slot == Slot::kLeft) to.layout["left_hidden"] = 0;
  if (place->slot == Slot::kRight) to.layout["right_hidden"] = 0;
  change(state, std::move(to));
}

void use_layout(State& state, const std::string& name) {
  for (const LayoutFile& layout : layouts()) {
    if (layout.name != name) continue;
    Settings to = state.settings;
    to.panels.clear();
    for (const View& view : views()) {
      if (view.place == ViewPlace::kPanel) to.panels[std::string(view.name)] = "hidden";
    }
    for (const auto& [panel, place] : layout.panels) to.panels[panel] = place;
    to.front.clear();
    std::erase_if(to.layout, [](const auto& entry) { return is_of_slot(entry.first); });
    for (const auto& [key, size] : layout.sizes) to.layout[key] = size;
    return change(state, std::move(to));
  }
}

}  // namespace stowage
