#include "core/fonts/font_data.h"

// The assembler copies a file into the read-only data (`.incbin`): compilers take minutes and gigabytes for arrays of
// this size. The end label is needed because the size of the file is not known here.
#define STOWAGE_EMBED(name, path)                           \
  __asm__(                                                  \
      ".pushsection .rodata\n"                              \
      ".balign 16\n"                                        \
      ".globl stowage_font_" #name                          \
      "_begin\n"                                            \
      ".hidden stowage_font_" #name                         \
      "_begin\n"                                            \
      "stowage_font_" #name                                 \
      "_begin:\n"                                           \
      ".incbin \"" path                                     \
      "\"\n"                                                \
      ".globl stowage_font_" #name                          \
      "_end\n"                                              \
      ".hidden stowage_font_" #name                         \
      "_end\n"                                              \
      "stowage_font_" #name                                 \
      "_end:\n"                                             \
      ".byte 0\n"                                           \
      ".popsection\n");                                     \
  extern "C" {                                              \
  extern const unsigned char stowage_font_##name##_begin[]; \
  extern const unsigned char stowage_font_##name##_end[];   \
  }
#define STOWAGE_EMBEDDED(name) \
  std::span<const unsigned char>(&stowage_font_##name##_begin[0], &stowage_font_##name##_end[0])

#ifdef STOWAGE_FONT_TEXT
STOWAGE_EMBED(text, STOWAGE_FONT_TEXT)
#endif
#ifdef STOWAGE_FONT_SEMIBOLD
STOWAGE_EMBED(semibold, STOWAGE_FONT_SEMIBOLD)
#endif
#ifdef STOWAGE_FONT_MONO
STOWAGE_EMBED(mono, STOWAGE_FONT_MONO)
#endif
#ifdef STOWAGE_FONT_ICONS
STOWAGE_EMBED(icons, STOWAGE_FONT_ICONS)
#endif

namespace stowage {

std::span<const unsigned char> font_bytes(EmbeddedFont font) {
  switch (font) {
#ifdef STOWAGE_FONT_TEXT
    case EmbeddedFont::kText:
      return STOWAGE_EMBEDDED(text);
#endif
#ifdef STOWAGE_FONT_SEMIBOLD
    case EmbeddedFont::kSemibold:
      return STOWAGE_EMBEDDED(semibold);
#endif
#ifdef STOWAGE_FONT_MONO
    case EmbeddedFont::kMono:
      return STOWAGE_EMBEDDED(mono);
#endif
#ifdef STOWAGE_FONT_ICONS
    case EmbeddedFont::kIcons:
      return STOWAGE_EMBEDDED(icons);
#endif
    default:
      return {};
  }
}

}  // namespace stowage
