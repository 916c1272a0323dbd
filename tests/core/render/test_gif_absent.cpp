#include <doctest/doctest.h>

#include "core/render/gif_writer.h"

namespace stowage {

TEST_CASE("gif: a build without giflib says so, and what helps") {
  const Result<GifWriter> gif = GifWriter::make(12);
  REQUIRE_FALSE(gif.has_value());
  CHECK(gif.error().message.find("libgif-dev") != std::string::npos);
}

}  // namespace stowage
