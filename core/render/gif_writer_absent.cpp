#include <utility>

#include "core/render/gif_writer.h"

namespace stowage {

struct GifWriter::State {};

GifWriter::GifWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GifWriter::GifWriter(GifWriter&& other) noexcept = default;
GifWriter& GifWriter::operator=(GifWriter&& other) noexcept = default;
GifWriter::~GifWriter() = default;

Result<GifWriter> GifWriter::make(int) {
  return input_error(
      "this build cannot write GIFs: build Stowage with giflib (Debian: libgif-dev), or write an .apng or a folder of "
      "frames");
}

Result<std::string> GifWriter::add(std::string_view) {
  return std::string();
}

std::string GifWriter::finish() && {
  return {};
}

}  // namespace stowage
