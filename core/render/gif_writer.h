#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage {

/// Turns pictures into an animated GIF that repeats for ever. The bytes come out as the frames go in, so that a long
/// film needs no more memory than a short one. Of a frame only the rectangle that has changed is written, with a
/// palette of its own.
class GifWriter {
 public:
  /// Each frame is shown for 1/fps seconds, to a hundredth in the mean and for two hundredths at least: viewers take
  /// shorter ones for a mistake and show them slowly. In a build without giflib this is an error.
  static Result<GifWriter> make(int fps);
  GifWriter(GifWriter&& other) noexcept;
  GifWriter& operator=(GifWriter&& other) noexcept;
  ~GifWriter();

  /// The next bytes of the file. An error when it is no PNG, or another size than the first.
  Result<std::string> add(std::string_view png);
  /// Its last bytes.
  std::string finish() &&;

 private:
  struct State;
  explicit GifWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace stowage
