#include "ui/colours.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/chart/class_hatch.h"
#include "ui/comparing.h"
#include "ui/painter.h"

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
  const Differences* found = by == ColourBy::kMoved ? &differences(state) : nullptr;
  const std::uint64_t made = found != nullptr ? found->made : 0;
  const bool fresh = colours.problem_revision == state.problem_revision &&
                     colours.plan_revision == state.plan_revision && colours.by == by && colours.differences == made &&
                     colours.unit == state.settings.byte_unit;
  if (fresh) return colours.colouring;
  ColouringInput input;
  input.problem = &state.problem();
  input.offsets = &state.offsets();
  const Plan* shown = state.plan();
  input.objects = shown != nullptr && shown->objects ? &*shown->objects : nullptr;
  input.compared = made != 0 ? &found->there : nullptr;
  input.unit = state.byte_unit();
  colours =
      Colours{colour_by(by, input), state.problem_revision, state.plan_revision, by, made, state.settings.byte_unit};
  return colours.colouring;
}

Theme coloured_theme(const State& state) {
  return coloured_theme(state, *state.ui.theme);
}

Theme coloured_theme(const State& state, Theme theme) {
  const ColourBy by = chosen_colouring(state);
  const bool ordered = by == ColourBy::kSize || by == ColourBy::kLifetime || by == ColourBy::kWaste;
  return ordered ? with_ramp(std::move(theme)) : with_palette(std::move(theme), chosen_palette(state));
}

Color colour_of(State& state, BufferIndex buffer) {
  const Colouring& colouring = colouring_of(state);
  const Theme theme = coloured_theme(state);
  return theme.border(buffer < colouring.classes.size() ? colouring.classes[buffer] : 0);
}

namespace {

/// Patterns need some room to be seen.
float swatch_width(const State& state) {
  return state.ui.px(chosen_palette(state).hatched ? 13 : 8);
}

/// The colour of a class, with the pattern that its rectangles have.
void draw_swatch(const State& state, const Theme& theme, std::size_t category, ImVec2 low, ImVec2 high) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = state.ui.px(2);
  if (!chosen_palette(state).hatched) return list.AddRectFilled(low, high, u32(theme.border(category)), round);
  list.AddRectFilled(low, high, u32(theme.fill(category)), round);
  for (const draw::Hatch& one : class_hatches(category, {}, theme.border(category), state.ui.px(5))) {
    draw_hatch(list, low, high, one.color, one.spacing, one.lines);
  }
  list.AddRect(low, high, u32(theme.border(category)), round);
}

}  // namespace

namespace {

std::size_t legend_category(const State& state, const Colouring& colouring, std::size_t number) {
  // Kinds are numbered from 1, and their category is the number's.
  return colouring.by == ColourBy::kKind ? category_of_kind(state.problem(), static_cast<std::uint16_t>(number + 1))
                                         : number;
}

void filter_by_class(State& state, const ColourClass& one) {
  if (!one.query.empty()) state.push(action::SetQuery{state.query == one.query ? std::string() : one.query});
}

float legend_width(const State& state, std::string_view title) {
  return swatch_width(state) + state.ui.px(6 + 14) + text_width(state.ui.fonts.small, printable_utf8(title));
}

/// One class of the legend at (x, y): its colour and its name; a click filters.
void draw_class(State& state, const Theme& theme, std::size_t k, float x, float y, float width) {
  Ui& ui = state.ui;
  const Colouring& colouring = colouring_of(state);
  const ColourClass& one = colouring.legend[k];
  const std::string name = printable_utf8(one.title);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::PushID(static_cast<int>(k));
  if (ImGui::InvisibleButton("##class", ImVec2(width, ui.px(20)))) filter_by_class(state, one);
  ImGui::PopID();
  record(ui, "legend." + name);
  const bool over = ImGui::IsItemHovered() && !one.query.empty();
  if (over) tooltip(ui, state.query == one.query ? "Click shows everything again" : "Click filters: " + one.query);
  const float dot = swatch_width(state);
  const float dot_y = y + (ui.px(20) - dot) / 2;
  draw_swatch(state, theme, legend_category(state, colouring, k), ImVec2(x + ui.px(7), dot_y),
              ImVec2(x + ui.px(7) + dot, dot_y + dot));
  record(ui, fmt::format("legend.swatch.{}", k), ImVec2(x + ui.px(7), dot_y), ImVec2(x + ui.px(7) + dot, dot_y + dot));
  draw_text(ui, ui.fonts.small, ImVec2(x + ui.px(13) + dot, y + (ui.px(20) - font_height(ui.fonts.small)) / 2),
            over ? ui.theme->text : ui.theme->dim, name);
}

/// "+3" where not all classes have room; a click lists the others.
void draw_other_classes(State& state, const Theme& theme, std::size_t from, ImVec2 at, float width) {
  Ui& ui = state.ui;
  const std::size_t all = colouring_of(state).legend.size();
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("##legend.more", ImVec2(width, ui.px(20)))) ImGui::OpenPopup("##legend.others");
  record(ui, "legend.more");
  const bool over = ImGui::IsItemHovered();
  if (over) tooltip(ui, "The other colours");
  draw_text(ui, ui.fonts.small, ImVec2(at.x + ui.px(7), at.y + (ui.px(20) - font_height(ui.fonts.small)) / 2),
            over ? ui.theme->text : ui.theme->dim, fmt::format("+{}", all - from));
  if (!ImGui::BeginPopup("##legend.others")) return;
  float widest = 0;
  for (std::size_t k = from; k < all; ++k) {
    widest = std::max(widest, legend_width(state, colouring_of(state).legend[k].title));
  }
  for (std::size_t k = from; k < all; ++k) {
    const ImVec2 row = ImGui::GetCursorScreenPos();
    draw_class(state, theme, k, row.x, row.y, widest);
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_legend(State& state, float left, float right, float y) {
  const Colouring& colouring = colouring_of(state);
  const Theme theme = coloured_theme(state);
  const std::size_t all = colouring.legend.size();
  const float more = state.ui.px(34);
  float whole = 0;
  for (const ColourClass& one : colouring.legend) whole += legend_width(state, one.title);
  const float room = right - left - (whole > right - left ? more : 0);
  float needed = 0;
  std::size_t count = 0;
  for (; count < all; ++count) {
    const float width = legend_width(state, colouring.legend[count].title);
    if (needed + width > room) break;
    needed += width;
  }
  if (count < all) needed += more;
  float x = right - needed;
  for (std::size_t k = 0; k < count; ++k) {
    const float width = legend_width(state, colouring.legend[k].title);
    draw_class(state, theme, k, x, y, width);
    x += width;
  }
  if (count < all && room > 0) draw_other_classes(state, theme, count, ImVec2(x, y), more);
}

}  // namespace stowage
