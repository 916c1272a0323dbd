#include "core/render/gif_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gif_lib.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/render/gif_palette.h"
#include "core/render/png_pixels.h"

namespace stowage {
namespace {

constexpr int kMostSide = 65'535;
constexpr int kLeastDelay = 2;

struct Part {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

/// The smallest rectangle around what differs; one pixel when nothing does, because a frame is a frame.
Part changed_part(const RgbPixels& before, const RgbPixels& now) {
  int left = now.width;
  int right = 0;
  int top = now.height;
  int bottom = 0;
  const auto width = static_cast<std::size_t>(now.width);
  for (int y = 0; y < now.height; ++y) {
    const std::uint32_t* row = now.colours.data() + static_cast<std::size_t>(y) * width;
    const std::uint32_t* old = before.colours.data() + static_cast<std::size_t>(y) * width;
    if (std::equal(row, row + width, old)) continue;
    top = std::min(top, y);
    bottom = y + 1;
    int first = 0;
    while (row[first] == old[first]) ++first;
    int last = now.width;
    while (row[last - 1] == old[last - 1]) --last;
    left = std::min(left, first);
    right = std::max(right, last);
  }
  if (bottom == 0) return Part{0, 0, 1, 1};
  return Part{left, top, right - left, bottom - top};
}

std::vector<std::uint32_t> cut(const RgbPixels& picture, const Part& part) {
  std::vector<std::uint32_t> colours;
  colours.reserve(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height));
  for (int y = part.top; y < part.top + part.height; ++y) {
    const auto at = static_cast<std::ptrdiff_t>(y) * picture.width + part.left;
    colours.insert(colours.end(), picture.colours.begin() + at, picture.colours.begin() + at + part.width);
  }
  return colours;
}

/// Tables of colours have a power of two of them.
std::vector<GifColorType> table_of(const std::vector<std::uint32_t>& palette) {
  std::size_t count = 2;
  while (count < palette.size()) count *= 2;
  std::vector<GifColorType> table(count);
  for (std::size_t k = 0; k < palette.size(); ++k) {
    table[k].Red = static_cast<GifByteType>(palette[k] >> 16U & 0xFFU);
    table[k].Green = static_cast<GifByteType>(palette[k] >> 8U & 0xFFU);
    table[k].Blue = static_cast<GifByteType>(palette[k] & 0xFFU);
  }
  return table;
}

int take_bytes(GifFileType* gif, const GifByteType* bytes, int count) {
  static_cast<std::string*>(gif->UserData)
      ->append(static_cast<const char*>(static_cast<const void*>(bytes)), static_cast<std::size_t>(count));
  return count;
}

}  // namespace

struct GifWriter::State {
  explicit State(int frames_a_second) : fps(frames_a_second) {}
  ~State() { close(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void close() {
    int ignored = 0;
    if (gif != nullptr) EGifCloseFile(gif, &ignored);
    gif = nullptr;
  }
  bool begin(const RgbPixels& picture);
  bool control();
  bool show(const RgbPixels& picture, const Part& part);

  int fps;
  GifFileType* gif = nullptr;
  std::string bytes;  // not yet handed out
  RgbPixels before;
  std::int64_t frames = 0;
};

/// The head, and the extension that all viewers take for "repeat for ever".
bool GifWriter::State::begin(const RgbPixels& picture) {
  int ignored = 0;
  gif = EGifOpen(&bytes, take_bytes, &ignored);
  if (gif == nullptr) return false;
  EGifSetGifVersion(gif, true);
  constexpr std::string_view kName = "NETSCAPE2.0";
  constexpr std::array<GifByteType, 3> kForEver = {1, 0, 0};
  return EGifPutScreenDesc(gif, picture.width, picture.height, 8, 0, nullptr) == GIF_OK &&
         EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(gif, static_cast<int>(kName.size()), kName.data()) == GIF_OK &&
         EGifPutExtensionBlock(gif, static_cast<int>(kForEver.size()), kForEver.data()) == GIF_OK &&
         EGifPutExtensionTrailer(gif) == GIF_OK;
}

/// How long the frame is shown; what rounding takes from one frame the next ones get.
bool GifWriter::State::control() {
  const auto begins = [this](std::int64_t frame) {
    return static_cast<int>((frame * 200 + fps) / (2 * fps));
  };
  GraphicsControlBlock block;
  block.DisposalMode = DISPOSE_DO_NOT;
  block.UserInputFlag = false;
  block.DelayTime = std::max(kLeastDelay, begins(frames + 1) - begins(frames));
  block.TransparentColor = NO_TRANSPARENT_COLOR;
  std::array<GifByteType, 4> content{};
  const std::size_t size = EGifGCBToExtension(&block, content.data());
  return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), content.data()) == GIF_OK;
}

bool GifWriter::State::show(const RgbPixels& picture, const Part& part) {
  IndexedPixels indexed = index_colours(cut(picture, part));
  const std::vector<GifColorType> table = table_of(indexed.palette);
  ColorMapObject* map = GifMakeMapObject(static_cast<int>(table.size()), table.data());
  if (map == nullptr) return false;
  const int described = EGifPutImageDesc(gif, part.left, part.top, part.width, part.height, false, map);
  GifFreeMapObject(map);
  if (described != GIF_OK) return false;
  for (int y = 0; y < part.height; ++y) {
    GifByteType* row = indexed.pixels.data() + static_cast<std::ptrdiff_t>(y) * part.width;
    if (EGifPutLine(gif, row, part.width) != GIF_OK) return false;
  }
  return true;
}

GifWriter::GifWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
GifWriter::GifWriter(GifWriter&& other) noexcept = default;
GifWriter& GifWriter::operator=(GifWriter&& other) noexcept = default;
GifWriter::~GifWriter() = default;

Result<GifWriter> GifWriter::make(int fps) {
  return GifWriter(std::make_unique<State>(fps));
}

Result<std::string> GifWriter::add(std::string_view png) {
  Result<RgbPixels> picture = pixels_of_png(png);
  if (!picture) return tl::unexpected(picture.error());
  State& state = *state_;
  const bool first = state.frames == 0;
  if (first && (picture->width > kMostSide || picture->height > kMostSide)) {
    return input_error(fmt::format("a GIF is at most {} pixels wide or high", kMostSide));
  }
  if (!first && (picture->width != state.before.width || picture->height != state.before.height)) {
    return input_error("the frames differ in size");
  }
  const Part part = first ? Part{0, 0, picture->width, picture->height} : changed_part(state.before, *picture);
  if ((first && !state.begin(*picture)) || !state.control() || !state.show(*picture, part)) {
    const char* reason = state.gif != nullptr ? GifErrorString(state.gif->Error) : nullptr;
    return input_error(fmt::format("GIF: {}", reason != nullptr ? reason : "not enough memory"));
  }
  state.before = std::move(*picture);
  ++state.frames;
  return std::exchange(state.bytes, {});
}

std::string GifWriter::finish() && {
  state_->close();
  return std::exchange(state_->bytes, {});
}

}  // namespace stowage
