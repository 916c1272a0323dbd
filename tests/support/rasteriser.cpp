#include "tests/support/rasteriser.h"

#include <algorithm>
#include <cmath>

#include <cairo.h>

namespace stowage::testing {
namespace {

struct Colour {
  float r = 0, g = 0, b = 0, a = 0;
};

Colour unpack(std::uint32_t c) {
  const auto part = [&](unsigned shift) {
    return static_cast<float>((c >> shift) & 0xFFU) / 255.0F;
  };
  return {part(0), part(8), part(16), part(24)};
}

Colour sample(const Bitmap& texture, float u, float v) {
  const int x = std::clamp(static_cast<int>(u * static_cast<float>(texture.width)), 0, texture.width - 1);
  const int y = std::clamp(static_cast<int>(v * static_cast<float>(texture.height)), 0, texture.height - 1);
  return unpack(texture.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(texture.width) +
                               static_cast<std::size_t>(x)]);
}

void blend(std::uint32_t& pixel, const Colour& c) {
  const Colour under = unpack(pixel);
  const auto mixed = [&](float over, float below) {
    return static_cast<std::uint32_t>((over * c.a + below * (1 - c.a)) * 255.0F + 0.5F);
  };
  pixel = mixed(c.r, under.r) | mixed(c.g, under.g) << 8U | mixed(c.b, under.b) << 16U | 0xFF000000U;
}

/// Twice the signed area of a, b, p.
float edge(ImVec2 a, ImVec2 b, ImVec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Whether a pixel on this edge belongs to the triangle: shared edges are painted once.
bool owns(ImVec2 a, ImVec2 b) {
  return a.y == b.y ? b.x > a.x : b.y < a.y;
}

struct Clip {
  int left = 0, top = 0, right = 0, bottom = 0;
};

void triangle(Bitmap& target, const Clip& clip, const Bitmap& texture, const ImDrawVert& a, const ImDrawVert& second,
              const ImDrawVert& third) {
  const bool turned = edge(a.pos, second.pos, third.pos) < 0;
  const ImDrawVert& b = turned ? third : second;
  const ImDrawVert& c = turned ? second : third;
  const float area = edge(a.pos, b.pos, c.pos);
  if (!(area > 0)) return;
  const auto low = [](float x, float y, float z) {
    return static_cast<int>(std::floor(std::min({x, y, z})));
  };
  const auto high = [](float x, float y, float z) {
    return static_cast<int>(std::ceil(std::max({x, y, z})));
  };
  const int left = std::max(clip.left, low(a.pos.x, b.pos.x, c.pos.x));
  const int right = std::min(clip.right, high(a.pos.x, b.pos.x, c.pos.x));
  const int top = std::max(clip.top, low(a.pos.y, b.pos.y, c.pos.y));
  const int bottom = std::min(clip.bottom, high(a.pos.y, b.pos.y, c.pos.y));
  const Colour ca = unpack(a.col), cb = unpack(b.col), cc = unpack(c.col);
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const ImVec2 p(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
      const float wa = edge(b.pos, c.pos, p);
      const float wb = edge(c.pos, a.pos, p);
      const float wc = edge(a.pos, b.pos, p);
      if (wa < 0 || wb < 0 || wc < 0) continue;
      if ((wa == 0 && !owns(b.pos, c.pos)) || (wb == 0 && !owns(c.pos, a.pos)) || (wc == 0 && !owns(a.pos, b.pos))) {
        continue;
      }
      const float ka = wa / area, kb = wb / area, kc = wc / area;
      const Colour t =
          sample(texture, a.uv.x * ka + b.uv.x * kb + c.uv.x * kc, a.uv.y * ka + b.uv.y * kb + c.uv.y * kc);
      const Colour colour{(ca.r * ka + cb.r * kb + cc.r * kc) * t.r, (ca.g * ka + cb.g * kb + cc.g * kc) * t.g,
                          (ca.b * ka + cb.b * kb + cc.b * kc) * t.b, (ca.a * ka + cb.a * kb + cc.a * kc) * t.a};
      if (colour.a <= 0) continue;
      blend(target.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(target.width) +
                          static_cast<std::size_t>(x)],
            colour);
    }
  }
}

}  // namespace

Bitmap rasterise(const ImDrawData& data, std::uint32_t background) {
  Bitmap target;
  target.width = static_cast<int>(data.DisplaySize.x);
  target.height = static_cast<int>(data.DisplaySize.y);
  target.pixels.assign(static_cast<std::size_t>(target.width) * static_cast<std::size_t>(target.height), background);
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) continue;
      const auto* texture = static_cast<const Bitmap*>(command.GetTexID());
      if (texture == nullptr || texture->pixels.empty()) continue;
      const Clip clip{std::max(0, static_cast<int>(command.ClipRect.x)),
                      std::max(0, static_cast<int>(command.ClipRect.y)),
                      std::min(target.width, static_cast<int>(command.ClipRect.z)),
                      std::min(target.height, static_cast<int>(command.ClipRect.w))};
      const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
      const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
      for (unsigned k = 0; k + 2 < command.ElemCount; k += 3) {
        triangle(target, clip, *texture, vertices[indices[k]], vertices[indices[k + 1]], vertices[indices[k + 2]]);
      }
    }
  }
  return target;
}

void write_png(const Bitmap& bitmap, const std::string& path) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, bitmap.width, bitmap.height);
  cairo_surface_flush(surface);
  unsigned char* rows = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < bitmap.height; ++y) {
    for (int x = 0; x < bitmap.width; ++x) {
      const std::uint32_t c = bitmap.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(bitmap.width) +
                                            static_cast<std::size_t>(x)];
      unsigned char* to = rows + static_cast<std::ptrdiff_t>(y) * stride + static_cast<std::ptrdiff_t>(x) * 4;
      to[0] = static_cast<unsigned char>(c >> 16U);
      to[1] = static_cast<unsigned char>(c >> 8U);
      to[2] = static_cast<unsigned char>(c);
      to[3] = 255;
    }
  }
  cairo_surface_mark_dirty(surface);
  cairo_surface_write_to_png(surface, path.c_str());
  cairo_surface_destroy(surface);
}

}  // namespace stowage::testing
