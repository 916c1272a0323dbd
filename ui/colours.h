#pragma once

#include "core/chart/colouring.h"
#include "ui/state.h"

namespace stowage {

/// How rectangles are coloured. What is chosen is kept in Settings::layout, so that it is there at the next start.
struct Colours {
  Colouring colouring;
  std::uint64_t problem_revision = ~std::uint64_t{0};
  std::uint64_t plan_revision = 0;
  ColourBy by = ColourBy::kKind;
  std::uint64_t differences = 0;  // which, where the colours say what has moved
  std::string unit;
};

ColourBy chosen_colouring(const Workbench::State& state);
const Palette& chosen_palette(const Workbench::State& state);
void choose_colouring(Workbench::State& state, ColourBy by);
void choose_palette(Workbench::State& state, std::string_view id);

/// The colouring of the open problem; made again when something that it depends on has changed.
const Colouring& colouring_of(Workbench::State& state);
/// The theme with the colours of the chosen palette, or of a ramp for ordered colourings.
Theme coloured_theme(const Workbench::State& state);
/// The same of another theme than that of the window.
Theme coloured_theme(const Workbench::State& state, Theme theme);
/// The colour of a buffer in tables: the same as its rectangle's border.
Color colour_of(Workbench::State& state, BufferIndex buffer);

/// What each colour stands for, from the right, as many as fit; a click filters by it.
void draw_legend(Workbench::State& state, float left, float right, float y);

}  // namespace stowage
