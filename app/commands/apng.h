#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stowage {

/// Puts pictures one after the other into an animated PNG (the APNG 1.0 specification): readers without animation show
/// the first. The frames are whole PNG files of the same size and pixel format, without interlacing.
class ApngWriter {
 public:
  /// `frames`: how many will come; each is shown for 1/fps seconds; the animation repeats for ever.
  ApngWriter(std::uint32_t frames, int fps) : frames_(frames), fps_(fps) {}

  /// An error when it is no PNG, or another size or format than the first.
  Result<void> add(std::string_view png);
  /// The bytes of the file, after the last frame.
  std::string finish() &&;

 private:
  void chunk(std::string_view type, std::string_view content);
  void begin_frame();

  std::uint32_t frames_;
  int fps_;
  std::uint32_t added_ = 0;
  std::uint32_t sequence_ = 0;
  std::string header_;  // content of IHDR
  std::string bytes_;
};

}  // namespace stowage
