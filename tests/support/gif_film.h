#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gif_lib.h>
#include <string>
#include <string_view>
#include <vector>

/// What giflib reads in an animated GIF.
namespace stowage::testing {

struct GifFilm {
  int width = 0;
  int height = 0;
  bool repeats = false;
  std::vector<int> delays;                         // hundredths of a second
  std::vector<std::vector<std::uint32_t>> frames;  // as seen, 0xRRGGBB
  std::size_t written = 0;                         // pixels of all frames in the file
};

inline int take_gif_bytes(GifFileType* gif, GifByteType* to, int count) {
  std::string_view& rest = *static_cast<std::string_view*>(gif->UserData);
  const std::size_t taken = std::min(rest.size(), static_cast<std::size_t>(count));
  std::memcpy(to, rest.data(), taken);
  rest.remove_prefix(taken);
  return static_cast<int>(taken);
}

/// No frames when it is no GIF.
inline GifFilm read_gif(std::string_view bytes) {
  GifFilm film;
  int error = 0;
  GifFileType* gif = DGifOpen(&bytes, take_gif_bytes, &error);
  if (gif == nullptr) return film;
  if (DGifSlurp(gif) == GIF_OK) {
    film.width = gif->SWidth;
    film.height = gif->SHeight;
    std::vector<std::uint32_t> canvas(static_cast<std::size_t>(film.width) * static_cast<std::size_t>(film.height));
    for (int k = 0; k < gif->ImageCount; ++k) {
      const SavedImage& image = gif->SavedImages[k];
      const GifImageDesc& part = image.ImageDesc;
      for (int block = 0; block < image.ExtensionBlockCount; ++block) {
        const ExtensionBlock& extension = image.ExtensionBlocks[block];
        if (extension.Function == APPLICATION_EXT_FUNC_CODE && extension.ByteCount == 11) {
          film.repeats = std::memcmp(extension.Bytes, "NETSCAPE2.0", 11) == 0;
        }
      }
      GraphicsControlBlock control;
      film.delays.push_back(DGifSavedExtensionToGCB(gif, k, &control) == GIF_OK ? control.DelayTime : -1);
      for (int y = 0; y < part.Height; ++y) {
        for (int x = 0; x < part.Width; ++x) {
          const GifColorType& color = part.ColorMap->Colors[image.RasterBits[y * part.Width + x]];
          canvas[static_cast<std::size_t>((part.Top + y) * film.width + part.Left + x)] =
              std::uint32_t{color.Red} << 16U | std::uint32_t{color.Green} << 8U | std::uint32_t{color.Blue};
        }
      }
      film.written += static_cast<std::size_t>(part.Width) * static_cast<std::size_t>(part.Height);
      film.frames.push_back(canvas);
    }
  }
  DGifCloseFile(gif, &error);
  return film;
}

/// The mean difference of a channel of two pictures; 255 when the sizes differ.
inline double mean_difference(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.size() != b.size() || a.empty()) return 255;
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (const unsigned shift : {0U, 8U, 16U}) {
      const int difference = static_cast<int>(a[k] >> shift & 0xFFU) - static_cast<int>(b[k] >> shift & 0xFFU);
      sum += difference < 0 ? -difference : difference;
    }
  }
  return sum / (3 * static_cast<double>(a.size()));
}

}  // namespace stowage::testing
