#pragma once

#include <span>

namespace stowage {

/// Fonts that are embedded into the program at build time, from Debian's packages (fonts-inter, fonts-dejavu-core,
/// fonts-font-awesome). The window and the exports use the same ones, so their pictures agree on every machine.
enum class EmbeddedFont { kText, kSemibold, kMono, kIcons };

/// The bytes of a TrueType or OpenType file; empty when the build had no such font.
std::span<const unsigned char> font_bytes(EmbeddedFont font);

}  // namespace stowage
