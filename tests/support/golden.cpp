#include "tests/support/golden.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <cairo.h>

namespace stowage::testing {
namespace {

struct Reader {
  const std::string* bytes = nullptr;
  std::size_t at = 0;
};

cairo_status_t read(void* from, unsigned char* to, unsigned int count) {
  auto* reader = static_cast<Reader*>(from);
  if (reader->at + count > reader->bytes->size()) return CAIRO_STATUS_READ_ERROR;
  std::copy_n(reader->bytes->begin() + static_cast<std::ptrdiff_t>(reader->at), count, to);
  reader->at += count;
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Pixels decode(const std::string& png) {
  Reader reader{&png, 0};
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read, &reader);
  Pixels pixels;
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    pixels.width = cairo_image_surface_get_width(surface);
    pixels.height = cairo_image_surface_get_height(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < pixels.height; ++y) {
      const unsigned char* row = data + static_cast<std::ptrdiff_t>(y) * stride;
      pixels.bytes.insert(pixels.bytes.end(), row, row + static_cast<std::ptrdiff_t>(pixels.width) * 4);
    }
  }
  cairo_surface_destroy(surface);
  return pixels;
}

double difference(const Pixels& a, const Pixels& b) {
  if (a.width != b.width || a.height != b.height || a.bytes.empty()) return 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.bytes.size(); ++i) count += std::abs(a.bytes[i] - b.bytes[i]) > 24;
  return static_cast<double>(count) / static_cast<double>(a.bytes.size());
}

double difference_from_golden(const std::string& name, const std::string& png) {
  const std::filesystem::path path = std::filesystem::path(STOWAGE_SOURCE_DIR) / "tests" / "golden" / (name + ".png");
  if (std::getenv("STOWAGE_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << png;
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return difference(decode(png), decode(golden));
}

}  // namespace stowage::testing
