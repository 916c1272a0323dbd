#pragma once

#include <imgui.h>

namespace stowage {

/// Takes an opaque rectangle that covers the whole display off the very start of the frame, when there is one, and
/// returns its colour, else black. Clearing the framebuffer with it gives the same picture and spares one blended and
/// textured layer of all pixels, which in software OpenGL is a fifth of a frame.
ImU32 take_backdrop(ImDrawData& data);

}  // namespace stowage
