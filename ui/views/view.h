#pragma once

#include <span>
#include <string_view>

#include "ui/state.h"

namespace stowage {

/// Where a view is drawn. Cards get a rectangle of the layout; overlays place themselves over everything.
enum class ViewPlace { kToolbar, kLeftTop, kLeftBottom, kCentre, kBottom, kRight, kStatus, kOverlay };

/// A line of ui/views/views.def: one file with `void draw_NAME(Workbench::State&, ImVec2 at, ImVec2 size)`.
struct View {
  std::string_view name;
  ViewPlace place = ViewPlace::kOverlay;
  void (*draw)(Workbench::State& state, ImVec2 at, ImVec2 size) = nullptr;
};

std::span<const View> views();

#define STOWAGE_VIEW(name, place) void draw_##name(Workbench::State& state, ImVec2 at, ImVec2 size);
#include "ui/views/views.def"
#undef STOWAGE_VIEW

}  // namespace stowage
