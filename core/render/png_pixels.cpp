#include "core/render/png_pixels.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include <cairo.h>

namespace stowage {
namespace {

cairo_status_t take_front(void* from, unsigned char* to, unsigned int count) {
  std::string_view& rest = *static_cast<std::string_view*>(from);
  if (rest.size() < count) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(to, rest.data(), count);
  rest.remove_prefix(count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<RgbPixels> pixels_of_png(std::string_view png) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_from_png_stream(take_front, &png), &cairo_surface_destroy);
  if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS) {
    return input_error(std::string("picture: ") + cairo_status_to_string(status));
  }
  RgbPixels pixels;
  pixels.width = cairo_image_surface_get_width(surface.get());
  pixels.height = cairo_image_surface_get_height(surface.get());
  const auto width = static_cast<std::size_t>(pixels.width);
  const auto height = static_cast<std::size_t>(pixels.height);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  pixels.colours.resize(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    std::memcpy(pixels.colours.data() + y * width, data + y * stride, width * sizeof(std::uint32_t));
  }
  for (std::uint32_t& colour : pixels.colours) colour &= 0xFFFFFFU;
  return pixels;
}

}  // namespace stowage
