#include "core/render/cairo_painter.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include "core/render/cairo_fonts.h"
#include "core/render/svg_ids.h"

namespace stowage {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kMostPixels = 16384;
constexpr double kPointsPerPixel = 0.75;  // a PDF counts 72 to the inch, a screen 96

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using Context = std::unique_ptr<cairo_t, ContextDeleter>;

bool drawable(const Rect& rect) {
  return std::isfinite(rect.left) && std::isfinite(rect.top) && std::isfinite(rect.right) &&
         std::isfinite(rect.bottom) && rect.left < rect.right && rect.top < rect.bottom;
}

bool drawable(Point point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

/// Paints the items of a scene, one operator() for each kind.
class Painter {
 public:
  Painter(cairo_t* context, const CairoFonts& fonts, bool keep_text)
      : cr_(context), fonts_(fonts), keep_text_(keep_text) {}

  void operator()(const draw::Fill& item) {
    if (!drawable(item.rect)) return;
    set_color(item.color);
    outline(item.rect, item.radius);
    cairo_fill(cr_);
  }

  void operator()(const draw::Border& item) {
    const float inset = item.width / 2;
    const Rect rect{item.rect.left + inset, item.rect.top + inset, item.rect.right - inset, item.rect.bottom - inset};
    if (!drawable(rect)) return;
    set_color(item.color);
    cairo_set_line_width(cr_, static_cast<double>(item.width));
    outline(rect, std::max(0.0F, item.radius - inset));
    cairo_stroke(cr_);
  }

  void operator()(const draw::Hatch& item) {
    if (!drawable(item.rect) || !(item.spacing > 0)) return;
    cairo_save(cr_);
    rectangle(item.rect);
    cairo_clip(cr_);
    set_color(item.color);
    cairo_set_line_width(cr_, 1);
    if (item.lines == HatchLines::kRising || item.lines == HatchLines::kFalling) {
      slanted_stripes(item);
    } else {
      straight_stripes(item);
    }
    cairo_stroke(cr_);
    cairo_restore(cr_);
  }

  void operator()(const draw::Line& item) {
    if (!drawable(item.from) || !drawable(item.to)) return;
    set_color(item.color);
    cairo_set_line_width(cr_, static_cast<double>(item.width));
    const double dash = static_cast<double>(item.dash);
    if (dash > 0) cairo_set_dash(cr_, &dash, 1, 0);
    move_to(item.from);
    line_to(item.to);
    cairo_stroke(cr_);
    if (dash > 0) cairo_set_dash(cr_, nullptr, 0, 0);
  }

  void operator()(const draw::Polyline& item) {
    if (item.points.size() < 2 ||
        !std::all_of(item.points.begin(), item.points.end(), [](Point p) { return drawable(p); }))
      return;
    if (item.filled) {
      set_color(item.fill);
      path(item.points);
      line_to(Point{item.points.back().x, item.base_y});
      line_to(Point{item.points.front().x, item.base_y});
      cairo_close_path(cr_);
      cairo_fill(cr_);
    }
    set_color(item.color);
    cairo_set_line_width(cr_, static_cast<double>(item.width));
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
    path(item.points);
    cairo_stroke(cr_);
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_MITER);
  }

  void operator()(const draw::Text& item);
  void operator()(const draw::Image& item);

  void operator()(const draw::PushClip& item) {
    cairo_save(cr_);
    ++clips_;
    rectangle(item.rect);
    cairo_clip(cr_);
  }

  void operator()(const draw::PopClip&) {
    if (clips_ == 0) return;
    --clips_;
    cairo_restore(cr_);
  }

  /// Closes what a scene has left open.
  void finish() {
    while (clips_ > 0) (*this)(draw::PopClip{});
  }

 private:
  void set_color(Color color) {
    cairo_set_source_rgba(cr_, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
  }
  void move_to(Point p) { cairo_move_to(cr_, static_cast<double>(p.x), static_cast<double>(p.y)); }
  void line_to(Point p) { cairo_line_to(cr_, static_cast<double>(p.x), static_cast<double>(p.y)); }
  void rectangle(const Rect& r) {
    cairo_rectangle(cr_, static_cast<double>(r.left), static_cast<double>(r.top), static_cast<double>(r.width()),
                    static_cast<double>(r.height()));
  }
  void path(const std::vector<Point>& points) {
    move_to(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) line_to(points[i]);
  }
  void outline(const Rect& rect, float wanted_radius);
  void slanted_stripes(const draw::Hatch& item);
  void straight_stripes(const draw::Hatch& item);
  void show(const std::vector<PlacedGlyph>& glyphs, double size);

  cairo_t* cr_;
  const CairoFonts& fonts_;
  bool keep_text_;  // as text of fonts, else as outlines
  int clips_ = 0;
};

/// Lines x + y = k * spacing, or x - y: the same everywhere, so that neighbouring hatches continue each other.
void Painter::slanted_stripes(const draw::Hatch& item) {
  const double sign = item.lines == HatchLines::kRising ? 1 : -1;
  const double spacing = static_cast<double>(item.spacing);
  const double top = static_cast<double>(item.rect.top);
  const double bottom = static_cast<double>(item.rect.bottom);
  const double low = static_cast<double>(item.rect.left) + std::min(sign * top, sign * bottom);
  const double high = static_cast<double>(item.rect.right) + std::max(sign * top, sign * bottom);
  if (!((high - low) / spacing < 1e5)) return;
  for (double k = std::ceil(low / spacing) * spacing; k < high; k += spacing) {
    cairo_move_to(cr_, k - sign * top, top);
    cairo_line_to(cr_, k - sign * bottom, bottom);
  }
}

/// Through the middle of pixels.
void Painter::straight_stripes(const draw::Hatch& item) {
  const bool upright = item.lines == HatchLines::kUpright;
  const double spacing = static_cast<double>(item.spacing);
  const Rect& rect = item.rect;
  const double low = static_cast<double>(upright ? rect.left : rect.top) - 0.5;
  const double high = static_cast<double>(upright ? rect.right : rect.bottom) - 0.5;
  if (!((high - low) / spacing < 1e5)) return;
  for (double k = std::ceil(low / spacing) * spacing; k < high; k += spacing) {
    const auto at = static_cast<float>(k + 0.5);
    move_to(upright ? Point{at, rect.top} : Point{rect.left, at});
    line_to(upright ? Point{at, rect.bottom} : Point{rect.right, at});
  }
}

void Painter::outline(const Rect& rect, float wanted_radius) {
  const double radius = static_cast<double>(std::min({wanted_radius, rect.width() / 2, rect.height() / 2}));
  if (radius <= 0) return rectangle(rect);
  const double left = static_cast<double>(rect.left);
  const double top = static_cast<double>(rect.top);
  const double right = static_cast<double>(rect.right);
  const double bottom = static_cast<double>(rect.bottom);
  cairo_new_sub_path(cr_);
  cairo_arc(cr_, right - radius, top + radius, radius, -kPi / 2, 0);
  cairo_arc(cr_, right - radius, bottom - radius, radius, 0, kPi / 2);
  cairo_arc(cr_, left + radius, bottom - radius, radius, kPi / 2, kPi);
  cairo_arc(cr_, left + radius, top + radius, radius, kPi, kPi * 3 / 2);
  cairo_close_path(cr_);
}

/// Runs of glyphs of one font. Outlines keep positions exact between pixels, where the glyphs of image surfaces would
/// be moved to whole ones; a PDF keeps the fonts, so that its text stays small.
void Painter::show(const std::vector<PlacedGlyph>& glyphs, double size) {
  std::vector<cairo_glyph_t> run;
  for (std::size_t begin = 0; begin < glyphs.size();) {
    run.clear();
    std::size_t end = begin;
    while (end < glyphs.size() && glyphs[end].font == glyphs[begin].font) {
      run.push_back(cairo_glyph_t{glyphs[end].index, glyphs[end].x, 0});
      ++end;
    }
    cairo_set_font_face(cr_, glyphs[begin].font);
    cairo_set_font_size(cr_, size);
    const int count = static_cast<int>(run.size());
    if (keep_text_) {
      cairo_show_glyphs(cr_, run.data(), count);
    } else {
      cairo_glyph_path(cr_, run.data(), count);
      cairo_fill(cr_);
    }
    begin = end;
  }
}

void Painter::operator()(const draw::Text& item) {
  if (item.text.empty() || !drawable(item.at) || !(item.size > 0)) return;
  const double size = static_cast<double>(item.size);
  std::vector<PlacedGlyph> glyphs;
  const double width = fonts_.lay_out(item.text, size, item.face, &glyphs);
  cairo_save(cr_);
  if (drawable(item.clip)) {
    rectangle(item.clip);
    cairo_clip(cr_);
  }
  set_color(item.color);
  cairo_translate(cr_, static_cast<double>(item.at.x), static_cast<double>(item.at.y));
  if (item.vertical) cairo_rotate(cr_, -kPi / 2);
  const double shift = item.align == TextAlign::kLeft ? 0 : item.align == TextAlign::kCenter ? width / 2 : width;
  cairo_translate(cr_, -shift, fonts_.ascent(size, item.face));
  show(glyphs, size);
  cairo_restore(cr_);
}

/// Cairo wants premultiplied colours in the order of the machine's words.
std::uint32_t premultiplied(std::uint32_t rgba) {
  const std::uint32_t alpha = rgba >> 24U;
  const auto times = [alpha](std::uint32_t channel) {
    return (channel * alpha + 127U) / 255U;
  };
  return alpha << 24U | times(rgba & 0xFFU) << 16U | times(rgba >> 8U & 0xFFU) << 8U | times(rgba >> 16U & 0xFFU);
}

void Painter::operator()(const draw::Image& item) {
  const bool sound =
      item.pixels != nullptr && item.width > 0 && item.height > 0 && drawable(item.rect) &&
      item.pixels->size() >= static_cast<std::size_t>(item.width) * static_cast<std::size_t>(item.height);
  if (!sound) return;
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, item.width, item.height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return;
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  const std::uint32_t* from = item.pixels->data();
  for (int y = 0; y < item.height; ++y) {
    auto* row = static_cast<std::uint32_t*>(static_cast<void*>(data + static_cast<std::ptrdiff_t>(y) * stride));
    for (int x = 0; x < item.width; ++x) row[x] = premultiplied(*from++);
  }
  cairo_surface_mark_dirty(surface.get());
  cairo_save(cr_);
  cairo_translate(cr_, static_cast<double>(item.rect.left), static_cast<double>(item.rect.top));
  cairo_scale(cr_, static_cast<double>(item.rect.width()) / item.width,
              static_cast<double>(item.rect.height()) / item.height);
  cairo_set_source_surface(cr_, surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cr_, 0, 0, item.width, item.height);
  cairo_fill(cr_);
  cairo_restore(cr_);
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  const auto* first = static_cast<const char*>(static_cast<const void*>(bytes));
  static_cast<std::string*>(to)->append(first, count);
  return CAIRO_STATUS_SUCCESS;
}

Surface make_surface(const Scene& scene, PictureFormat format, float scale, std::string& out) {
  const double width = static_cast<double>(scene.width);
  const double height = static_cast<double>(scene.height);
  switch (format) {
    case PictureFormat::kSvg:
      return Surface(cairo_svg_surface_create_for_stream(append, &out, width, height));
    case PictureFormat::kPdf: {
      Surface surface(
          cairo_pdf_surface_create_for_stream(append, &out, width * kPointsPerPixel, height * kPointsPerPixel));
      // The same scene gives the same bytes, so the file does not say when it was made.
      cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
      cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Stowage");
      return surface;
    }
    case PictureFormat::kPng:
      break;
  }
  return Surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                            static_cast<int>(std::lround(width * static_cast<double>(scale))),
                                            static_cast<int>(std::lround(height * static_cast<double>(scale)))));
}

tl::unexpected<Error> cairo_error(cairo_status_t status) {
  return input_error(std::string("picture: ") + cairo_status_to_string(status));
}

void paint_items(const Scene& scene, cairo_t* context, bool keep_text) {
  const CairoFonts fonts;
  Painter painter(context, fonts, keep_text);
  for (const DrawItem& item : scene.items) std::visit(painter, item);
  painter.finish();
}

}  // namespace

struct CairoTextMeasure::State {
  CairoFonts fonts;
};

CairoTextMeasure::CairoTextMeasure() : state_(new State) {}

CairoTextMeasure::~CairoTextMeasure() {
  delete state_;
}

float CairoTextMeasure::width(std::string_view text, float size, FontFace face) const {
  return static_cast<float>(state_->fonts.lay_out(text, static_cast<double>(size), face, nullptr));
}

Result<std::string> paint(const Scene& scene, PictureFormat format, float scale, Color background) {
  const double factor = format == PictureFormat::kPng ? static_cast<double>(scale) : 1.0;
  const double width = static_cast<double>(scene.width) * factor;
  const double height = static_cast<double>(scene.height) * factor;
  if (!(width >= 0.5) || !(height >= 0.5)) return input_error("picture: it has no size");
  if (width > kMostPixels || height > kMostPixels) {
    return input_error("picture: more than 16384 pixels wide or high");
  }
  std::string bytes;
  Surface surface = make_surface(scene, format, scale, bytes);
  const Context context(cairo_create(surface.get()));
  const double unit = format == PictureFormat::kPng   ? static_cast<double>(scale)
                      : format == PictureFormat::kPdf ? kPointsPerPixel
                                                      : 1.0;
  cairo_scale(context.get(), unit, unit);
  cairo_set_source_rgba(context.get(), background.r / 255.0, background.g / 255.0, background.b / 255.0,
                        background.a / 255.0);
  cairo_paint(context.get());
  paint_items(scene, context.get(), format == PictureFormat::kPdf);
  if (cairo_status(context.get()) != CAIRO_STATUS_SUCCESS) return cairo_error(cairo_status(context.get()));
  if (format == PictureFormat::kPng) {
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
    return bytes;
  }
  cairo_surface_finish(surface.get());
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) {
    return cairo_error(cairo_surface_status(surface.get()));
  }
  return format == PictureFormat::kSvg ? with_steady_ids(bytes) : bytes;
}

}  // namespace stowage
