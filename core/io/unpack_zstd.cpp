#include "core/io/unpack_zstd.h"

#include <array>
#include <memory>
#include <zstd.h>

#include <fmt/format.h>

#include "core/base/text.h"

namespace stowage {

std::string unpack_zstd(std::string_view bytes, std::string& out, std::size_t most, WatchedPass pass) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (stream == nullptr) return "there is no memory to unpack it";
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::array<char, 65536> piece{};
  std::size_t state = 1;  // 0: a frame ends here
  while (in.pos < in.size || state != 0) {
    if (!pass.goes_on(in.pos)) return "the reading was stopped";
    ZSTD_outBuffer made{piece.data(), piece.size(), 0};
    const std::size_t before = in.pos;
    state = ZSTD_decompressStream(stream.get(), &made, &in);
    if (ZSTD_isError(state) != 0) return "the Zstandard file is damaged";
    if (made.pos > most - out.size())
      return fmt::format("it unpacks to more than {}", format_bytes(static_cast<std::int64_t>(most)));
    out.append(piece.data(), made.pos);
    if (state != 0 && made.pos == 0 && in.pos == before) return "the Zstandard file breaks off";
  }
  return {};
}

}  // namespace stowage
