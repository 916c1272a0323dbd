#include "core/io/unpack.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <zlib.h>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/file.h"
#include "core/io/json_letters.h"
#include "core/io/json_outline.h"
#include "core/io/unpack_zstd.h"

namespace stowage {
namespace {

/// Ends the stream however the work ends.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    ready_ = inflateInit2(&stream_, gzip_only) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// An empty text when all went well, else why not.
  std::string run(std::string_view bytes, std::string& out, std::size_t most, WatchedPass pass) {
    if (!ready_) return "there is no memory to unpack it";
    std::array<unsigned char, 65536> piece{};
    std::size_t at = 0;
    int state = Z_OK;
    while (state != Z_STREAM_END) {
      if (!pass.goes_on(at - stream_.avail_in)) return "the reading was stopped";
      if (stream_.avail_in == 0) {
        if (at == bytes.size()) return "the gzip file breaks off";
        const std::size_t count = std::min<std::size_t>(bytes.size() - at, std::numeric_limits<uInt>::max());
        // zlib does not write through it, but has no const in its interface.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
        stream_.avail_in = static_cast<uInt>(count);
        at += count;
      }
      stream_.next_out = piece.data();
      stream_.avail_out = static_cast<uInt>(piece.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END) return "the gzip file is damaged";
      const std::size_t made = piece.size() - stream_.avail_out;
      if (made > most - out.size())
        return fmt::format("it unpacks to more than {}", format_bytes(static_cast<std::int64_t>(most)));
      out.append(reinterpret_cast<const char*>(piece.data()), made);
      // Another member may follow the first.
      if (state == Z_STREAM_END && stream_.avail_in > 0 && inflateReset(&stream_) == Z_OK) state = Z_OK;
    }
    return {};
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

/// The reading of what comes out is told anew, from its own beginning.
constexpr ReadShare kUnpacking{0, 0};

/// Half pairs become the replacement character.
std::string from_utf16(std::string_view bytes, bool big) {
  std::string out;
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return big ? static_cast<std::uint32_t>(first << 8U | second) : static_cast<std::uint32_t>(second << 8U | first);
  };
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xD800 && code < 0xDC00 && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
      code = 0x10000U + ((code - 0xD800U) << 10U) + (unit(at + 2) - 0xDC00U);
      at += 2;
    } else if (code >= 0xD800 && code < 0xE000) {
      code = 0xFFFD;
    }
    json::append_utf8(out, code);
  }
  return out;
}

}  // namespace

Result<std::optional<std::string>> unpack(std::string_view bytes, const std::string& name, const ReadWatch* watch) {
  const bool nameless = name == kStandardInput;  // no ending could say that it is packed
  const bool gzip = bytes.starts_with("\x1F\x8B") && (nameless || to_lower(name).ends_with(".gz"));
  const bool zstd = bytes.starts_with("\x28\xB5\x2F\xFD") && (nameless || to_lower(name).ends_with(".zst"));
  if (gzip || zstd) {
    const std::size_t most =
        std::min(static_cast<std::size_t>(kReadLimit), (std::size_t{64} << 20U) + 200 * bytes.size());
    std::string out;
    const WatchedPass pass(watch, bytes.size(), kUnpacking);
    const std::string why = gzip ? Inflater().run(bytes, out, most, pass) : unpack_zstd(bytes, out, most, pass);
    if (!why.empty()) return input_error(name + ": " + why);
    return std::optional<std::string>(std::move(out));
  }
  const bool little = bytes.starts_with("\xFF\xFE") && !bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4));
  if (!little && !bytes.starts_with("\xFE\xFF")) return std::optional<std::string>();
  constexpr std::size_t enough = 256;
  if (!json::looks_like_json(from_utf16(bytes.substr(0, enough), !little))) return std::optional<std::string>();
  return std::optional<std::string>(from_utf16(bytes, !little));
}

}  // namespace stowage
