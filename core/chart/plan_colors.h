#pragma once

#include <array>
#include <cstddef>

#include "core/chart/plan_scene.h"
#include "core/chart/theme.h"

namespace stowage {

/// The colours of the rectangles of a plan.
class PlanColors {
 public:
  struct Colors {
    Color fill;
    Color border;
    Color label;
  };

  PlanColors(const PlanSceneInput& input, const Theme& theme);
  const Colors& of(BufferIndex i) const { return of(i, (*input_.problem)[i].kind); }
  const Colors& of(BufferIndex i, std::uint16_t kind) const {
    const std::size_t k = class_of(i, kind);
    return dim(i) ? dimmed_[k] : palette_[k];
  }
  std::size_t class_of(BufferIndex i, std::uint16_t kind) const;

 private:
  bool dim(BufferIndex i) const {
    return input_.matches != nullptr && i < input_.matches->size() && !(*input_.matches)[i];
  }

  const PlanSceneInput& input_;
  std::array<Colors, 8> palette_;
  std::array<Colors, 8> dimmed_;
};

}  // namespace stowage
