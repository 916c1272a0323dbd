#include "app/commands/apng.h"

#include <array>

namespace stowage {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = (value << 8U) | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

std::string big_endian(std::uint32_t value, std::size_t bytes = 4) {
  std::string text;
  for (std::size_t k = bytes; k > 0; --k) text.push_back(static_cast<char>((value >> (8 * (k - 1))) & 0xFFU));
  return text;
}

/// CRC-32 of PNG (ISO 3309): polynomial 0xEDB88320, reflected.
std::uint32_t crc_of(std::string_view type, std::string_view content) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
      made[n] = c;
    }
    return made;
  }();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::string_view part : {type, content}) {
    for (const char byte : part) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8U);
  }
  return crc ^ 0xFFFFFFFFU;
}

struct Chunk {
  std::string_view type;
  std::string_view content;
};

/// The next chunk, taken off the front; nothing when the file is cut short.
Result<Chunk> next_chunk(std::string_view& rest) {
  constexpr std::size_t kAround = 12;  // length, type, CRC
  if (rest.size() < kAround || number_at(rest, 0) > rest.size() - kAround)
    return input_error("a frame is no whole PNG");
  const std::uint32_t length = number_at(rest, 0);
  const Chunk chunk{rest.substr(4, 4), rest.substr(8, length)};
  rest.remove_prefix(length + kAround);
  return chunk;
}

}  // namespace

void ApngWriter::chunk(std::string_view type, std::string_view content) {
  bytes_ += big_endian(static_cast<std::uint32_t>(content.size()));
  bytes_ += type;
  bytes_ += content;
  bytes_ += big_endian(crc_of(type, content));
}

void ApngWriter::begin_frame() {
  std::string control = big_endian(sequence_++);
  control += header_.substr(0, 8);  // width and height
  control += big_endian(0);
  control += big_endian(0);
  control += big_endian(1, 2);
  control += big_endian(static_cast<std::uint32_t>(fps_), 2);
  control += std::string(2, '\0');  // the frame stays; it replaces what was there
  chunk("fcTL", control);
}

Result<void> ApngWriter::add(std::string_view png) {
  if (png.substr(0, kSignature.size()) != kSignature) return input_error("a frame is no PNG");
  png.remove_prefix(kSignature.size());
  bool begun = false;
  while (true) {
    const Result<Chunk> read = next_chunk(png);
    if (!read) return tl::unexpected(read.error());
    if (read->type == "IEND") break;
    if (read->type == "IHDR") {
      if (added_ > 0 && header_ != read->content) return input_error("the frames differ in size or format");
      if (added_ > 0) continue;
      header_ = read->content;
      bytes_ = kSignature;
      chunk("IHDR", header_);
      chunk("acTL", big_endian(frames_) + big_endian(0));
    } else if (read->type == "IDAT") {
      if (!begun) begin_frame();
      begun = true;
      if (added_ == 0) {
        chunk("IDAT", read->content);
      } else {
        chunk("fdAT", big_endian(sequence_++) + std::string(read->content));
      }
    }
  }
  if (!begun) return input_error("a frame has no pixels");
  ++added_;
  return {};
}

std::string ApngWriter::finish() && {
  chunk("IEND", {});
  return std::move(bytes_);
}

}  // namespace stowage
