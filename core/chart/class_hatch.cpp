#include "core/chart/class_hatch.h"

namespace stowage {

std::vector<draw::Hatch> class_hatches(std::size_t category, const Rect& rect, Color color, float spacing) {
  const draw::Hatch rising{rect, color, spacing, HatchLines::kRising};
  const draw::Hatch falling{rect, color, spacing, HatchLines::kFalling};
  switch (category % 8) {
    case 1:
      return {rising};
    case 2:
      return {falling};
    case 3:
      return {draw::Hatch{rect, color, spacing, HatchLines::kUpright}};
    case 4:
      return {draw::Hatch{rect, color, spacing, HatchLines::kLevel}};
    case 5:
      return {rising, falling};
    case 6:
      return {draw::Hatch{rect, color, spacing / 2, HatchLines::kRising}};
    case 7:
      return {draw::Hatch{rect, color, spacing / 2, HatchLines::kFalling}};
    default:
      return {};
  }
}

}  // namespace stowage
