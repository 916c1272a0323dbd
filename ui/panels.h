#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/layout_file.h"
#include "ui/workbench.h"

namespace stowage {

struct View;

/// Where panels can lie: four slots, each with two rows one above the other; panels of one row are tabs.
enum class Slot { kLeft, kCentre, kRight, kBottom };
inline constexpr std::array<std::string_view, 4> kSlotNames = {"left", "centre", "right", "bottom"};
inline constexpr int kSlotRows = 2;

struct PanelPlace {
  Slot slot = Slot::kCentre;
  int row = 1;  // 1 or 2
  bool operator==(const PanelPlace&) const = default;
};
/// "left 2"; "left" is its first row. Nothing for "hidden" and whatever else.
std::optional<PanelPlace> parse_place(std::string_view text);
std::string name_of(const PanelPlace& place);

/// The layouts of assets/layouts, in the order of menus; the first is the one of a fresh start.
std::span<const LayoutFile> layouts();

/// Where the user has it; nothing when it is hidden.
std::optional<PanelPlace> place_of(const Workbench::State& state, std::string_view panel);
/// Panels of a row in the order of views.def.
std::vector<const View*> panels_at(const Workbench::State& state, const PanelPlace& place);
/// The one of them that is shown; null when the row is empty.
const View* front_panel(const Workbench::State& state, const PanelPlace& place);

void move_panel(Workbench::State& state, const std::string& panel, const std::string& place);
void show_panel(Workbench::State& state, const std::string& panel);
void use_layout(Workbench::State& state, const std::string& name);

}  // namespace stowage
