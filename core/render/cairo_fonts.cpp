#include "core/render/cairo_fonts.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <unordered_map>

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "core/fonts/font_data.h"

namespace stowage {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

/// One character of a text, and how many bytes it takes; a broken byte is one replacement character.
struct Letter {
  std::uint32_t code = kReplacement;
  std::size_t bytes = 1;
};

Letter next_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80U) return Letter{first, 1};
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < length) return {};
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return Letter{code, length};
}

/// A FreeType face over embedded bytes, which live as long as the program, and Cairo's view of it.
struct Face {
  FT_Face free_type = nullptr;
  cairo_font_face_t* cairo = nullptr;
  double units = 1;                                            // of the design, for each em
  double ascender = 0;                                         // in em
  mutable std::unordered_map<std::uint32_t, double> advances;  // in em, by glyph

  double advance(std::uint32_t glyph) const {
    const auto known = advances.find(glyph);
    if (known != advances.end()) return known->second;
    double width = 0;
    // Cairo leaves its rotation in the face; widths must not be rotated with it.
    if (FT_Load_Glyph(free_type, glyph, FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM) == 0) {
      width = static_cast<double>(free_type->glyph->advance.x) / units;
    }
    advances.emplace(glyph, width);
    return width;
  }
};

struct LibraryCloser {
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
using Library = std::shared_ptr<std::remove_pointer_t<FT_Library>>;

/// What Cairo holds on to: it may keep a font in its cache after us, and the library must outlive its faces.
struct Owned {
  Library library;
  FT_Face face = nullptr;
};

void close_face(void* data) {
  const std::unique_ptr<Owned> owned(static_cast<Owned*>(data));
  FT_Done_Face(owned->face);
}

const cairo_user_data_key_t kFaceKey{};

void open_face(const Library& library, EmbeddedFont font, Face& face) {
  const std::span<const unsigned char> bytes = font_bytes(font);
  if (bytes.empty() || library == nullptr) return;
  const auto size = static_cast<FT_Long>(bytes.size());
  if (FT_New_Memory_Face(library.get(), bytes.data(), size, 0, &face.free_type) != 0) {
    face.free_type = nullptr;
    return;
  }
  face.cairo = cairo_ft_font_face_create_for_ft_face(face.free_type, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
  FT_Reference_Face(face.free_type);
  auto owned = std::make_unique<Owned>(Owned{library, face.free_type});
  if (cairo_font_face_set_user_data(face.cairo, &kFaceKey, owned.get(), close_face) == CAIRO_STATUS_SUCCESS) {
    owned.release();
  } else {
    FT_Done_Face(face.free_type);
  }
  face.units = face.free_type->units_per_EM > 0 ? face.free_type->units_per_EM : 1;
  face.ascender = face.free_type->ascender / face.units;
}

}  // namespace

struct CairoFonts::State {
  Library library;            // closed after the faces
  std::array<Face, 3> faces;  // by FontFace

  const Face& wanted(FontFace face) const { return faces[static_cast<std::size_t>(face)]; }
  const Face& fallback() const { return faces[static_cast<std::size_t>(FontFace::kMono)]; }
};

CairoFonts::CairoFonts() : state_(new State) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) == 0) state_->library = Library(library, LibraryCloser{});
  open_face(state_->library, EmbeddedFont::kText, state_->faces[0]);
  open_face(state_->library, EmbeddedFont::kSemibold, state_->faces[1]);
  open_face(state_->library, EmbeddedFont::kMono, state_->faces[2]);
}

CairoFonts::~CairoFonts() {
  for (Face& face : state_->faces) {
    if (face.free_type == nullptr) continue;
    cairo_font_face_destroy(face.cairo);
    FT_Done_Face(face.free_type);
  }
  delete state_;
}

double CairoFonts::lay_out(std::string_view text, double size, FontFace face, std::vector<PlacedGlyph>* glyphs) const {
  double x = 0;
  while (!text.empty()) {
    const Letter letter = next_letter(text);
    text.remove_prefix(letter.bytes);
    if (letter.code < 0x20U || letter.code == 0x7FU) continue;
    const Face* used = nullptr;
    FT_UInt glyph = 0;
    for (const std::uint32_t code : {letter.code, kReplacement}) {
      for (const Face* candidate : {&state_->wanted(face), &state_->fallback()}) {
        if (glyph != 0 || candidate->free_type == nullptr) continue;
        used = candidate;
        glyph = FT_Get_Char_Index(candidate->free_type, code);
      }
    }
    if (used == nullptr) {
      x += size * 0.6;  // built without fonts: room is kept, nothing is drawn
      continue;
    }
    if (glyphs != nullptr) glyphs->push_back(PlacedGlyph{used->cairo, glyph, x});
    x += used->advance(glyph) * size;
  }
  return x;
}

double CairoFonts::ascent(double size, FontFace face) const {
  const Face& used = state_->wanted(face);
  return (used.free_type != nullptr ? used.ascender : 0.95) * size;
}

}  // namespace stowage
