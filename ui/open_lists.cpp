#include "ui/open_lists.h"

#include <imgui.h>
#include <imgui_internal.h>

#include "ui/state.h"

namespace stowage {

bool close_list(const Workbench::State& state) {
  const int dialogs = state.popup == Popup::kNone && state.popup_before == Popup::kNone ? 0 : 1;
  const int open = ImGui::GetCurrentContext()->OpenPopupStack.Size;
  if (open <= dialogs) return false;
  ImGui::ClosePopupToLevel(open - 1, true);
  return true;
}

}  // namespace stowage
