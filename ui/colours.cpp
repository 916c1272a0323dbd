#include "ui/colours.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/comparing.h"

namespace stowage {
namespace {

using State = Workbench::State;

constexpr const char* kBy = "colour_by";
constexpr const char* kPalette = "palette";

std::size_t kept(const State& state, const char* key, std::size_t count) {
  const auto found = state.settings.layout.find(key);
  if (found == state.settings.layout.end() || !(found->second >= 0)) return 0;
  return std::min(static_cast<std::size_t>(found->second), count - 1);
}

void keep(State& state, const char* key, std::size_t index) {
  Settings to = state.settings;
  to.layout[key] = static_cast<double>(index);
  apply(state, action::ChangeSettings{std::move(to)});
  ++state.look_revision;
}

}  // namespace

ColourBy chosen_colouring(const State& state) {
  return colour_choices()[kept(state, kBy, colour_choices().size())].by;
}

const Palette& chosen_palette(const State& state) {
  return palettes()[kept(state, kPalette, palettes().size())];
}

void choose_colouring(State& state, ColourBy by) {
  const auto choices = colour_choices();
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const ColourChoice& one) { return one.by == by; });
  keep(state, kBy, static_cast<std::size_t>(found - choices.begin()));
}

void choose_palette(State& state, std::string_view id) {
  const auto all = palettes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Palette& one) { return one.id == id; });
  if (found != all.end()) keep(state, kPalette, static_cast<std::size_t>(found - all.begin()));
}

const Colouring& colouring_of(State& state) {
  Colours& colours = state.part<Colours>();
  const ColourBy by = chosen_colouring(state);
  const std::string& compared = state.part<Comparing>().other;
  const bool fresh = colours.problem_revision == state.problem_revision &&
                     colours.plan_revision == state.plan_revision && colours.by == by && colours.compared == compared &&
                     colours.unit == state.settings.byte_unit;
  if (fresh) return colours.colouring;
  ColouringInput input;
  input.problem = &state.problem();
  input.offsets = &state.offsets();
  const Plan* shown = state.plan();
  input.objects = shown != nullptr && shown->objects ? &*shown->objects : nullptr;
  const Plan* other = state.document.find_plan(compared);
  input.compared = other != nullptr ? &other->offsets : nullptr;
  input.unit = state.byte_unit();
  colours = Colours{colour_by(by, input),    state.problem_revision, state.plan_revision, by, compared,
                    state.settings.byte_unit};
  return colours.colouring;
}

Theme coloured_theme(const State& state) {
  Theme theme = *state.ui.theme;
  const ColourBy by = chosen_colouring(state);
  const bool ordered = by == ColourBy::kSize || by == ColourBy::kLifetime || by == ColourBy::kWaste;
  return ordered ? with_ramp(std::move(theme)) : with_palette(std::move(theme), chosen_palette(state));
}

Color colour_of(State& state, BufferIndex buffer) {
  const Colouring& colouring = colouring_of(state);
  const Theme theme = coloured_theme(state);
  return theme.border(buffer < colouring.classes.size() ? colouring.classes[buffer] : 0);
}

void draw_legend(State& state, float left, float right, float y) {
  Ui& ui = state.ui;
  const Colouring& colouring = colouring_of(state);
  const Theme theme = coloured_theme(state);
  const auto width_of = [&](const ColourClass& one) {
    return ui.px(8 + 6 + 14) + text_width(ui.fonts.small, printable_utf8(one.title));
  };
  float needed = 0;
  std::size_t count = 0;
  for (const ColourClass& one : colouring.legend) {
    if (needed + width_of(one) > right - left) break;
    needed += width_of(one);
    ++count;
  }
  float x = right - needed;
  for (std::size_t k = 0; k < count; ++k) {
    const ColourClass& one = colouring.legend[k];
    const std::string name = printable_utf8(one.title);
    const float width = width_of(one);
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::InvisibleButton("##class", ImVec2(width, ui.px(20))) && !one.query.empty()) {
      state.push(action::SetQuery{state.query == one.query ? std::string() : one.query});
    }
    ImGui::PopID();
    record(ui, "legend." + name);
    const bool over = ImGui::IsItemHovered() && !one.query.empty();
    const float dot = ui.px(8);
    const float dot_y = y + (ui.px(20) - dot) / 2;
    // Kinds are numbered from 1, and their category is the number's.
    const std::size_t category =
        colouring.by == ColourBy::kKind ? category_of_kind(state.problem(), static_cast<std::uint16_t>(k + 1)) : k;
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x + ui.px(7), dot_y), ImVec2(x + ui.px(7) + dot, dot_y + dot),
                                              u32(theme.border(category)), ui.px(2));
    draw_text(ui, ui.fonts.small, ImVec2(x + ui.px(21), y + (ui.px(20) - font_height(ui.fonts.small)) / 2),
              over ? ui.theme->text : ui.theme->dim, name);
    x += width;
  }
}

}  // namespace stowage
