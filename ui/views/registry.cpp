#include "ui/views/view.h"

namespace stowage {
namespace {

constexpr View kViews[] = {
#define STOWAGE_VIEW(name, title, place, home) {#name, title, place, home, draw_##name},
#include "ui/views/views.def"
#undef STOWAGE_VIEW
};

}  // namespace

std::span<const View> views() {
  return kViews;
}

}  // namespace stowage
