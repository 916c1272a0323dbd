#include "core/model/box.h"

namespace stowage {

std::string_view name_of(BoxingSet::Kind kind) {
  switch (kind) {
    case BoxingSet::Kind::kGroup:
      return "group";
    case BoxingSet::Kind::kUnresolved:
      return "unresolved";
    case BoxingSet::Kind::kOuterVertical:
      return "outer vertical strip";
    case BoxingSet::Kind::kOuterHorizontal:
      return "outer horizontal strip";
    case BoxingSet::Kind::kInnerVertical:
      return "inner vertical strip";
    case BoxingSet::Kind::kInnerHorizontal:
      return "inner horizontal strip";
    case BoxingSet::Kind::kRow:
      return "row";
  }
  return "";
}

}  // namespace stowage
