// Writes stowage.svg and stowage.png into the folder given on the command line. A tool for whoever changes the icon.
#include <string>

#include <fmt/format.h>

#include "app/icon.h"
#include "core/io/file.h"
#include "core/render/cairo_painter.h"

namespace {

bool write_icon(const std::string& path, stowage::PictureFormat format, float size) {
  const stowage::Color clear{0, 0, 0, 0};
  const auto bytes = stowage::paint(stowage::icon_scene(size), format, 1, clear);
  if (!bytes) {
    fmt::print(stderr, "{}\n", bytes.error().message);
    return false;
  }
  const auto written = stowage::write_file(path, *bytes);
  if (!written) fmt::print(stderr, "{}\n", written.error().message);
  return written.has_value();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: icon_files FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  const bool done = write_icon(folder + "/stowage.svg", stowage::PictureFormat::kSvg, 128) &&
                    write_icon(folder + "/stowage.png", stowage::PictureFormat::kPng, 256);
  return done ? 0 : 3;
}
