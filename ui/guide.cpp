#include "ui/guide.h"

#include <algorithm>
#include <utility>

#include "ui/feature_commands.h"
#include "ui/guide_texts.h"
#include "ui/views/view.h"

namespace stowage {
namespace {

using State = Workbench::State;

bool run(State& state, CommandId id) {
  if (id != CommandId::guide && id != CommandId::help) return false;
  Guide& guide = state.part<Guide>();
  guide.search.clear();
  guide.page = id == CommandId::guide ? panel_at(state, ImGui::GetIO().MousePos) : std::string();
  apply(state, action::ShowPopup{Popup::kHelp});
  return true;
}

const char* why_disabled(const State&, CommandId id) {
  return id == CommandId::guide || id == CommandId::help ? "" : nullptr;
}

}  // namespace

std::span<const GuidePage> guide_pages() {
  static const std::vector<GuidePage> all = [] {
    std::vector<GuidePage> pages;
    for (const View& view : views()) {
      for (const auto& [name, text] : kGuideTexts) {
        if (view.name != name) continue;
        if (auto page = parse_guide_page(name, text)) pages.push_back(std::move(*page));
      }
    }
    return pages;
  }();
  return all;
}

const GuidePage* guide_page(std::string_view name) {
  const auto pages = guide_pages();
  const auto found = std::find_if(pages.begin(), pages.end(), [&](const GuidePage& page) { return page.name == name; });
  return found == pages.end() ? nullptr : &*found;
}

std::string panel_at(const State& state, ImVec2 point) {
  for (const View& view : views()) {
    if (view.place != ViewPlace::kPanel) continue;
    const auto drawn = state.ui.widgets.find(view.name);
    if (drawn == state.ui.widgets.end()) continue;
    const Ui::Box& box = drawn->second;
    const bool inside = point.x >= box.low.x && point.x < box.high.x && point.y >= box.low.y && point.y < box.high.y;
    if (inside) return std::string(view.name);
  }
  return {};
}

FeatureCommands guide_commands() {
  return {run, why_disabled};
}

}  // namespace stowage
