#include "ui/text_fields.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace stowage {

void forget_left_field() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.ActiveId != context.InputTextState.ID) context.InputTextState.ID = 0;
}

}  // namespace stowage
