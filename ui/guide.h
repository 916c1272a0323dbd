#pragma once

#include <span>
#include <string>

#include "ui/guide_page.h"
#include "ui/state.h"

namespace stowage {

/// What the help window shows.
struct Guide {
  std::string page;  // name of a panel; empty: keys and gestures
  std::string search;
};

/// The pages of assets/guide, one for each panel, in the order of ui/views/views.def.
std::span<const GuidePage> guide_pages();
/// Null when there is no such page.
const GuidePage* guide_page(std::string_view name);

/// The panel that the last frame drew under a point; empty when none.
std::string panel_at(const Workbench::State& state, ImVec2 point);

}  // namespace stowage
