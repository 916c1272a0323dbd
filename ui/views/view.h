#pragma once

#include <span>
#include <string_view>

#include "ui/state.h"

namespace stowage {

/// Where a view is drawn. Panels get a rectangle of the layout; overlays place themselves over everything.
enum class ViewPlace { kToolbar, kPanel, kStatus, kOverlay };

/// A line of ui/views/views.def: one file with `void draw_NAME(Workbench::State&, ImVec2 at, ImVec2 size)`.
struct View {
  std::string_view name;
  std::string_view title;  // of a panel, for its tab and the menu
  ViewPlace place = ViewPlace::kOverlay;
  std::string_view home;  // where a panel goes that is called for and lies nowhere: "right 1"
  void (*draw)(Workbench::State& state, ImVec2 at, ImVec2 size) = nullptr;
};

std::span<const View> views();

#define STOWAGE_VIEW(name, title, place, home) void draw_##name(Workbench::State& state, ImVec2 at, ImVec2 size);
#include "ui/views/views.def"
#undef STOWAGE_VIEW

}  // namespace stowage
