#include "ui/layout.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ui/splitter_keys.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr float kGap = 8;
constexpr float kToolbar = 52;
constexpr float kStatus = 26;
constexpr float kNarrowest = 216;  // of a side column
constexpr float kCentre = 390;     // the chart keeps at least this

float remembered(const State& state, const std::string& key, float otherwise) {
  const auto found = state.settings.layout.find(key);
  return found == state.settings.layout.end() ? otherwise : static_cast<float>(found->second);
}

/// A rectangle in logical pixels.
struct Area {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

/// One layout in the making: places rows, draws splitters and gathers what they change.
class Arrangement {
 public:
  Arrangement(State& state, ImVec2 display)
      : state_(state),
        changed_(state.settings),
        width_(display.x / state.ui.scale),
        height_(display.y / state.ui.scale) {}

  bool used(Slot slot, int row) const { return !panels_at(state_, PanelPlace{slot, row}).empty(); }
  bool used(Slot slot) const { return used(slot, 1) || used(slot, 2); }
  float width() const { return width_; }
  float height() const { return height_; }

  Pane pane(const Area& area) const {
    const Ui& ui = state_.ui;
    const ImVec2 low(ui.px(area.x), ui.px(area.y));
    return Pane{low, ImVec2(ui.px(area.x + area.width) - low.x, ui.px(area.y + area.height) - low.y)};
  }

  /// Splits a slot between its rows.
  void place_rows(Slot slot, const Area& area, float usual_share) {
    const bool first = used(slot, 1);
    const bool second = used(slot, 2);
    if (first && second) {
      const std::string key = std::string(kSlotNames[static_cast<std::size_t>(slot)]) + "_split";
      const float share = std::clamp(remembered(state_, key, usual_share), 0.2F, 0.85F);
      const float upper = (area.height - kGap) * share;
      add(slot, 1, Area{area.x, area.y, area.width, upper});
      add(slot, 2, Area{area.x, area.y + upper + kGap, area.width, area.height - upper - kGap});
      if (const float dy = split(key, Area{area.x, area.y + upper, area.width, kGap}, false); dy != 0) {
        changed_.layout[key] = static_cast<double>(share + dy / (area.height - kGap));
      }
    } else if (first || second) {
      add(slot, first ? 1 : 2, area);
    }
  }
  /// How far a splitter was dragged, in logical pixels.
  float split(const std::string& name, const Area& area, bool vertical) {
    const Pane bar = pane(area);
    const float moved = splitter(state_.ui, ("splitter." + name).c_str(), bar.at, bar.size, vertical);
    SplitterKeys& keys = state_.part<SplitterKeys>();
    splitters_.push_back(name);
    if (name != keys.chosen) return moved;
    const ImVec2 end(bar.at.x + bar.size.x, bar.at.y + bar.size.y);
    ImGui::GetWindowDrawList()->AddRectFilled(bar.at, end, u32(with_alpha(state_.ui.theme->accent, 0.8)),
                                              state_.ui.px(3));
    record(state_.ui, "splitter.chosen", bar.at, end);
    return moved + std::exchange(keys.pending, 0.0F);
  }
  void remember(const char* key, float value) { changed_.layout[key] = static_cast<double>(value); }
  Layout finish() {
    SplitterKeys& keys = state_.part<SplitterKeys>();
    keys.names = std::move(splitters_);
    const bool gone = std::find(keys.names.begin(), keys.names.end(), keys.chosen) == keys.names.end();
    if (gone || ImGui::IsMouseClicked(0)) keys.chosen.clear();
    if (changed_.layout != state_.settings.layout) state_.push(action::ChangeSettings{changed_});
    return std::move(layout_);
  }
  Layout& layout() { return layout_; }

 private:
  void add(Slot slot, int row, const Area& area) { layout_.rows.push_back({PanelPlace{slot, row}, pane(area)}); }

  State& state_;
  Settings changed_;
  std::vector<std::string> splitters_;  // of this frame
  float width_;
  float height_;
  Layout layout_;
};

}  // namespace

Layout lay_out(State& state, ImVec2 display) {
  Arrangement made(state, display);
  const Ui& ui = state.ui;
  const auto hidden = [&](const char* key, Slot slot) {
    return remembered(state, key, 0) != 0 || !made.used(slot);
  };
  float left = hidden("left_hidden", Slot::kLeft) ? 0 : std::clamp(remembered(state, "left", 376), kNarrowest, 620.0F);
  float right =
      hidden("right_hidden", Slot::kRight) ? 0 : std::clamp(remembered(state, "right", 284), kNarrowest, 520.0F);
  // In a narrow window the sides give way first, then the right one goes, then the left one.
  float room = made.width() - 2 * kGap - (left > 0 ? kGap : 0) - (right > 0 ? kGap : 0) - kCentre;
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
  const float body = std::max(60.0F, made.height() - kToolbar - kStatus - kGap);
  const float centre_x = left > 0 ? left + 2 * kGap : kGap;
  const float centre_width = made.width() - centre_x - kGap - (right > 0 ? right + kGap : 0);

  Layout& layout = made.layout();
  layout.toolbar = Pane{ImVec2(0, 0), ImVec2(display.x, ui.px(kToolbar))};
  layout.status = Pane{ImVec2(0, display.y - ui.px(kStatus)), ImVec2(display.x, ui.px(kStatus))};
  if (left > 0) {
    made.place_rows(Slot::kLeft, Area{kGap, top, left, body}, 0.68F);
    if (const float dx = made.split("left", Area{kGap + left, top, kGap, body}, true); dx != 0) {
      made.remember("left", std::clamp(left + dx, kNarrowest, 620.0F));
    }
  }
  // The slot at the bottom takes what the centre leaves; with two rows it asks for more.
  const bool bottom_used = made.used(Slot::kBottom);
  const bool centre_used = made.used(Slot::kCentre);
  const bool tall = made.used(Slot::kBottom, 1) && made.used(Slot::kBottom, 2);
  const char* key = tall ? "centre_split_tall" : "centre_split";
  const float share = std::clamp(remembered(state, key, tall ? 0.62F : 0.8F), 0.3F, 0.9F);
  float bottom = 0;
  if (bottom_used) {
    bottom = std::max(std::min(tall ? 260.0F : 110.0F, body * (tall ? 0.55F : 0.3F)), (body - kGap) * (1 - share));
  }
  if (bottom_used && !centre_used) bottom = body;
  const float centre = bottom_used ? body - kGap - bottom : body;
  if (centre_used) made.place_rows(Slot::kCentre, Area{centre_x, top, centre_width, centre}, 0.5F);
  if (bottom_used) {
    made.place_rows(Slot::kBottom, Area{centre_x, top + body - bottom, centre_width, bottom}, 0.5F);
  }
  if (centre_used && bottom_used) {
    if (const float dy = made.split("centre", Area{centre_x, top + centre, centre_width, kGap}, false); dy != 0) {
      made.remember(key, share + dy / (body - kGap));
    }
  }
  if (right > 0) {
    const float x = made.width() - kGap - right;
    made.place_rows(Slot::kRight, Area{x, top, right, body}, 0.55F);
    if (const float dx = made.split("right", Area{x - kGap, top, kGap, body}, true); dx != 0) {
      made.remember("right", std::clamp(right - dx, kNarrowest, 520.0F));
    }
  }
  return made.finish();
}

}  // namespace stowage
