#include "ui/views/view.h"

namespace stowage {
namespace {

constexpr View kViews[] = {
#define STOWAGE_VIEW(name, place) {#name, place, draw_##name},
#include "ui/views/views.def"
#undef STOWAGE_VIEW
};

}  // namespace

std::span<const View> views() {
  return kViews;
}

}  // namespace stowage
