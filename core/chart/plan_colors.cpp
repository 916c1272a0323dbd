#include "core/chart/plan_colors.h"

#include "core/chart/colouring.h"

namespace stowage {

namespace {
constexpr double kDimmed = 0.30;
}  // namespace

PlanColors::PlanColors(const PlanSceneInput& input, const Theme& theme) : input_(input) {
  for (std::size_t k = 0; k < palette_.size(); ++k) {
    palette_[k] = Colors{theme.fill(k), theme.border(k), theme.label(k)};
    dimmed_[k] = Colors{mix(theme.card, theme.fill(k), kDimmed), mix(theme.card, theme.border(k), kDimmed),
                        mix(theme.card, theme.text, 0.45)};
  }
}

std::size_t PlanColors::class_of(BufferIndex i, std::uint16_t kind) const {
  if (input_.colouring != nullptr && i < input_.colouring->classes.size()) return input_.colouring->classes[i];
  return category_of(*input_.problem, i, kind) % palette_.size();
}

}  // namespace stowage
